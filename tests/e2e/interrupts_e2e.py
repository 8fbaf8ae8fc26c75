#!/usr/bin/python3
"""Ctrl-C once and twice, kill -9, and what resume makes of each."""

import json
import os
import pty
import signal

from harness import StoreCase, main

# Counts its attempts outside, then takes its time: the first attempt long, the others not at all.
SLOW = """metadata: {name: slow}
workflow:
  - step: work
    tool: {kind: shell, cmd: "echo x >> COUNTER; test $(wc -l < COUNTER) -gt 1 || sleep 600; echo done"}
output: '{{ work.output.stdout | trim }}'
"""


class Interrupts(StoreCase):
    def begin_slow(self, *more):
        self.counter = self.folder / "counter"
        playbook = self.file("slow.yaml", SLOW.replace("COUNTER", str(self.counter)))
        process = self.begin("run", playbook, "--id", "e1", *more)
        self.until("the tool runs", self.counter.exists)
        return process

    def resumed(self):
        return json.loads(self.must("resume", "e1", "--quiet"))

    def test_once_stops_cleanly_and_says_how_to_go_on(self):
        process = self.begin_slow()
        process.send_signal(signal.SIGINT)
        code, out, err = self.finish(process)
        self.assertEqual((code, out), (4, ""))
        self.assertIn("`stepwell resume e1`", err)
        self.assertEqual(self.show("e1")["status"], "running")
        self.assertEqual(self.resumed(), "done")

    def test_twice_ends_at_once_and_loses_nothing(self):
        process = self.begin_slow()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.assertIn(self.finish(process)[0], (4, 130))
        self.assertEqual(self.resumed(), "done")

    def test_twice_leaves_no_command_running(self):
        self.mark = self.folder / "pid"
        stubborn = self.file("stubborn.yaml", "workflow: [{step: a, tool: {kind: shell, cmd: \"trap '' TERM; echo $$ > "
                                              f"{self.mark}; while true; do sleep 1; done\"}}}}]\n")
        process = self.begin("run", stubborn, "--id", "e2")
        self.until("the tool runs", lambda: self.mark.exists() and self.mark.read_text().strip())
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.assertIn(self.finish(process)[0], (4, 130))
        group = int(self.mark.read_text())
        self.until("the command is gone", lambda: not any(self.in_group(group)))

    @staticmethod
    def in_group(group):
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and os.getpgid(int(entry)) == group:
                    yield entry
            except ProcessLookupError:
                pass

    def test_killed_it_is_resumed_as_if_nothing_had_been(self):
        process = self.begin_slow()
        process.kill()
        self.finish(process)
        self.assertEqual(self.resumed(), "done")
        self.assertEqual(self.counter.read_text(), "x\nx\n")
        self.must("verify")
        self.must("replay", "--verify")

    def test_looking_at_what_was_left_starts_nothing(self):
        process = self.begin_slow()
        process.send_signal(signal.SIGINT)
        self.finish(process)
        for command in ("ls", "verify"):
            self.must(command)
        self.assertEqual(self.show("e1")["status"], "running")
        self.assertEqual(self.counter.read_text(), "x\n")

    def test_resuming_what_has_ended_prints_it_again(self):
        process = self.begin_slow()
        process.kill()
        self.finish(process)
        self.resumed()
        self.assertEqual(self.resumed(), "done")


class Terminal(StoreCase):
    """A run on a terminal stays when only others can move it, and shows a live view."""

    def test_it_stays_and_shows_what_it_waits_for(self):
        playbook = self.file("w.yaml", "workflow: [{step: paid, type: wait, signal: paid}]\noutput: '{{ paid.output }}'\n")
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(self.binary, self.line(["run", playbook, "--id", "e1"]), self.environment)
        self.addCleanup(os.close, terminal)
        self.until_status("e1", "waiting")
        seen = b""
        while b"stepwell signal e1 paid" not in seen:
            seen += os.read(terminal, 4096)
        self.must("signal", "e1", "paid", '"thanks"')
        try:
            while piece := os.read(terminal, 4096):
                seen += piece
        except OSError:
            pass  # how a terminal ends
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.assertIn(b"\x1b[?25l", seen)
        self.assertIn(b"+ paid", seen)
        self.assertIn(b'"thanks"', seen)
        self.assertGreater(seen.rindex(b"\x1b[?25h"), seen.rindex(b"\x1b[?25l"))


if __name__ == "__main__":
    main()
