"""Works the figures of an evaluation out again, from its log alone, with nothing of ours.

    python3 recompute.py OUTCOMES.jsonl PANEL AGAINST > figures.json

Written from docs/evaluation.md and with other means than the program: fractions for the test of flipped
signs, drawn resamples for the bootstrap, whole binomial coefficients for exact intervals.
"""

import json
import random
import sys
from collections import defaultdict
from fractions import Fraction
from math import comb

CONFIDENCE = 0.95
RESAMPLES = 4_000


def mean(values):
    return sum(values, Fraction(0)) / len(values)


def at_least(count, of, share):
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(count, of + 1))


def at_most(count, of, share):
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(0, count + 1))


def solve(is_above):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return high


def exact(count, of):
    rest = (1 - CONFIDENCE) / 2
    low = 0.0 if count == 0 else solve(lambda p: at_least(count, of, p) >= rest)
    high = 1.0 if count == of else solve(lambda p: at_most(count, of, p) <= rest)
    return [low, high]


def share(count, of):
    return {"count": count, "of": of, "interval": exact(count, of) if of else [0.0, 1.0]}


def is_right(row):
    return row["state"] == "answered" and row["isRight"]


def score(rows, right=is_right):
    """Of one unit once: right or wrong; of a memo, found minus the share of false alarms."""
    if all("variant" not in row for row in rows):
        return mean([Fraction(int(right(row))) for row in rows])
    flaw = [Fraction(int(right(row))) for row in rows if row["variant"] == "flaw"]
    alarms = [Fraction(int(not right(row))) for row in rows if row["variant"] != "flaw"]
    return mean(flaw) - mean(alarms) if flaw and alarms else None


def by_cell(rows):
    cells = defaultdict(lambda: defaultdict(list))
    for row in rows:
        cells[row["unit"]][row["seed"]].append(row)
    return cells


def cell_score(rows, dropped):
    if not rows or any(row["state"] in dropped for row in rows):
        return None
    return score(rows)


def unit_scores(cells, dropped):
    found = []
    for seeds in cells.values():
        values = [cell_score(rows, dropped) for rows in seeds.values()]
        values = [value for value in values if value is not None]
        if values:
            found.append(mean(values))
    return found


def differences(one, other, dropped):
    found = []
    for unit, seeds in one.items():
        pairs = []
        for seed, rows in seeds.items():
            mine = cell_score(rows, dropped)
            its = cell_score(other.get(unit, {}).get(seed, []), dropped)
            if mine is not None and its is not None:
                pairs.append(mine - its)
        if pairs:
            found.append(mean(pairs))
    return found


def flipped_signs(values):
    """Every way to give signs to the units, counted."""
    ways = {Fraction(0): 1}
    for value in values:
        if value == 0:
            continue
        following = defaultdict(int)
        for sum_so_far, count in ways.items():
            following[sum_so_far + value] += count
            following[sum_so_far - value] += count
        ways = following
    seen = abs(sum(values, Fraction(0)))
    far = sum(count for total, count in ways.items() if abs(total) >= seen)
    return float(Fraction(far, sum(ways.values())))


def bootstrap(values):
    draw = random.Random(20261123)
    as_floats = [float(value) for value in values]
    means = sorted(
        sum(draw.choices(as_floats, k=len(as_floats))) / len(as_floats) for _ in range(RESAMPLES)
    )
    rest = (1 - CONFIDENCE) / 2
    return [means[int(RESAMPLES * rest)], means[int(RESAMPLES * (1 - rest))]]


def difference(values):
    return {
        "units": len(values),
        "mean": float(mean(values)),
        "better": sum(value > 0 for value in values),
        "worse": sum(value < 0 for value in values),
        "p": flipped_signs(values),
        "interval": bootstrap(values),
    }


def vote(row):
    counts = defaultdict(int)
    for one in row["votes"]:
        if one["answer"] is not None:
            counts[one["answer"]] += 1
    most = max(counts.values(), default=0)
    answer = next((answer for answer, count in counts.items() if count == most), None)
    right = any(one["isRight"] for one in row["votes"] if one["answer"] == answer is not None)
    some = any(one["isRight"] for one in row["votes"] if one["answer"] is not None)
    return answer, right, some, most == len(row["votes"])


