#!/usr/bin/python3
"""Whoever holds the store answers the others: one command stays, the others come from a second terminal."""

import json
import signal

from harness import StoreCase, main

WAITS = """metadata: {name: wait}
workflow:
  - {step: gate, when: ctx.open, next: paid}
  - {step: paid, type: wait, signal: paid}
output: '{{ paid.output }}'
"""


class TwoTerminals(StoreCase):
    def setUp(self):
        super().setUp()
        self.first = self.begin("run", self.file("wait.yaml", WAITS), "--id", "e1", "--wait")
        self.until_status("e1", "waiting")

    def test_the_other_looks_and_steers_until_it_ends(self):
        self.assertIsNone(self.first.poll())
        self.assertEqual(self.show("e1")["tokens"][0]["wait"], "gate")
        self.must("patch", "e1", '{"open": true}')
        self.assertEqual(self.show("e1")["tokens"][0]["wait"], "signal")
        self.must("signal", "e1", "paid", "17")
        code, out, _ = self.finish(self.first)
        self.assertEqual((code, json.loads(out)), (0, 17))

    def test_a_cancellation_ends_the_other(self):
        self.must("cancel", "e1", "--reason", "enough")
        code, _, err = self.finish(self.first)
        self.assertEqual(code, 5)
        self.assertIn("cancelled: enough", err)

    def test_a_second_run_is_executed_by_the_first(self):
        hello = self.file("hello.yaml", "workflow: [{step: a, tool: {kind: shell, cmd: 'echo $PPID'}}]\n"
                                        "output: '{{ a.output.stdout | trim | int }}'\n")
        self.assertEqual(int(self.must("run", hello, "--quiet")), self.first.pid)

    def test_events_are_followed_from_the_other_terminal(self):
        follower = self.begin("events", "e1", "--follow", "--json")
        first = json.loads(follower.stdout.readline())
        self.must("patch", "e1", '{"open": true}')
        self.must("signal", "e1", "paid")
        code, out, err = self.finish(follower)
        self.assertEqual(code, 0, err)
        types = [json.loads(line)["type"] for line in out.splitlines()]
        self.assertEqual(first["type"], "workflow_started")
        self.assertIn("workflow_completed", types)

    def test_the_store_can_be_verified_and_copied_meanwhile(self):
        self.assertIn("nothing was altered", self.must("verify"))
        self.assertIn("all the same", self.must("replay", "--verify"))
        self.must("backup", "copy")
        copied = json.loads(self.stepwell("show", "e1", "--json", store=str(self.folder / "copy")).stdout)
        self.assertEqual(copied["status"], "waiting")

    def test_what_wants_the_store_for_itself_names_the_holder(self):
        ran = self.stepwell("rebuild")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn(f"process {self.first.pid} (", ran.stderr)

    def test_a_holder_that_hangs_is_named(self):
        self.first.send_signal(signal.SIGSTOP)
        self.addCleanup(self.first.send_signal, signal.SIGCONT)
        ran = self.stepwell("ls")
        self.assertEqual(ran.returncode, 70)
        self.assertRegex(ran.stderr, f"in use by process {self.first.pid} .*, which does not answer: no sign of life")

    def test_a_holder_that_was_killed_is_in_nobodys_way(self):
        self.first.kill()
        self.first.wait()
        self.assertEqual(self.show("e1")["status"], "waiting")

    def test_a_watcher_is_told_when_the_holder_dies(self):
        follower = self.begin("events", "e1", "--follow")
        self.assertIn("workflow_started", follower.stdout.readline())
        self.first.kill()
        code, _, err = self.finish(follower)
        self.assertEqual(code, 70)
        self.assertIn("went away", err)


if __name__ == "__main__":
    main()
