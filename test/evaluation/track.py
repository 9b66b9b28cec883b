"""Computes a track record from rows of JSON on standard input, with the standard library alone.

It shares no code with the product: brute force over sign patterns, a bootstrap with Python's own
generator, and Brier's parts by their textbook definition. Prints one JSON object per forecaster.
"""
import collections
import itertools
import json
import random
import sys

DRAWS = 6000

rows = json.load(sys.stdin)
result = {}
for name in sorted({row["forecaster"] for row in rows}):
    own = [row for row in rows if row["forecaster"] == name]
    brier = sum((row["probability"] - row["happened"]) ** 2 for row in own) / len(own)
    rate = sum(row["happened"] for row in own) / len(own)
    groups = collections.defaultdict(list)
    for row in own:
        groups[row["probability"]].append(row["happened"])
    reliability = sum(len(g) * (p - sum(g) / len(g)) ** 2 for p, g in groups.items()) / len(own)
    resolution = sum(len(g) * (sum(g) / len(g) - rate) ** 2 for g in groups.values()) / len(own)
    decisions = collections.defaultdict(list)
    for row in own:
        error = (row["probability"] - row["happened"]) ** 2
        panel = (row["panel"] - row["happened"]) ** 2
        decisions[row["decision"]].append(error - panel)
    sums = [sum(d) for d in decisions.values()]
    counts = [len(d) for d in decisions.values()]
    seen = abs(sum(sums)) - 1e-12
    if len(sums) <= 14:
        patterns = list(itertools.product((1, -1), repeat=len(sums)))
        p = sum(abs(sum(s * x for s, x in zip(signs, sums))) >= seen for signs in patterns) / len(patterns)
    else:
        draw = random.Random(5)
        p = sum(abs(sum(x * draw.choice((1, -1)) for x in sums)) >= seen for _ in range(DRAWS)) / DRAWS
    draw = random.Random(7)
    means = []
    for _ in range(DRAWS):
        picked = [draw.randrange(len(sums)) for _ in sums]
        means.append(sum(sums[i] for i in picked) / sum(counts[i] for i in picked))
    means.sort()
    result[name] = {
        "decisions": len(sums),
        "brier": brier,
        "reliability": reliability,
        "resolution": resolution,
        "uncertainty": rate * (1 - rate),
        "mean": sum(sums) / len(own),
        "p": p,
        "percentiles": [means[DRAWS // 40], means[DRAWS - DRAWS // 40]],
    }
print(json.dumps(result))
