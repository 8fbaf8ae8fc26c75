"""A minute at load: memory and descriptors stay flat. Latency is printed, and decides nothing here: the machine may be
busy with other tests."""

import json
import subprocess

from harness import PATIENCE, StoreCase, main


class Soak(StoreCase):
    def test_a_minute_is_flat(self):
        ran = subprocess.run([self.binary, "bench", "soak", "--minutes", "1", "--json", "--dir", str(self.folder)],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment,
                             timeout=60 + 6 * PATIENCE)
        print(ran.stdout)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        *samples, result = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual(len(samples), 60)
        self.assertTrue(result["met"])
        self.assertGreater(result["executions"], 0)


if __name__ == "__main__":
    main()
