/**
 * The iteration log, for people who hold the next deliberation: how reader, verifier and stress
 * rounds turned out, and what people noted.
 */
import { iterationBullets } from '../../../../plain/iteration-log.ts';
import { toLine } from '../../../../text/line.ts';
import { formatCount } from '../../../../text/numbers.ts';
import { deriveAbsence } from '../absence.ts';
import type { Deliberation } from '../display-state.ts';
import { formatBullets, STRESS_RESULT_WORDS } from '../report.ts';
import { describeControls, describeReader } from './reader.ts';

/**
 * Formats the iteration log of a deliberation as Markdown: how reader, verifier and stress rounds
 * turned out, and what people noted.
 */
export function formatIterationLog(run: Deliberation): string {
  return [
    '# Iteration log',
    '## What calibration revealed',
    formatBullets(calibrationOf(run)),
    '## What people noted',
    iterationBullets(run.view) || 'None. A line is added with: deliberate note RUN "…"',
  ].join('\n\n');
}

/**
 * Describes how the reader, the verifier, responses and stress rounds turned out, one sentence
 * each.
 */
function calibrationOf(run: Deliberation): string[] {
  const { rounds, signals } = run;
  const controls = describeControls(run.records);
  const verdicts = rounds.rounds.flatMap(({ verifications }) => verifications);
  const degraded = verdicts.filter((verdict) => verdict.degraded !== undefined).length;
  const suspected = signals.failureModes.filter(({ state }) => state === 'suspected');
  return [
    describeReader(run),
    ...(controls === undefined ? [] : [controls]),
    `${degraded} of ${formatCount(verdicts.length, 'verdict')} could not stand on what the verifier cited.`,
    ...rounds.rounds.flatMap(({ round, absent, predicted = [], compared }) => {
      if (absent === undefined) return [];
      if (compared === undefined) return [`Round ${round} without ${absent}: not compared.`];
      const happened = compared.observed.filter(
        (observation) => observation.happened !== 'no',
      ).length;
      const shown = STRESS_RESULT_WORDS[deriveAbsence(compared, predicted)].role;
      return [
        `Round ${round} without ${absent}: ${happened} of ${formatCount(predicted.length, 'predicted effect')} seen; the role ${shown}.`,
      ];
    }),
    ...rounds.rounds.flatMap(({ round, responses }) =>
      responses.map(
        ({ id, response }) => `From round ${round} on, in answer to ${id}: ${response}`,
      ),
    ),
    ...suspected.map(
      ({ id, name, why }) => `At the end ${id} (${name}) was suspected: ${toLine(why)}`,
    ),
  ];
}
