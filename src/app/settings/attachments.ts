/**
 * Reads attachments: files, folders of files, web pages and standard input. A named file that cannot be
 * attached is an error; within a folder it is skipped and listed.
 */
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type DocumentInput, DocumentRefused, MOST_DOCUMENT_BYTES } from '../../documents/given.ts';
import { workingFolder } from '../../io/files.ts';
import { readStdinBytes } from '../../io/input.ts';
import {
  errorCode,
  explainCode,
  findStatus,
  formatSize,
  MisplacedFileError,
  RefusedFileError,
  readBytes,
} from '../../io/text-file.ts';
import { UsageError } from '../../kernel/errors.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { expandGlobs } from '../../platform/globs.ts';
import { toCitedPath, toPortablePath } from '../../platform/names.ts';
import { realPathOf, spellAsOnDisk } from '../../platform/real-path.ts';
import { cleanTagLabel, numberLines } from '../../protocols/common/prompts/fence.ts';
import {
  type Attachment,
  type FetchedPage,
  formatAttachmentSize,
  isAddress,
  isEmptyAttachment,
  partsOf,
} from '../../text/documents/attachment.ts';
import { toLine } from '../../text/line.ts';
import { withLf } from '../../text/lines.ts';
import { formatTokens } from '../../text/numbers.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Invocation } from '../invocation.ts';
import { filesIn, isShown, MOST_FILES } from './attached-folders.ts';
import { hintOfScheme, type ReadPage, readPage } from './pages.ts';

/** The largest attachment, in bytes. More would not fit any model's context. */
const MOST_BYTES = 1024 * 1024;
const MOST_BYTES_IN_ALL = 4 * MOST_BYTES;

/** The most attachments that are listed one by one; the rest is counted. */
const NAMED = 12;

/**
 * A file to read, with its short name and with the longer name that is used if two files have the same short
 * one.
 */
interface Candidate {
  readonly file: string;
  readonly short: string;
  readonly long: string;
  /** The real path of the folder in which the file was found; absent if the file itself was named. */
  readonly within?: string;
  /** The fetched web page, if the candidate is one instead of a file. */
  readonly page?: ReadPage;
}

/**
 * Reads the files, folders and web pages that `--attach` names, in the order in which it names them, and standard
 * input last. Files of a folder that are links, damaged or no text are skipped and, without `--quiet`, listed on
 * standard error.
 *
 * @throws UsageError if another file cannot be attached, with its name and the reason, or if the attachments are too
 *   many or too large
 */
