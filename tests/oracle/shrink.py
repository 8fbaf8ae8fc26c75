"""Makes a failing case smaller by leaving out pieces, as long as it still fails."""

from pieces import pieces_of


def shrunk(case, failing, rounds=12):
    """`failing(cases)` answers those that still fail. A round tries all pieces of all lengths in one batch."""
    kind = "expr" if "expr" in case else "template"
    for _ in range(rounds):
        smaller = failing([{**case, kind: source} for source in shorter(case[kind])]) or failing(fewer_names(case))
        if not smaller:
            break
        case = min(smaller, key=lambda candidate: (len(candidate[kind]), len(candidate["context"])))
    return case


def shorter(source):
    pieces = pieces_of(source)
    seen = set()
    for length in (1, 2, 3, 4, 5, 6, 8, 10, 15, 25):
        for start in range(len(pieces) - length + 1):
            candidate = "".join(pieces[:start] + pieces[start + length:])
            if candidate.strip() and candidate not in seen:
                seen.add(candidate)
                yield candidate


def fewer_names(case):
    names = case.get("context", {})
    return [{**case, "context": {k: v for k, v in names.items() if k != name}} for name in names]
