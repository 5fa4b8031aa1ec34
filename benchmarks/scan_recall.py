"""Recall of the scan on planted faults: ``python -m benchmarks.scan_recall [EACH]``; one row for each type."""

from __future__ import annotations

import sys

from tests.scan.planted import HELD_OUT, SEEN
from tests.scan.test_recall import recall


def main(each: int) -> None:
    """Prints the table."""
    seen, seen_hit, seen_missed = recall(SEEN, each=each, seed=11)
    held, held_hit, held_missed = recall(HELD_OUT, each=each, seed=12)
    print("| type | seen templates | held-out templates |\n|---|---|---|")
    for kind in sorted(seen):
        print(f"| {kind} | {seen_hit[kind]}/{seen[kind]} | {held_hit[kind]}/{held[kind]} |")
    for form, number in (seen_missed + held_missed).items():
        print(f"missed {number}: {form}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
