/**
 * FM-3: the panel no longer answers its question. Either a drift check found this, or late
 * decisions no longer build on early ones, directly or through other decisions. Panels that rarely
 * cite decisions are not suspected.
 */
import { formatCount } from '../../../../text/numbers.ts';
import type { Records } from '../records.ts';
import { judgeDrift } from '../standing/conduct.ts';
import {
  CITING_HABIT,
  LATE_CITING,
  LATE_DECISIONS,
  SMALLEST_BUDGET,
  THIRD,
} from '../thresholds.ts';
import type { Decision } from '../types.ts';
import { type Detector, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/** Detects failure mode 3: the panel no longer answers its question. */
export const detectDrift: Detector = ({ records, rounds }) => {
  const last = records.drifts.at(-1);
  const verdict = last && judgeDrift(last, records);
  const own =
    last?.verdict === verdict ? '' : `, with a deviation of ${last?.deviation_score} of 5`;
  const checked = last && `the drift check of round ${last.round} is ${verdict}${own}`;
  if (checked !== undefined && verdict === 'FAIL') return makeSuspected(checked);
  const judgeByChecks = (why: string) =>
    checked === undefined ? makeUnknown(why) : makeClear(checked);
  if (rounds.length < SMALLEST_BUDGET)
    return judgeByChecks(
      `no drift check yet, and decisions can be compared from round ${SMALLEST_BUDGET}`,
    );
  const early = rounds[Math.floor(rounds.length * THIRD) - 1]?.round ?? 0;
  const late = rounds[rounds.length - Math.ceil(rounds.length * THIRD)]?.round ?? Infinity;
  const since = records.decisions.filter(({ round }) => round >= late);
  const before = records.decisions.filter(({ round }) => round > early && round < late);
  const citing = since.filter(citesDecision).length;
  const habit = before.filter(citesDecision).length / Math.max(1, before.length);
  const custom = Math.min(since.length, before.length) >= LATE_DECISIONS && habit >= CITING_HABIT;
  if (citing < LATE_CITING && !custom)
    return judgeByChecks(
      `no drift check yet, and only ${formatCount(citing, 'late decision')} cite others: it takes ${LATE_CITING}`,
    );
  const rooted = rootedIn(early, records);
  if (since.some(({ id }) => rooted.has(id)))
    return makeClear(
      checked ?? `decisions since round ${late} build on those up to round ${early}`,
    );
  return makeSuspected(
    `no decision since round ${late} builds on one of the first ${early} rounds`,
  );
};

function citesDecision({ cites }: Decision): boolean {
  return cites.some(({ type }) => type === 'decision');
}

/**
 * Returns the ids of the decisions of the early rounds, and of all decisions that lead back to them from citation to
 * citation.
 * @param early the number of the last early round
 */
function rootedIn(early: number, { decisions }: Records): ReadonlySet<string> {
  const citing = new Map<string, string[]>();
  for (const { id, cites } of decisions)
    for (const cited of cites) {
      if (cited.type !== 'decision') continue;
      const others = citing.get(cited.id);
      if (others === undefined) citing.set(cited.id, [id]);
      else others.push(id);
    }
  const queue = decisions.filter(({ round }) => round <= early).map(({ id }) => id);
  const rooted = new Set(queue);
  for (const id of queue)
    for (const next of citing.get(id) ?? [])
      if (!rooted.has(next)) {
        rooted.add(next);
        queue.push(next);
      }
  return rooted;
}
