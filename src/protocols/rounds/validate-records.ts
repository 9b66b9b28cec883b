/**
 * Validates the records of a round before decisions are made, with the validator that people use
 * for folders. An error means that this program broke a rule, and the round ends.
 */
import { fact } from './facts.ts';
import { formatEvidencePage } from './records/executed-test.ts';
import { convertToRecords } from './records/of-run.ts';
import { validateFolder } from './records/validate.ts';
import { writeFolder } from './records/write.ts';
import type { RoundsRun } from './rounds-run.ts';

/** The most errors that the message lists. */
const MOST_TOLD = 8;

/**
 * Checks the records of a running deliberation. Returns why the round must end, or undefined if
 * there is no error.
 */
export async function validateRecords(
  roundsRun: RoundsRun,
  round: number,
): Promise<string | undefined> {
  const { rounds, sources } = roundsRun.view;
  const { attachments } = roundsRun.settings;
  const folder = writeFolder({
    records: convertToRecords(roundsRun.view, roundsRun.plan),
    artifacts: rounds.flatMap(({ artifacts }) =>
      artifacts.map((artifact) => ({
        round: artifact.round,
        seat: artifact.role,
        text: artifact.markdown,
      })),
    ),
    pages: new Map(),
    attachments,
    sources: new Map(sources.map(({ name, text }) => [name, text])),
    evidence: new Map(
      rounds.flatMap(({ evidence = [] }) =>
        evidence.map((entry): [string, string] => [entry.path, formatEvidencePage(entry)]),
      ),
    ),
  });
  const { errors, warnings } = validateFolder(folder);
  const told = errors
    .slice(0, MOST_TOLD)
    .map(({ file, id, message }) => `${file} ${id}: ${message}`);
  await roundsRun.record(`round-${round}/F/records`, [
    fact('records.checked', { round, errors: told, warnings: warnings.length }),
  ]);
  return told.length === 0
    ? undefined
    : `in round ${round} the records do not hold together: ${told[0]}`;
}
