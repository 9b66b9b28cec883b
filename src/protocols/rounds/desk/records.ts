/** `validate` and `signals`, of a run or of a folder of records. */

import { lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { findRunOf, runOf } from '../../../app/run-of.ts';
import { openStore } from '../../../app/store.ts';
import { decodeUtf8, findBadByte } from '../../../io/decoding/decode.ts';
import {
  errorCode,
  explainCode,
  findStatus,
  formatSize,
  RefusedFileError,
  readBytes,
} from '../../../io/text-file.ts';
import { viewOf } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { jsonLine } from '../../../plain/json-lines.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import { toLine } from '../../../text/line.ts';
import { splitLines } from '../../../text/lines.ts';
import { formatCount } from '../../../text/numbers.ts';
import { WORTH } from '../../common/voting/votes.ts';
import { roundsOf } from '../fold.ts';
import { getRecordId, parseObject } from '../records/jsonl.ts';
import type { ErrorRule, Problem } from '../records/problem.ts';
import { readFolder } from '../records/read.ts';
import type { Records } from '../records/records.ts';
import { readSignals } from '../records/signals.ts';
import { explainDifference } from '../records/six-signals/differs.ts';
import type { Folder } from '../records/types.ts';
import { validateFolder } from '../records/validate.ts';
import { deriveRecords } from '../view/display-state.ts';
import { formatAllTallies } from '../view/votes.ts';
import { translateSignalReason } from '../view/wording.ts';
import { readVotes } from '../votes/counted-votes.ts';
import { getRecordsFolder, getRoundsView } from './folder.ts';

/** The largest file and the largest folder that are read, in bytes. A thousand rounds need less. */
const LARGEST = 32 * 1024 * 1024;
const LARGEST_IN_ALL = 128 * 1024 * 1024;
/**
 * The most entries of a folder that are visited, in case somebody names a home folder by mistake.
 */
const MOST_ENTRIES = 50_000;

/**
 * Runs the command `deliberate validate`, which checks the records of a run or a folder. Resolves to the exit
 * code: 1 if there are errors, 0 if there are none or only warnings.
 */
export async function validate(call: Invocation): Promise<number> {
  const { folder, unreadable } = folderFrom(call);
  const { ok, errors, warnings } = validateFolder(folder, unreadable);
  if (call.flags.json) call.out.write(jsonLine({ ok, errors, warnings }));
  else {
    for (const [kind, problems] of [
      ['error', errors],
      ['warning', warnings],
    ] as const)
      for (const { file, line: number, id, rule, message } of problems)
        call.out.write(
          `${kind} ${toLine(`${file}${number === 0 ? '' : `:${number}`}${id === '' ? '' : ` ${id}`}: ${message} [${rule}]`)}\n`,
        );
    call.out.write(
      ok && warnings.length === 0
        ? 'No problems found in the records.\n'
        : `${ok ? 'no errors' : formatCount(errors.length, 'error')}, ${formatCount(warnings.length, 'warning')}\n`,
    );
  }
  return ok ? 0 : 1;
}

/**
 * Runs the command `deliberate signals`, which prints the stopping signals and failure modes of a run or of a folder
 * of records. Of a run, it also prints the votes. Resolves to the exit code, which is always 0.
 */
export async function signals(call: Invocation): Promise<number> {
  const { records, facts } = recordsFrom(call);
  const { explain } = call.flags;
  const all = readSignals(records);
  const reading = {
    ...all,
    signals: all.signals.map((signal) => ({
      ...signal,
      ...(explain ? { differs: explainDifference(signal.name, records) } : {}),
    })),
  };
  const rounds = facts === undefined ? undefined : roundsOf(facts);
  if (call.flags.json) {
    // Print the votes only for a run, because a folder of records does not contain votes.
    call.out.write(
      jsonLine({ ...reading, votes: rounds === undefined ? null : readVotes(rounds) }),
    );
    return 0;
  }
  for (const { id, name, state, why, differs: rule } of reading.signals) {
    call.out.write(
      `${id}  ${name.padEnd(18)}  ${state.padEnd(13)}  ${toLine(translateSignalReason(why))}\n`,
    );
    if (rule !== undefined) call.out.write(`   ${rule}\n`);
  }
  call.out.write(`\n${reading.recommendation}: ${toLine(translateSignalReason(reading.why))}\n`);
  if (reading.alarm !== null) call.out.write(`alarm: ${toLine(reading.alarm)}\n`);
  call.out.write('\n');
  for (const { id, name, state, why } of reading.failureModes)
    call.out.write(`${id}  ${name.padEnd(24)}  ${state.padEnd(9)}  ${toLine(why)}\n`);
  if (facts !== undefined && rounds?.rounds.some(({ votes }) => votes.length > 0)) {
    const view = viewOf(facts);
    call.out.write('\n');
    for (const text of formatAllTallies(rounds, (seat) => getSeatTitle(seat, view)))
      call.out.write(`${text}\n`);
    call.out.write(`${WORTH}\n`);
  }
  return 0;
}

interface Tree {
  readonly folder: Folder;
  /** Problems of files that are no text or damaged, and of votes that no seat of the run can have cast. */
  readonly unreadable: readonly Problem<ErrorRule>[];
}

/** Returns the named folder, or the folder to which the named run would be exported. */
function folderFrom(call: Invocation): Tree {
  const tree = treeNamed(call);
  if (tree !== undefined) return tree;
  const facts = factsNamed(call);
  return { folder: getRecordsFolder(facts), unreadable: strangersVotes(facts) };
}

/** Returns problems for votes of seats that the run does not have. Only runs contain votes. */
function strangersVotes(facts: readonly AnyFact[]): Problem<ErrorRule>[] {
  const seats = new Set(getRoundsView(facts).seats.map(({ id }) => id));
  return roundsOf(facts).rounds.flatMap(({ votes }) =>
    votes.flatMap(({ round, ballots }) =>
      ballots.flatMap(({ seat }): Problem<ErrorRule>[] =>
        seats.has(seat)
          ? []
          : [
              {
                file: 'votes',
                line: 0,
                id: '',
                rule: 'unknown-seat',
                message: `a vote of round ${round} is counted for ${seat}, which is no seat of the run`,
              },
            ],
      ),
    ),
  );
}

/**
 * Returns the records of the named folder or run. For a run, the facts also show which rounds were
 * completed.
 */
function recordsFrom(call: Invocation): { records: Records; facts?: readonly AnyFact[] } {
  const tree = treeNamed(call);
  // Refuse a folder with an unreadable file, because signals that are computed without this file would be wrong.
  for (const { file, message } of tree?.unreadable ?? [])
    throw new RefusedFileError(join(runOf(call), file), message);
  if (tree !== undefined) return { records: readFolder(tree.folder).records };
  const facts = factsNamed(call);
  return { records: deriveRecords(getRoundsView(facts), roundsOf(facts)), facts };
}

function treeNamed(call: Invocation): Tree | undefined {
  const ref = runOf(call);
  return findStatus(ref)?.isDirectory() ? readTree(ref) : undefined;
}

function factsNamed(call: Invocation): readonly AnyFact[] {
  const store = openStore(call);
  try {
    return store.facts(findRunOf(call, store, 'rounds'));
  } finally {
    store.close();
  }
}

/**
 * Reads the text files below a folder. Links are not followed.
 * @throws RefusedFileError if the folder has too many entries or too much text to be a folder of records, or if it
 * cannot be read
 */
function readTree(root: string): Tree {
  const folder = new Map<string, string>();
  const unreadable: Problem<ErrorRule>[] = [];
  let entries = 0;
  let bytes = 0;
  const toRelativePath = (path: string): string => relative(root, path).split(sep).join('/');
  const walkFolder = (from: string): void => {
    for (const name of namesIn(from)) {
      const path = join(from, name);
      entries += 1;
      if (entries > MOST_ENTRIES)
        throw new RefusedFileError(
          root,
          `more than ${MOST_ENTRIES} entries; this is not a folder of records`,
        );
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory()) walkFolder(path);
      if (!stat?.isFile() || !/\.(jsonl?|md|txt|ya?ml)$|^attachments\//.test(toRelativePath(path)))
        continue;
      const content = readBytes(path, { most: LARGEST, links: false });
      if (content === undefined) continue;
      bytes += stat.size;
      if (bytes > LARGEST_IN_ALL)
        throw new RefusedFileError(
          root,
          `more than ${formatSize(LARGEST_IN_ALL)} of text, the limit`,
        );
      folder.set(toRelativePath(path), decodeFile(toRelativePath(path), content, unreadable));
    }
  };
  try {
    walkFolder(root);
  } catch (error) {
    if (error instanceof RefusedFileError) throw error;
    const { path = root } = error as NodeJS.ErrnoException;
    throw new RefusedFileError(path, explainCode(errorCode(error)));
  }
  return { folder, unreadable };
}

/**
 * Decodes a file. A file that contains a zero byte is no text: it is reported and counts as empty. A file with invalid
 * bytes is reported, and the replacement character takes their place.
 */
function decodeFile(file: string, bytes: Uint8Array, unreadable: Problem<ErrorRule>[]): string {
  const bad = findBadByte(bytes);
  // A byte order mark is kept, because the validator reports it.
  const mended = bytes.includes(0)
    ? ''
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (bad === undefined && !bytes.includes(0)) return mended;
  try {
    return decodeUtf8(file, bytes);
  } catch (error) {
    if (!(error instanceof RefusedFileError)) throw error;
    const line = mended === '' ? 0 : linesBefore(bytes.subarray(0, bad)) + 1;
    const id = file.endsWith('.jsonl')
      ? getRecordId(parseObject(splitLines(mended)[line - 1] ?? ''))
      : '';
    unreadable.push({ file, line, id, rule: 'not-utf8', message: error.why });
    return mended;
  }
}

function linesBefore(bytes: Uint8Array): number {
  return new TextDecoder().decode(bytes).split(/\r\n?|\n/).length - 1;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw new RefusedFileError(folder, explainCode(errorCode(error)));
  }
}
