#!/usr/bin/python3
"""Exit codes, the split of standard output and error, and the lines of --events, as a shell sees them."""

import json
import subprocess

from harness import StoreCase, main


class ExitCodes(StoreCase):
    def playbook(self, steps, more=""):
        return self.file("playbook.yaml", f"metadata: {{name: p}}\n{more}workflow:\n{steps}")

    def test_completed_prints_the_output_alone(self):
        path = self.playbook('  - {step: a, tool: {kind: shell, cmd: "echo {{ workload.who }}"}}\n',
                             'output: {said: "{{ a.output.stdout | trim }}"}\n')
        ran = self.stepwell("run", path, "-i", "who=Ada")
        self.assertEqual((ran.returncode, json.loads(ran.stdout)), (0, {"said": "Ada"}))
        self.assertIn("step_done", ran.stderr)

    def test_failed(self):
        ran = self.stepwell("run", self.playbook('  - {step: a, tool: {kind: shell, cmd: "exit 3"}}\n'))
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("failed at 'a'", ran.stderr)
        self.assertIn("exit_3", ran.stderr)

    def test_terminated_as_failed_still_prints_its_output(self):
        ran = self.stepwell("run", self.playbook("  - {step: stop, type: terminate, status: failed, reason: unsafe,\n"
                                                 "     output_template: '{\"aborted\": true}'}\n"))
        self.assertEqual((ran.returncode, json.loads(ran.stdout)), (1, {"aborted": True}))
        self.assertIn("terminated at 'stop': unsafe\n", ran.stderr)

    def test_wrong_usage_and_wrong_definitions(self):
        self.assertEqual(self.stepwell("run").returncode, 2)
        self.assertEqual(self.stepwell("run", "no_such_playbook").returncode, 2)
        self.assertEqual(self.stepwell("run", self.playbook("  - {step: a, next: b}\n")).returncode, 2)

    def test_partial(self):
        path = self.playbook('  - {step: a, next: [{step: b, foreach: {in: [0, 1], as: n}}]}\n'
                             '  - {step: b, tool: {kind: shell, cmd: "exit {{ n }}"}}\n',
                             "executor: {spec: {on_failure: partial}}\n")
        self.assertEqual(self.stepwell("run", path).returncode, 3)

    def test_left_waiting(self):
        path = self.playbook("  - {step: sign, type: human, title: Sign, timeout: 3d}\n")
        ran = self.stepwell("run", path, "--id", "e1")
        self.assertEqual((ran.returncode, ran.stdout), (4, ""))
        self.assertIn("stepwell resume e1", ran.stderr)

    def test_cancelled(self):
        self.stepwell("run", self.playbook("  - {step: w, type: wait, signal: s}\n"), "--id", "e1")
        self.must("cancel", "e1")
        self.assertEqual(self.stepwell("resume", "e1").returncode, 5)

    def test_a_store_that_cannot_be_made(self):
        in_the_way = self.file("file", "")
        ran = self.stepwell("run", self.playbook("  - {step: a}\n"), store=in_the_way + "/store")
        self.assertNotIn(ran.returncode, (0, 1))
        self.assertIn(in_the_way, ran.stderr)


class Events(StoreCase):
    def events(self, *arguments):
        path = self.folder / "events.jsonl"
        self.stepwell("run", *arguments, "--events", str(path))
        return [json.loads(line) for line in path.read_text().splitlines()]

    def test_every_run_begins_once_and_ends_once_and_every_attempt_is_told(self):
        playbook = self.file("p.yaml",
                             "workflow:\n"
                             "  - {step: flaky, tool: {kind: shell, cmd: 'test {{ run.attempt }} -ge 3'},\n"
                             "     retry: {max_attempts: 3, backoff: fixed, delay: 10ms, on: [exit_1]}, next: both}\n"
                             "  - {step: both, next: [{step: leg, foreach: {in: [1, 2, 3], as: n}}]}\n"
                             "  - {step: leg, tool: {kind: shell, cmd: 'echo {{ n }}'}}\n")
        events = self.events(playbook, "--id", "e1")
        self.assertEqual([e["seq"] for e in events], list(range(1, len(events) + 1)))
        self.assertEqual({e["execution"] for e in events}, {"e1"})
        self.assertEqual(events[0]["type"], "workflow_started")
        self.assertEqual(events[-1]["type"], "workflow_completed")
        started = [e["run"] for e in events if e["type"] == "step_started"]
        ended = [e["run"] for e in events if e["type"] in ("step_done", "step_failed", "step_cancelled")]
        self.assertEqual(sorted(started), sorted(ended))
        self.assertEqual(len(set(started)), len(started))
        of_flaky = [e["type"] for e in events if e.get("step") == "flaky" and not e["type"].startswith("next")]
        retry = ["attempt_started", "attempt_failed", "step_retry_scheduled"]
        self.assertEqual([t for t in of_flaky if t != "token_created"],
                         ["step_started", *retry, *retry, "attempt_started", "step_done"])
        failed = next(e for e in events if e["type"] == "attempt_failed")
        self.assertEqual((failed["error"]["class"], failed["error"]["kind"]), ("transport", "exit_1"))

    def test_an_explicit_end_says_so(self):
        playbook = self.file("p.yaml", "workflow: [{step: stop, type: terminate, status: success, reason: done}]\n")
        end = self.events(playbook)[-1]
        self.assertEqual((end["type"], end["termination_reason"], end["terminated_by"], end["is_explicit"]),
                         ("workflow_completed", "done", "stop", True))


class Stores(StoreCase):
    def test_the_flag_wins_over_the_environment_and_that_over_the_home(self):
        playbook = self.file("p.yaml", "workflow: [{step: a}]\n")
        line = [self.binary, "run", playbook, "--quiet"]
        subprocess.run(line, env=self.environment, check=True, capture_output=True)
        self.assertTrue((self.folder / ".stepwell" / "stepwell.db").exists())
        self.environment["STEPWELL_STORE"] = str(self.folder / "by_environment")
        subprocess.run(line, env=self.environment, check=True, capture_output=True)
        self.assertTrue((self.folder / "by_environment" / "stepwell.db").exists())
        self.must("run", playbook, "--quiet")
        self.assertEqual(len(json.loads(self.must("ls", "--json"))), 1)


if __name__ == "__main__":
    main()
