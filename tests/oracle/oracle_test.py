#!/usr/bin/python3
"""The oracle's own tests: its corpus can be read, its list of differences is documented, its parts do what they say."""

import re
import unittest
from pathlib import Path

from compare import same_answer
from corpus import read_corpus, read_lines
from differences import DIFFERENCES, TAUGHT
from generate import make_case
from oracle import answer
from shrink import shrunk

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "expressions-differences.md"


class OracleTest(unittest.TestCase):
    def test_the_document_lists_the_same_differences(self):
        documented = re.findall(r"^\| `([a-z0-9-]+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(documented, [entry.name for entry in (*TAUGHT, *DIFFERENCES)])

    def test_the_corpus_repeats_nothing(self):
        first = {}
        repeats = [name for name, case in read_corpus().items() if first.setdefault(repr(case), name) != name]
        self.assertEqual(repeats, [])
        self.assertGreater(len(first), 1200)

    def test_a_line_is_a_case_in_the_context_above_it(self):
        lines = ["# note", 'with {"x": 1}', "x + 1", "> a⏎", "with", "2"]
        self.assertEqual(list(read_lines(lines, {})), [
            (3, {"expr": "x + 1", "context": {"x": 1}}), (4, {"template": "a\n", "context": {"x": 1}}),
            (6, {"expr": "2", "context": {}})])

    def test_numbers_compare_strictly(self):
        self.assertTrue(same_answer({"value": [1, {"a": 0.5}]}, {"value": [1, {"a": 0.5}]}))
        self.assertFalse(same_answer({"value": 1}, {"value": 1.0}))
        self.assertFalse(same_answer({"value": 0.0}, {"value": -0.0}))
        self.assertFalse(same_answer({"value": True}, {"value": 1}))
        self.assertFalse(same_answer({"value": {"a": 1, "b": 2}}, {"value": {"b": 2, "a": 1}}))
        self.assertFalse(same_answer({"value": None}, {"error": {"code": "type"}}))

    def test_the_oracle_knows_our_values(self):
        self.assertEqual(answer({"expr": "{'bb': 1, 'a': (2,)}"}), {"value": {"a": [2], "bb": 1}})
        self.assertEqual(answer({"expr": "9223372036854775807 + 1"})["error"]["code"], "OverflowError")
        self.assertEqual(answer({"expr": "x.items", "context": {"x": {"items": 3}}}), {"value": 3})
        self.assertEqual(answer({"template": " {{ [1] }} "}), {"value": [1]})

    def test_a_generated_case_can_be_made_again(self):
        self.assertEqual(make_case(7, 11), make_case("7", "11"))

    def test_shrinking_keeps_the_failure(self):
        def failing(cases):
            return [case for case in cases if "bad" in case["expr"]]

        case = {"expr": "1 + (bad | x) - [2]", "context": {"a": 1}}
        self.assertEqual(shrunk(case, failing), {"expr": "bad", "context": {}})


if __name__ == "__main__":
    unittest.main()
