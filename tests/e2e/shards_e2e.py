#!/usr/bin/python3
"""Stores with several shards: executions of different shards call, start and wait for each other."""

import json

from harness import StoreCase, main

CHILD = """metadata: {name: child}
workload: {n: 0}
workflow:
  - {step: w, tool: {kind: lua, script: "return args.n * 2", args: {n: "{{ workload.n }}"}}}
output: "{{ w.output }}"
"""

PARENT = """metadata: {name: parent}
workflow:
  - {step: go, type: wait, signal: go, next: each}
  - step: each
    type: call
    playbook: child
    loop: {in: "{{ range(12) | list }}", iterator: n, mode: parallel}
    input: {n: "{{ iter.n }}"}
    next: late
  - {step: late, type: continue_with, playbook: child, input: {n: 21}}
output: {doubled: "{{ each.output.results }}", late: "{{ late.output.execution }}"}
"""


class Shards(StoreCase):
    def test_calls_and_signals_cross_shards(self):
        for number in ("2", "3"):
            with self.subTest(shards=number):
                self.environment["STEPWELL_SHARDS"] = number
                self.store = str(self.folder / number)
                self.must("register", self.file("child.yaml", CHILD))
                parent = self.file("parent.yaml", PARENT)
                for i in range(4):
                    self.assertEqual(self.stepwell("run", parent, "--id", f"e{i}", "--quiet").returncode, 4)
                # The number is the store's: whoever opens it need not know.
                del self.environment["STEPWELL_SHARDS"]
                for i in range(4):
                    self.must("signal", f"e{i}", "go")
                    output = json.loads(self.must("resume", f"e{i}", "--quiet"))
                    self.assertEqual(output["doubled"], [2 * n for n in range(12)])
                    self.assertEqual(json.loads(self.must("resume", output["late"], "--quiet")), 42)
                self.must("verify")
                self.must("replay", "--verify")
                self.must("rebuild")
                self.assertEqual(len(json.loads(self.must("ls", "--json"))), 4 + 4 * 13)

    def test_the_number_is_fixed_when_a_store_is_made(self):
        self.environment["STEPWELL_SHARDS"] = "2"
        self.must("register", self.file("child.yaml", CHILD))
        self.environment["STEPWELL_SHARDS"] = "3"
        refused = self.stepwell("ls")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("the store has 2 shards, not 3: their number is fixed when a store is made", refused.stderr)
        self.environment["STEPWELL_SHARDS"] = "many"
        self.assertIn("STEPWELL_SHARDS is a number from 1 to 1024, not 'many'", self.stepwell("ls").stderr)


if __name__ == "__main__":
    main()
