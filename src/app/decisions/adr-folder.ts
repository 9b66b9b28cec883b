/** Writes records into a folder of architecture decision records, and marks the ones that they supersede. */
import { linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../io/folders.ts';
import { writeShared } from '../../io/own-file.ts';
import { findStatus, readTextFile } from '../../io/text-file.ts';
import { UsageError } from '../../kernel/errors.ts';
import { toLine } from '../../text/line.ts';
import { slugOf } from '../../text/slug.ts';

/** Matches the file name of a record: a number, a hyphen and anything, such as `0007-use-a-queue.md`. */
const RECORD = /^(\d{1,6})-.+\.md$/i;
/** The fewest digits of a new record's number. */
const DIGITS = 4;
/** The largest record that is read, in bytes. */
const LARGEST = 4 * 1024 * 1024;
/** The most characters of a title in a file name. In any script they fit into 255 bytes. */
const LONGEST_SLUG = 60;

interface AdrFile {
  readonly number: number;
  readonly digits: number;
  readonly name: string;
}

/**
 * Returns the records of a folder; empty if there is no such folder. @throws UsageError if the folder cannot
 * be read
 */
function recordsIn(folder: string): AdrFile[] {
  const there = findStatus(folder);
  if (there === undefined) return [];
  if (!there.isDirectory())
    throw new UsageError(`${toLine(folder)} is not a folder`, 'Name a folder with --to.');
  try {
    return readdirSync(folder)
      .flatMap((name): AdrFile[] => {
        const digits = RECORD.exec(name)?.[1];
        return digits === undefined
          ? []
          : [{ number: Number(digits), digits: digits.length, name }];
      })
      .sort((left, right) => left.number - right.number || (left.name < right.name ? -1 : 1));
  } catch (error) {
    throw new UsageError(
      `${toLine(folder)} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Returns the file name of the next record, numbered one above the highest. Gaps and duplicates are kept. */
function nextName(records: readonly AdrFile[], title: string): string {
  const last = records.at(-1);
  const digits = Math.max(DIGITS, ...records.map((record) => record.digits));
  const number = String((last?.number ?? 0) + 1).padStart(digits, '0');
  const letters = [...slugOf(title)];
  const start = letters.slice(0, LONGEST_SLUG).join('');
  // Cut a long title after a whole word, unless its first word alone is too long.
  const isCut =
    letters.length > LONGEST_SLUG && letters[LONGEST_SLUG] !== '-' && start.includes('-');
  const slug = (isCut ? start.slice(0, start.lastIndexOf('-')) : start).replace(/-+$/, '');
  // A title without letters and digits yields no usable slug, so use `decision` in the file's name.
  return `${number}-${/^[\p{L}\p{N}-]+$/u.test(slug) ? slug : 'decision'}.md`;
}

/**
 * Returns the record with the wanted number or file name.
 * @throws UsageError if no record matches, or several do
 */
function findSuperseded(records: readonly AdrFile[], wanted: string): AdrFile {
  const number = /^\d{1,6}$/.test(wanted.trim()) ? Number(wanted) : Number.NaN;
  const found = records.filter(
    (record) =>
      record.number === number || record.name === wanted || record.name === `${wanted}.md`,
  );
  const [first, second] = found;
  if (first === undefined)
    throw new UsageError(
      `--supersedes ${toLine(wanted)}: the folder has no such record`,
      'Use its number, or its file name.',
    );
  if (second !== undefined)
    throw new UsageError(
      `--supersedes ${toLine(wanted)}: the folder has several of that number`,
      `Name one of these files: ${found.map(({ name }) => toLine(name)).join(', ')}`,
    );
  return first;
}

/** A record to write. `text` is given the file name of the superseded record, to link to it. */
interface Written {
  readonly title: string;
  readonly text: (links: { readonly supersedes?: string }) => string;
  readonly supersedes?: string | undefined;
}

/**
 * Writes a decision record to a folder, numbered one above the highest record there. Creates the folder if
 * needed. The superseded record, if any, gets a link and, if it has front matter or a status line, a new status.
 *
 * @returns the paths of the new record and, if there is one, of the superseded record
 * @throws UsageError if the folder or a file cannot be read or written, or no record or several match the
 *   superseded one
 */
export function writeRecord(folder: string, { title, text, supersedes }: Written): string[] {
  const records = recordsIn(folder);
  const old = supersedes === undefined ? undefined : findSuperseded(records, supersedes);
  const name = nextName(records, title);
  const file = join(folder, name);
  if (findStatus(file) !== undefined) throw new UsageError(`${toLine(file)} already exists`);
  const replaced = old && { file: join(folder, old.name), text: '' };
  if (replaced !== undefined) {
    const before = readTextFile(replaced.file, { most: LARGEST, links: false });
    if (before === undefined) throw new UsageError(`${toLine(replaced.file)} cannot be read`);
    replaced.text = markSuperseded(before, name);
  }
  try {
    placeNew(file, text(old === undefined ? {} : { supersedes: old.name }));
    if (replaced !== undefined) writeShared(replaced.file, replaced.text);
  } catch (error) {
    throw new UsageError(
      `${toLine(folder)}: the record cannot be written: ${error instanceof Error ? error.message : error}`,
    );
  }
  return [file, ...(replaced === undefined ? [] : [replaced.file])];
}

/**
 * Writes a file completely or not at all. Never replaces a file, even if two programs choose the same name.
 */
function placeNew(file: string, text: string): void {
  const half = `${file}.${process.pid}.part`;
  makeFolder(dirname(file));
  try {
    writeFileSync(half, text, { flag: 'wx' });
    linkSync(half, file);
  } finally {
    rmSync(half, { force: true });
  }
}

/**
 * Returns the text of a record with its status set to `superseded by ADR-0008`, and a link to the new record
 * at its end. Front matter without a status gets one. Without front matter the `Status` line is changed, if
 * there is one.
 */
function markSuperseded(text: string, by: string): string {
  const number = /^\d+/.exec(by)?.[0] ?? '';
  const status = `status: "superseded by ADR-${number}"`;
  const link = `Superseded by [${by.replace(/\.md$/, '')}](${encodeURI(by)}).`;
  const body = `${text.trimEnd()}\n\n${link}\n`;
  const matter = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(body);
  if (matter === null)
    return body.replace(
      /^(\s*[-*]?\s*\**status\**\s*:\s*).*$/im,
      (_all, label: string) => `${label}superseded by [ADR-${number}](${encodeURI(by)})`,
    );
  const [whole, inside = ''] = matter;
  const changed = /^status\s*:.*$/im.test(inside)
    ? inside.replace(/^status\s*:.*$/im, () => status)
    : `${status}\n${inside}`;
  return body.replace(whole, () => whole.replace(inside, () => changed));
}
