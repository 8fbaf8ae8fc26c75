#!/usr/bin/python3
"""Disks that are full or may not be written: the program says so, waits or ends, and loses nothing."""

import json
import os
import resource
import signal
import subprocess
import unittest

from harness import StoreCase, main

# Writes about 4 MiB of results, more than the first segment of a journal holds.
LARGE = """metadata: {name: large}
workload: {count: 130}
workflow:
  - step: each
    loop: {in: "{{ range(workload.count) | list }}", iterator: i}
    tool: {kind: lua, script: "return string.rep(tostring(args.i % 10), 30000)", args: {i: "{{ iter.i }}"}}
output: {last: "{{ each.output.results | last | length }}", count: "{{ each.output.results | length }}"}
"""
EXPECTED = {"last": 30000, "count": 130}


class Full(StoreCase):
    """A process whose files may not grow, however much space there is."""

    def setUp(self):
        super().setUp()
        self.playbook = self.file("large.yaml", LARGE)
        self.errors = self.folder / "errors"
        self.limit = (1 << 20, resource.RLIM_INFINITY)

    def make_space(self, process):
        if process.poll() is None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def begin_until_full(self):
        """Begins the run, with what it says about itself in a file, and waits until there is no space."""
        self.must("register", self.playbook)
        with open(self.errors, "w") as errors:
            process = subprocess.Popen(self.line(["run", self.playbook, "--id", "e1"]),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
                                       env=self.environment, cwd=self.folder,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, self.limit))
        self.addCleanup(self.end, process)

        def told():
            self.assertIsNone(process.poll(), self.errors.read_text())
            return "the disk is full: nothing is accepted until there is space" in self.errors.read_text()

        self.until("it says that the disk is full", told)
        return process

    def check_end(self, code, out):
        self.assertEqual(code, 0, self.errors.read_text())
        self.assertEqual(json.loads(out), EXPECTED)
        self.must("verify")
        self.must("replay", "--verify")

    def test_it_waits_for_space_and_goes_on(self):
        process = self.begin_until_full()
        self.make_space(process)
        code, out, _ = self.finish(process)
        self.assertIn("there is space again", self.errors.read_text())
        self.check_end(code, out)

    def test_it_can_be_stopped_meanwhile_and_resumed_later(self):
        process = self.begin_until_full()
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process)[0], 4)
        self.assertIn("stepwell resume e1", self.errors.read_text())
        self.make_space(process)
        resumed = self.stepwell("resume", "e1", "--quiet")
        self.check_end(resumed.returncode, resumed.stdout)

    def test_killed_meanwhile_it_is_resumed_later(self):
        process = self.begin_until_full()
        process.kill()
        self.finish(process)
        self.make_space(process)
        resumed = self.stepwell("resume", "e1", "--quiet")
        self.check_end(resumed.returncode, resumed.stdout)


class Disk(Full):
    """The same on a file system that is full, and one that is read-only."""

    def setUp(self):
        super().setUp()
        self.limit = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", self.disk], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.disk], check=True)
        self.store = str(self.disk / "store")
        self.ballast = self.disk / "ballast"
        self.fill(leave=4 << 20)

    def fill(self, leave):
        free = os.statvfs(self.disk)
        with open(self.ballast, "ab") as ballast:
            os.posix_fallocate(ballast.fileno(), ballast.tell(), free.f_bavail * free.f_frsize - leave)

    def make_space(self, _process=None):
        self.ballast.unlink()

    def test_a_store_is_not_made_without_space(self):
        self.fill(leave=100 << 10)
        ran = self.stepwell("register", self.playbook)
        self.assertEqual(ran.returncode, 70)
        self.assertRegex(ran.stderr, "stepwell register: .*(full|No space)")
        self.make_space()
        self.must("register", self.playbook)

    def test_what_may_not_be_written_is_named(self):
        self.must("register", self.playbook)
        subprocess.run(["mount", "-o", "remount,ro", self.disk], check=True)
        for store in (self.store, str(self.disk / "other")):
            ran = self.stepwell("run", self.playbook, store=store)
            self.assertEqual(ran.returncode, 70)
            self.assertRegex(ran.stderr, f"stepwell run: .*{store}.*[Rr]ead-only")


class Forbidden(StoreCase):
    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_directory_that_may_not_be_written_is_named(self):
        self.must("register", self.file("a.yaml", "workflow: [{step: a}]"))
        os.chmod(self.store, 0o555)
        self.addCleanup(os.chmod, self.store, 0o755)
        ran = self.stepwell("run", "a")
        self.assertEqual(ran.returncode, 70)
        self.assertIn(self.store, ran.stderr)


if __name__ == "__main__":
    main()
