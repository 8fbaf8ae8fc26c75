#!/usr/bin/python3
"""What the tool `artifact` keeps: across steps, restarts, copies and sweeps."""

import json
import sqlite3

from harness import StoreCase, main

# The step that puts fails afterwards, so that no record names what it has put: only its row does.
KEEPS = """metadata: {name: keeps}
workflow:
  - step: keep
    tool:
      - put: {kind: artifact, action: put, name: report, type: letter, value: {lines: [one, two]}}
      - fail: {kind: shell, cmd: "exit 1"}
    next: [{step: hold, on: failed}]
  - {step: hold, type: wait, signal: go, next: find}
  - {step: find, tool: {kind: artifact, action: get, name: report}, next: use}
  - {step: use, tool: {kind: lua, script: "return args.letter", args: {letter: "{{ find.output }}"}}}
output: {reference: "{{ find.output }}", type: "{{ find.output.type }}", content: "{{ use.output }}"}
"""

TWICE = """metadata: {name: twice}
workflow:
  - {step: first, tool: {kind: artifact, action: put, name: a, value: one}, next: again}
  - {step: again, tool: {kind: artifact, action: put, name: a, value: one}, next: second}
  - {step: second, tool: {kind: artifact, action: put, name: a, value: two}, next: find}
  - {step: find, tool: {kind: artifact, action: get, name: a}}
output:
  first: "{{ first.output }}"
  again: "{{ again.output }}"
  second: "{{ second.output }}"
  found: "{{ find.output }}"
"""

FAMILY = """metadata: {name: family}
workflow:
  - {step: keep, tool: {kind: artifact, action: put, name: will, value: everything}, next: heir}
  - {step: heir, type: call, playbook: child, inherit_artifacts: true, next: stranger}
  - {step: stranger, type: call, playbook: child, on_failure: catch}
output: {heir: "{{ heir.output }}", stranger: "{{ stranger.child.error.message }}"}
"""

CHILD = """metadata: {name: child}
workflow:
  - {step: find, tool: {kind: artifact, action: get, name: will}, next: own}
  - {step: own, tool: {kind: artifact, action: put, name: will, value: nothing}, next: look}
  - {step: look, tool: {kind: artifact, action: get, name: will}, next: use}
  - {step: use, tool: {kind: shell, cmd: [printf, "%s, then %s", "{{ find.output }}", "{{ look.output }}"]}}
output: "{{ use.output.stdout }}"
"""

TYPED = """metadata: {name: typed}
workload: {value: {}}
workflow:
  - {step: keep, tool: {kind: artifact, action: put, name: bill, type: invoice, value: "{{ workload.value }}"}, next: find}
  - {step: find, tool: {kind: artifact, action: get, name: bill, type: invoice}, next: other}
  - {step: other, tool: {kind: artifact, action: get, name: bill, type: receipt}}
"""


class Artifacts(StoreCase):
    def test_what_was_put_outlives_the_step_the_process_and_a_sweep(self):
        self.assertEqual(self.stepwell("run", self.file("keeps.yaml", KEEPS), "--id", "e1").returncode, 4)
        with sqlite3.connect(self.store + "/stepwell.db") as database:
            self.assertGreater(database.execute("update blobs set put_at = 0").rowcount, 0)
        database.close()
        self.assertEqual(self.must("gc"), "0 blobs deleted, 0 bytes\n")
        self.must("verify")
        self.must("backup", "copy")
        for store in (self.store, str(self.folder / "copy")):
            self.assertEqual(self.stepwell("signal", "e1", "go", store=store).returncode, 0)
            ended = self.stepwell("resume", "e1", "--quiet", store=store)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            output = json.loads(ended.stdout)
            self.assertEqual(output["content"], {"lines": ["one", "two"]})
            self.assertEqual(output["type"], "letter")
            self.assertEqual(sorted(output["reference"]), ["$ref", "size", "type"])

    def test_content_that_is_gone_is_found_by_verify(self):
        self.stepwell("run", self.file("keeps.yaml", KEEPS), "--id", "e1")
        with sqlite3.connect(self.store + "/stepwell.db") as database:
            database.execute("delete from blobs")
        database.close()
        verified = self.stepwell("verify")
        self.assertNotEqual(verified.returncode, 0)
        self.assertIn("artifact 'report' of e1: its content", verified.stdout + verified.stderr)

    def test_the_same_has_the_same_reference_and_the_latest_is_found(self):
        output = json.loads(self.must("run", self.file("twice.yaml", TWICE), "--quiet"))
        self.assertEqual(output["first"], output["again"])
        self.assertNotEqual(output["first"], output["second"])
        self.assertEqual(output["found"], output["second"])

    def test_a_child_reads_those_of_its_caller_if_the_call_says_so(self):
        self.must("register", self.file("child.yaml", CHILD))
        self.assertEqual(json.loads(self.must("run", self.file("family.yaml", FAMILY), "--quiet")),
                         {"heir": "everything, then nothing",
                          "stranger": "this execution has put no artifact 'will' yet"})

    def test_a_registered_type_is_kept_to(self):
        self.must("register", self.file("invoice.yaml", "apiVersion: stepwell/v1\nkind: ArtifactType\n"
                                        "metadata: {name: invoice}\nschema: {type: object, required: [total]}\n"))
        typed = self.file("typed.yaml", TYPED)
        self.assertIn("the artifact 'bill' does not fit the type 'invoice': ", self.stepwell("run", typed).stderr)
        other = self.stepwell("run", typed, "-i", 'value={"total": 3}')
        self.assertIn("the artifact 'bill' is of the type 'invoice', not 'receipt'", other.stderr)


if __name__ == "__main__":
    main()
