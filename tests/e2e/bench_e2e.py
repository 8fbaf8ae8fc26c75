"""`stepwell bench` runs every workload, and nothing is lost in any. How fast it is, is not decided here."""

import json
import signal
import subprocess

from harness import PATIENCE, StoreCase, main

FIELDS = {"workload", "steps", "seconds", "steps_per_second", "p50_ms", "p99_ms", "cpu_seconds", "bytes_per_step",
          "reached", "floor", "ratio", "goal", "met"}


class Bench(StoreCase):
    def bench(self, *arguments, patience=PATIENCE):
        return subprocess.run([self.binary, "bench", "--dir", str(self.folder), *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=self.environment, timeout=patience)

    def test_every_workload_has_a_line(self):
        ran = self.bench("--quick", "--json", patience=4 * PATIENCE)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        lines = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual([line["workload"] for line in lines],
                         ["sequence-1", "sequence-64", "sequence-1024", "bytes", "fan-out-1000", "fan-out-100000",
                          "timers", "sleepers", "signal", "start-up", "crash"])
        for line in lines:
            self.assertLessEqual(FIELDS, line.keys())
            self.assertGreater(line["reached"]["value"], 0, line)
            self.assertIn(line["met"], (True, False))
        crash = lines[-1]
        self.assertGreater(crash["accepted"], 0)
        self.assertEqual(list(self.folder.iterdir()), [], "the stores are gone")

    def test_control_c_ends_it_and_leaves_nothing_behind(self):
        process = subprocess.Popen([self.binary, "bench", "sequence-1024", "--dir", str(self.folder)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self.environment)
        self.addCleanup(self.end, process)
        self.until("a store is measured", lambda: list(self.folder.glob("*/*/stepwell.db")))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted", err)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    main()
