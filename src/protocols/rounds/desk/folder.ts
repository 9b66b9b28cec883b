/** The records of a run as a folder of files, and writing them where a person wants them. */
import { dirname, join, relative } from 'node:path';
import { writeOwn } from '../../../io/own-file.ts';
import { errorCode, explainCode, findLinkStatus, findStatus } from '../../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { type RunView, viewOf } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { escapeLoose } from '../../../plain/json-lines.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import type { RoundsConfig } from '../config.ts';
import { formatEvidencePage } from '../records/executed-test.ts';
import { ATTACHMENTS, SOURCES } from '../records/layout.ts';
import type { Folder } from '../records/types.ts';
import { writeFolder } from '../records/write.ts';
import { deriveDeliberation } from '../view/display-state.ts';
import { formatRetrospective, formatRoundPage, formatSynthesisPage } from '../view/report.ts';
import { formatIterationLog } from '../view/summary/iteration-log.ts';

/**
 * Returns the records of a run as files, by path.
 * @throws DeliberateError if the run has no records
 */
export function getRecordsFolder(facts: readonly AnyFact[]): Folder {
  const view = getRoundsView(facts);
  const run = deriveDeliberation(facts, view);
  const { rounds, records } = run;
  return writeFolder({
    records,
    artifacts: rounds.rounds.flatMap(({ artifacts }) =>
      artifacts.map(({ round, role, markdown }) => ({ round, seat: role, text: markdown })),
    ),
    pages: new Map(
      rounds.rounds.map((round) => [round.round, formatRoundPage(round, rounds, view)]),
    ),
    attachments: configOf(view).attachments,
    sources: new Map(rounds.sources.map(({ name, text }) => [name, text])),
    evidence: new Map(
      rounds.rounds.flatMap(({ evidence = [] }) =>
        evidence.map((entry): [string, string] => [entry.path, formatEvidencePage(entry)]),
      ),
    ),
    synthesis: formatSynthesisPage(run),
    retrospective: formatRetrospective(run),
    iterationLog: formatIterationLog(run),
    about: {
      run: view.id,
      started_at: view.startedAt,
      status: view.status,
      rehearsal: view.rehearsal,
      models: Object.fromEntries(view.seats.map(({ id, model }) => [id, model])),
      verifier: configOf(view).verifier,
    },
  });
}

/**
 * Returns the view of a run that keeps records.
 * @throws DeliberateError if the run keeps no records
 */
export function getRoundsView(facts: readonly AnyFact[]): RunView {
  const view = viewOf(facts);
  if (view.seq === 0)
    throw new DeliberateError('no-records', 'the run was never started; it has no records');
  if (view.protocol !== 'rounds')
    throw new DeliberateError(
      'no-records',
      `run ${view.id} is a ${view.protocol}; only rounds keep records`,
    );
  return view;
}

function configOf(view: RunView): RoundsConfig {
  return view.config as RoundsConfig;
}

/**
 * Writes files below the folder `to`. Existing files with other names stay.
 * @throws UsageError before anything is written, if `to` is not a folder, or if a path leads out of
 * it or through a link
 * @throws UsageError if a file cannot be written; files written before it stay
 */
export function writeTree(folder: Folder, to: string): void {
  if (findStatus(to)?.isDirectory() === false)
    throw new UsageError(
      `${to} is not a folder`,
      'Records are a folder of files; name one with --to.',
    );
  for (const path of folder.keys()) {
    // Check every path, although in practice only names of attachments can lead out of the folder, because people
    // choose these names.
    if (relative(to, join(to, path)).startsWith('..'))
      throw new UsageError(`${path} leads out of ${to}`);
    for (let at = dirname(path); at !== '.'; at = dirname(at))
      if (findLinkStatus(join(to, at))?.isSymbolicLink())
        throw new UsageError(`${join(to, at)} is a link`, 'Name another folder with --to.');
  }
  for (const [path, text] of folder)
    try {
      writeOwn(join(to, path), shownAs(path, text));
    } catch (error) {
      throw new UsageError(`${join(to, path)} cannot be written: ${explainCode(errorCode(error))}`);
    }
}

/**
 * Returns a file's text so that a terminal can show it: control characters are escaped in JSON and removed elsewhere.
 * Attachments and tool results are copies and stay unchanged.
 */
function shownAs(path: string, text: string): string {
  if (path.startsWith(ATTACHMENTS) || path.startsWith(SOURCES)) return text;
  return /\.jsonl?$/.test(path) ? escapeLoose(text) : sanitiseText(text);
}
