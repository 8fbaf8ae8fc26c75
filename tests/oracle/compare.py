#!/usr/bin/python3
"""Evaluates the corpus and generated cases with our program and with Jinja2, and compares the answers.

    compare.py --binary build/dev/stepwell                       everything
    compare.py --binary build/dev/stepwell --only slices.txt:12  one case of the corpus
    compare.py --binary build/dev/stepwell --only 99:17          case 17 of seed 99
    compare.py --binary build/dev/stepwell --case '{"expr": "1 + 1"}'
"""

import argparse
import json
import random
import subprocess
import sys
import warnings
from collections import Counter

from corpus import read_corpus
from differences import DIFFERENCES
from generate import make_case, make_cases
from oracle import answer
from shrink import shrunk

LEAST_COMPARED = 2500
MOST_DELIBERATE = 0.01
MOST_SHRUNK = 5


def same_value(a, b):
    """Equal in type and value: 1 is not 1.0, 0.0 is not -0.0, and members come in the same order."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(map(same_value, a.values(), b.values()))
    return repr(a) == repr(b)


def same_answer(expected, got):
    if "crash" in got:
        return False
    if "error" in expected or "error" in got:
        return "error" in expected and "error" in got
    return same_value(json.loads(json.dumps(expected["value"])), got["value"])


def kind_of(an_answer):
    return "crash" if "crash" in an_answer else an_answer.get("error", {}).get("code", "value")


def verdict(case, expected, got):
    """"equal", "mismatch", or the name of the deliberate difference."""
    if same_answer(expected, got):
        return "equal"
    for difference in DIFFERENCES:
        if difference.excuses(case, expected, got):
            return difference.name
    return "mismatch"


class Program:
    """Our side: one run of the binary answers many cases."""

    def __init__(self, binary):
        self.command = [binary, "eval", "--batch"]

    def answers(self, cases):
        """One answer a case. A case that ends the program is {"crash": exit code}, and the program starts again."""
        answers = []
        while len(answers) < len(cases):
            lines = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases[len(answers):])
            run = subprocess.run(self.command, input=lines.encode(), stdout=subprocess.PIPE, timeout=300, check=False)
            answers += [json.loads(line) for line in run.stdout.decode().split("\n")[:-1]]
            if len(answers) < len(cases):
                answers.append({"crash": run.returncode})
        return answers

    def mismatches_like(self, expected, got):
        """A function that picks the cases that differ, and in the same way as these two answers."""

        def picked(cases):
            found = []
            for case, ours in zip(cases, self.answers(cases)):
                theirs = answer(case)
                if (kind_of(theirs), kind_of(ours)) == (kind_of(expected), kind_of(got)):
                    if verdict(case, theirs, ours) == "mismatch":
                        found.append(case)
            return found

        return picked


def show_mismatch(name, case, expected, got):
    print(f"\nmismatch {name}")
    for word, thing in (("case", case), ("jinja2", expected), ("ours", got)):
        print(f"  {word:7}{json.dumps(thing, ensure_ascii=False)}")
    print(f"  again  compare.py --binary BINARY --only {name}")


def selected_cases(options):
    if options.case:
        return {"given": json.loads(options.case)}
    corpus = read_corpus()
    if options.only:
        return {options.only: corpus[options.only] if options.only in corpus else make_case(*options.only.split(":"))}
    return {**corpus, **make_cases(options.seed, options.generated)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--generated", type=int, default=2000, help="how many generated cases")
    parser.add_argument("--only", help="one case by its name")
    parser.add_argument("--case", help="one case as JSON")
    options = parser.parse_args()
    warnings.simplefilter("ignore", SyntaxWarning)  # Python warns about `1[0]`, which we compare on purpose

    cases = selected_cases(options)
    everything = not (options.only or options.case)
    if everything:
        print(f"seed {options.seed}: give it back with --seed")
    program = Program(options.binary)
    verdicts = Counter()
    for (name, case), got in zip(cases.items(), program.answers(list(cases.values()))):
        expected = answer(case)
        outcome = verdict(case, expected, got)
        verdicts[outcome] += 1
        if outcome == "mismatch":
            show_mismatch(name, case, expected, got)
            if verdicts["mismatch"] <= MOST_SHRUNK:
                smaller = shrunk(case, program.mismatches_like(expected, got))
                print(f"  small  {json.dumps(smaller, ensure_ascii=False)}")
        elif not everything:
            print(f"{outcome}: {json.dumps(expected, ensure_ascii=False)} and {json.dumps(got, ensure_ascii=False)}")
    return summary(verdicts, everything)


def summary(verdicts, everything):
    compared, equal, wrong = verdicts.total(), verdicts.pop("equal", 0), verdicts.pop("mismatch", 0)
    deliberate = verdicts.total()
    for name, count in sorted(verdicts.items()):
        print(f"  {count} {name}")
    print(f"{compared} compared, {equal} equal, {deliberate} deliberate differences, {wrong} mismatches")
    if everything and compared < LEAST_COMPARED:
        print(f"too few: at least {LEAST_COMPARED} cases must be compared")
        return 1
    if everything and deliberate > MOST_DELIBERATE * compared:
        print(f"too many deliberate differences: at most {MOST_DELIBERATE:.0%}")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