export async function readAttachments(call: Invocation): Promise<Attachment[]> {
  const attach = expandGlobs(call.flags.attach);
  const piped = attach.filter((name) => name === '-').length;
  if (piped > 1) throw new UsageError('--attach - can be given only once');
  if (piped > 0) refusePipedQuestion(call);
  const left: string[] = [];
  const found: Candidate[] = [];
  for (const name of attach.filter((name) => name !== '-'))
    if (isAddress(name)) found.push(toCandidate(await readPage(call, name)));
    else found.push(...expandToFiles(name, left));
  const files = removeDuplicates(found);
  if (files.length + piped > MOST_FILES)
    throw new UsageError(
      `${files.length + piped} files to attach; the limit is ${MOST_FILES}`,
      'Attach only the folders or files that matter.',
    );
  const attachments: Attachment[] = [];
  let bytes = 0;
  const { encoding } = call.flags;
  const addAttachment = async (
    name: string,
    given: DocumentInput,
    page?: FetchedPage,
  ): Promise<void> => {
    const read = await readAttachment(name, { ...given, encoding }, page);
    const attachment = { ...read, text: withLf(read.text) };
    bytes += Buffer.byteLength(attachment.text);
    if (bytes > MOST_BYTES_IN_ALL)
      throw new UsageError(
        `${name} brings the attachments to ${formatSize(bytes)}; the limit is ${formatSize(MOST_BYTES_IN_ALL)}`,
      );
    attachments.push(attachment);
  };
  for (const { name, file, within, page } of nameFiles(files))
    try {
      if (page !== undefined) {
        await addAttachment(name, page.given, page.page);
        continue;
      }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: names come from strangers
      if (/[\u0000-\u001f\u007f<>"]/.test(name) || cleanTagLabel(name) !== name)
        throw new RefusedFileError(name, 'its name has characters that cannot be cited');
      const read = readBytes(
        file,
        within === undefined
          ? { most: MOST_DOCUMENT_BYTES, links: true }
          : { most: MOST_DOCUMENT_BYTES, links: false, within, takes: isShown },
      );
      if (read === undefined) throw new RefusedFileError(file, explainCode('ENOENT'));
      await addAttachment(name, { name: file, bytes: read });
    } catch (error) {
      if (!(error instanceof RefusedFileError) || within === undefined || !mayBeLeftOut(error))
        throw error;
      left.push(`${name} (${error.why})`);
    }
  if (piped > 0)
    await addAttachment('stdin', { name: 'standard input', bytes: await readStandardInput(call) });
  if (left.length > 0 && !call.flags.quiet)
    call.err.write(`not attached: ${joinNames(left.map(toLine))}\n`);
  return attachments;
}

/**
 * Fetches a web page and returns its text as an attachment.
 *
 * @param anew whether to fetch the page even if this process has fetched it before
 * @throws RefusedFileError if the page cannot be fetched or read
 */
export async function attachPage(
  call: Invocation,
  address: string,
  anew = false,
): Promise<Attachment> {
  const { name, given, page } = await readPage(call, address, anew);
  return readAttachment(name, given, page);
}

/**
 * Fetches the web pages among attachments again, and returns all attachments. Writes to standard
 * error whether each page has changed.
 *
 * @throws UsageError if no page is attached; RefusedFileError if a page can no longer be fetched
 */
export async function refreshPages(
  call: Invocation,
  attachments: readonly Attachment[],
): Promise<Attachment[]> {
  const { flags, err } = call;
  if (!attachments.some(({ source }) => source?.page !== undefined))
    throw new UsageError('--refresh: no web page is attached to this run');
  const refreshed: Attachment[] = [];
  for (const attachment of attachments) {
    const { name, text, source } = attachment;
    if (source?.page === undefined) {
      refreshed.push(attachment);
      continue;
    }
    const now = { ...(await attachPage(call, source.page.address, true)), name };
    if (!flags.quiet)
      err.write(`${toLine(name)} ${now.text === text ? 'reads as before' : 'has changed'}\n`);
    // If a web page's text is unchanged, the fork keeps the recorded attachment, so that its prompts stay the same.
    refreshed.push(now.text === text ? attachment : now);
  }
  return refreshed;
}

/**
 * Formats a line for each attachment, with its size and its share of a seat's first prompt. After 12
 * attachments one line has the total. Notes on what could not be read follow.
 *
 * @param beside how many tokens the prompt has besides the attachments
 */
export function attachedLines(attachments: readonly Attachment[], beside: number): string {
  if (attachments.length === 0) return '';
  const tokens = attachments.map((attachment) =>
    estimateTokens(numberLines(attachment.text, partsOf(attachment))),
  );
  const all = tokens.reduce((sum, count) => sum + count, 0);
  const formatShare = (count: number): string =>
    `~${formatTokens(count)} tokens (${Math.round((100 * count) / (all + beside))} % of the prompt)`;
  const rows = attachments.slice(0, NAMED).map((attachment, index) => {
    if (isEmptyAttachment(attachment))
      return `attached: ${toLine(attachment.name)} is empty: nothing of it is shown`;
    return `attached: ${toLine(attachment.name)} ${formatAttachmentSize(attachment)}, ${formatShare(tokens[index] ?? 0)}`;
  });
  const lacking = attachments.flatMap(({ name, source }) =>
    (source?.notes ?? []).map((note) => `${toLine(name)}: ${toLine(note)}`),
  );
  return `${[...rows, ...(attachments.length > NAMED ? [`attached: ${attachments.length} files, ${formatShare(all)}`] : []), ...lacking].join('\n')}\n`;
}

function refusePipedQuestion({ words, flags }: Invocation): void {
  const elsewhere =
    flags.file !== undefined || flags.ask !== undefined || words.some((word) => word !== '-');
  if (!elsewhere || words.includes('-'))
    throw new UsageError(
      '--attach - takes standard input, so the question cannot come from there',
      'Give it as an argument, with --file or with --ask.',
    );
}

async function readStandardInput(call: Invocation): Promise<Buffer> {
  if (call.stdin.isTTY)
    throw new UsageError('--attach -: standard input is a terminal; pipe something into it');
  const { kindOf } = await import('../../documents/kinds.ts');
  return readStdinBytes(call, (head) =>
    kindOf(head) === 'text' ? MOST_BYTES : MOST_DOCUMENT_BYTES,
  );
}

/**
 * Reads a text or document; `source` is set unless it is a plain UTF-8 file. @throws RefusedFileError if that fails
 */
async function readAttachment(
  name: string,
  given: DocumentInput,
  page?: FetchedPage,
): Promise<Attachment> {
  const { bytes } = given;
  const { extractDocument } = await import('../../documents/documents.ts');
  const document = await extractDocument(given);
  const { kind, text, parts, extractor, encoding, sha256, notes, title, date } = document;
  if (extractor === undefined && bytes.length > MOST_BYTES)
    throw new RefusedFileError(
      given.name,
      `too large: ${formatSize(bytes.length)}, at most ${formatSize(MOST_BYTES)} are read`,
    );
  if (extractor === undefined && encoding === undefined && page === undefined)
    return { name, text };
  return {
    name,
    text,
    source: {
      sha256,
      bytes: bytes.length,
      kind,
      ...(extractor === undefined ? {} : { extractor: { ...extractor } }),
      ...withoutUndefined({ encoding }),
      ...(parts.length === 0 ? {} : { parts: [...parts] }),
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
      ...withoutUndefined({ title, date, page }),
    },
  };
}

/** Returns a page as a candidate, named after its address. */
function toCandidate(page: ReadPage): Candidate {
  return { file: page.page.address, short: page.name, long: page.name, page };
}

/** Expands one `--attach` to files. Adds skipped paths of a folder to `left`. */
function expandToFiles(name: string, left: string[]): Candidate[] {
  const stat = findStatus(name);
  if (stat === undefined)
    throw new RefusedFileError(name, explainCode('ENOENT'), hintOfScheme(name));
  if (!stat.isDirectory()) {
    const file = spellAsOnDisk(name);
    return [{ file: name, short: basename(file), long: pathOf(file) }];
  }
  const inside = filesIn(name);
  const top = pathOf(name) === '' ? '' : `${basename(resolve(spellAsOnDisk(name)))}/`;
  left.push(...inside.left.map((path) => `${top}${path}`));
  if (inside.paths.length === 0)
    throw new RefusedFileError(name, 'no files to attach in this folder');
  const within = realPathOf(name);
  return inside.paths.map((path) => ({
    file: join(name, path),
    short: `${top}${path}`,
    long: pathOf(join(name, path)),
    within,
  }));
}

/**
 * Returns a file's path from the current folder, or from the root of the file system if it is outside; with
 * slashes and without `..`.
 */
function pathOf(file: string): string {
  const here = relative(workingFolder(), resolve(file));
  return here.startsWith('..') || isAbsolute(here)
    ? toCitedPath(resolve(file))
    : here.split(sep).join('/');
}

/** Removes duplicates, so that a file named in several ways is attached once. */
function removeDuplicates(files: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return files.filter(({ file, page }) => {
    const real = page === undefined ? pathOrRefusal(file) : file;
    return !seen.has(real) && seen.add(real);
  });
}

function pathOrRefusal(file: string): string {
  try {
    return realPathOf(file);
  } catch (error) {
    throw new RefusedFileError(file, explainCode(errorCode(error)));
  }
}

/**
 * Names files by their short name if no other has the same, else by their path. The names are valid on every
 * system.
 */
function nameFiles(
  files: readonly Candidate[],
): { name: string; file: string; within: string | undefined; page: ReadPage | undefined }[] {
  const times = new Map<string, number>();
  for (const { short } of files) times.set(foldName(short), (times.get(foldName(short)) ?? 0) + 1);
  const taken = new Set<string>();
  return files.map(({ short, long, file, within, page }) => {
    const isOne = times.get(foldName(short)) === 1 && short !== 'stdin';
    let name = toPortablePath(isOne ? short : long);
    // Rename a web page if an earlier attachment has its name, or if one of the two names would be a folder of the
    // other. For example, pages fetched by http and by https can have the same name.
    if (page !== undefined) name = freeName(name, taken);
    while (taken.has(foldName(name))) name = name.replace(/(?=\.[^./]*$)|$/, '_');
    taken.add(foldName(name));
    return { name, file, within, page };
  });
}

/** Returns a name in a form that is equal for names which are the same file on Windows. */
function foldName(name: string): string {
  return toPortablePath(name).toLowerCase();
}

/** Returns a name that no attachment has and that is no folder in another's name: `page`, else `page~2`. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const isTaken = (candidate: string): boolean =>
    [...taken].some(
      (other) =>
        other === candidate ||
        other.startsWith(`${candidate}/`) ||
        candidate.startsWith(`${other}/`),
    );
  for (let at = 1; ; at += 1) {
    const free = at === 1 ? name : `${name.replaceAll('/', '_')}~${at}`;
    if (!isTaken(foldName(free))) return free;
  }
}

/**
 * Returns whether a file of a folder may be skipped: pictures and the like are expected there, and the target
 * of a link was not named. A text that is too long must be reported.
 */
function mayBeLeftOut(error: RefusedFileError): boolean {
  return (
    error instanceof MisplacedFileError ||
    error instanceof DocumentRefused ||
    /binary|not text/.test(error.why)
  );
}

function joinNames(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