def flips(cells):
    first = [seeds[min(seeds)] for seeds in cells.values()]
    items, flipped, net, units = [], 0, [], 0
    for rows in first:
        argued = [(row, vote(row)) for row in rows if row["state"] == "answered" and row.get("votes")]
        argued = [one for one in argued if one[1][0] is not None]
        if not argued:
            continue
        units += 1
        items += argued
        flipped += any(
            row["answer"] != answer and not (is_right(row) and right)
            for row, (answer, right, _, _) in argued
        )
        before = {row["item"]: right for row, (_, right, _, _) in argued}
        own = [row for row, _ in argued]
        after = score(own)
        if after is not None:
            net.append(after - score(own, lambda row: before[row["item"]]))
    if not items:
        return None
    majorities = [row for row, (_, right, _, _) in items if right]
    minorities = [row for row, (_, right, some, _) in items if some and not right]
    nobody = [row for row, (_, _, some, _) in items if not some]
    unanimous = [right for _, (_, right, _, agreed) in items if agreed]
    return {
        "flipped": share(flipped, units),
        "atMost": 1.0 if flipped == units else solve(lambda p: at_most(flipped, units, p) <= 0.05),
        "rescued": share(sum(map(is_right, minorities)), len(minorities)),
        "spoiled": share(sum(not is_right(row) for row in majorities), len(majorities)),
        "found": share(sum(map(is_right, nobody)), len(nobody)),
        "unanimousWrong": share(sum(not right for right in unanimous), len(unanimous)),
        "net": difference(net),
    }


def calibration(cells):
    said = []
    for seeds in cells.values():
        own = [
            (Fraction(str(row["confidence"])), int(is_right(row)))
            for rows in seeds.values()
            for row in rows
            if row["state"] == "answered" and "confidence" in row
        ]
        if own:
            said.append(own)
    if not said:
        return None
    right = mean([mean([Fraction(is_so) for _, is_so in own]) for own in said])
    brier = mean([mean([(how - is_so) ** 2 for how, is_so in own]) for own in said])
    base = right * (1 - right)
    return {
        "units": len(said),
        "brier": float(brier),
        "base": float(base),
        "skill": float(1 - brier / base) if base else None,
    }


def total(rows, of):
    return None if any(row[of] is None for row in rows) else sum(row[of] for row in rows)


def arm(rows):
    cells = by_cell(rows)
    values = unit_scores(cells, {"missing"})
    is_share = all("variant" not in row for row in rows) and all(value in (0, 1) for value in values)
    return {
        "units": len(values),
        "score": float(mean(values)),
        "isExact": is_share,
        "interval": exact(int(sum(values)), len(values)) if is_share else bootstrap(values),
        "unreadable": sum(row["state"] == "unreadable" for row in rows),
        "missing": sum(row["state"] == "missing" for row in rows),
        "repaired": sum(row["isRepaired"] for row in rows),
        "usd": total(rows, "costUsd"),
        "tokens": total(rows, "tokens"),
        "flips": flips(cells),
        "calibration": calibration(cells),
    }


def main(path, panel, against):
    with open(path, encoding="utf-8") as log:
        rows = [json.loads(row) for row in log if row.strip()]
    arms = sorted({row["arm"] for row in rows})
    of = {name: [row for row in rows if row["arm"] == name] for name in arms}
    one, other = by_cell(of[panel]), by_cell(of[against])
    paired = {(unit, seed) for unit in one for seed in one[unit] if seed in other.get(unit, {})}
    taken = lambda name, figure: sum(
        row[figure] for row in of[name] if (row["unit"], row["seed"]) in paired
    )
    print(
        json.dumps(
            {
                "arms": {name: arm(of[name]) for name in arms},
                "readings": [
                    difference(differences(one, other, dropped))
                    for dropped in ({"missing"}, {"missing", "unreadable"}, set())
                ],
                "ratios": {
                    name: taken(panel, figure) / taken(against, figure)
                    for name, figure in (("usd", "costUsd"), ("tokens", "tokens"))
                },
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
