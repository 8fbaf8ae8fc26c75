"""What the end-to-end tests share: a store of their own, and the program on it.

A test is a unittest.TestCase that derives from StoreCase; main(BINARY) of the command line says which program."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PATIENCE = 60  # seconds, against hanging only


class StoreCase(unittest.TestCase):
    binary = ""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepwell_e2e_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {k: v for k, v in os.environ.items() if k != "STEPWELL_STORE"}
        self.environment["HOME"] = str(self.folder)
        self.store = str(self.folder / "store")

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def line(self, arguments, store=None):
        return [self.binary, *arguments, "--store", store or self.store]

    def stepwell(self, *arguments, store=None):
        """Runs a command to its end."""
        return subprocess.run(self.line(arguments, store), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=self.environment, cwd=self.folder, timeout=PATIENCE)

    def must(self, *arguments):
        ran = self.stepwell(*arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def begin(self, *arguments):
        """Begins a command that stays."""
        process = subprocess.Popen(self.line(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def finish(self, process):
        """What it printed, and its exit code."""
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    def show(self, execution):
        return json.loads(self.must("show", execution, "--json"))

    def until(self, what, holds):
        """Waits until something is true."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), deadline, f"still not: {what}")
            time.sleep(0.02)

    def until_status(self, execution, status):
        def has_it():
            ran = self.stepwell("show", execution, "--json")
            return ran.returncode == 0 and json.loads(ran.stdout)["status"] == status

        self.until(f"{execution} is {status}", has_it)


def main():
    StoreCase.binary = sys.argv.pop(1)
    unittest.main()
