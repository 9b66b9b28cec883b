/**
 * `export` and `import`: writes a run as a report, a page, a record or in full, and reads a full export back.
 */

import { resolve } from 'node:path';
import type { Flags } from '../app/flags.ts';
import type { Invocation } from '../app/invocation.ts';
import { withRescue } from '../app/rescue.ts';
import {
  CLAIMS,
  ENDINGS,
  type ExportFormat,
  formatOfFile,
  refuseExtension,
} from '../app/run/export-formats.ts';
import { findRunOf } from '../app/run-of.ts';
import { withRecorded, withStore } from '../app/store.ts';
import { formatCommand, getStartCommand } from '../app/suggest.ts';
import { decodeText } from '../io/decoding/decode.ts';
import { readFileBytes, readStdinBytes } from '../io/input.ts';
import { filePathFor, writeNew } from '../io/own-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { viewOf } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { escapeLoose } from '../plain/json-lines.ts';
import { formatReport } from '../plain/report.ts';
import { ARCHIVE } from '../protocols/registry/archive.ts';
import { checkRun } from '../protocols/registry/check-run.ts';
import { loadProtocolReport, loadProtocolText, loadRecordsWriter } from '../protocols/table.ts';
import { readArchive } from '../store/archive.ts';
import type { Store } from '../store/store.ts';
import { toCsv } from '../text/csv.ts';
import { toLine } from '../text/line.ts';
import { sanitiseText } from '../text/sanitise.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

/**
 * The largest file that is imported, in bytes. A run of a thousand rounds is smaller; a string can be twice as
 * long.
 */
const LARGEST = 128 * 1024 * 1024;

/**
 * Runs `deliberate export`: prints a run in the chosen format, or writes it to a file or folder.
 * Resolves to the exit code: 1 if `--open` was given and the written file could not be opened.
 */
export async function exportRun(call: Invocation): Promise<number> {
  const { words, to } = targetOf(call);
  const { flags } = call;
  const { open = false, yes, content } = flags;
  const format = formatOf(call.flags, to);
  return withRecorded(call, async (store) => {
    const id = findRunOf({ ...call, words }, store);
    if (open && format !== 'html')
      throw new UsageError('--open requires --format html', 'Drop --open, or use --format html.');
    if (content && format !== 'otlp')
      throw new UsageError(
        '--content requires --format otlp',
        'Drop --content; reports always include it.',
      );
    if (format === 'records') {
      const folder = to ?? `deliberate-${shortId(id)}`;
      if (folder === '-')
        throw new UsageError('records are a folder of files', 'Name a folder with --to.');
      const { getRecordsFolder, writeTree } = await loadRecordsWriter(
        id,
        store.summary(id).protocol,
      );
      writeTree(getRecordsFolder(store.facts(id)), folder);
      call.err.write(`${toLine(folder)}\n`);
      return 0;
    }
    if (flags.supersedes !== undefined && format !== 'adr')
      throw new UsageError('--supersedes requires --format adr', 'Drop --supersedes.');
    if (format === 'adr') return exportRecord(call, store.facts(id), to);
    if (open && to === '-')
      throw new UsageError('--open requires a file', 'Name one with --to, or leave --to out.');
    const text = await textOf(store, id, format, call);
    const name = `deliberate-${shortId(id)}.${ENDINGS[format][0]}`;
    if (!open && (to === undefined || to === '-')) {
      call.out.write(text);
      return 0;
    }
    const file = filePathFor(to ?? '.', name);
    // If no file was named, the name contains the run's id. Replace a file with this name even without `--yes`.
    writeNew(file, text, yes || to === undefined);
    call.err.write(`${toLine(file)}\n`);
    return open ? openInViewer(call, file) : 0;
  });
}

/**
 * Writes a run as an architecture decision record, to standard output or under the next number of a folder.
 * Resolves to the exit code.
 */
async function exportRecord(
  call: Invocation,
  facts: readonly AnyFact[],
  to: string | undefined,
): Promise<number> {
  const { formatAdr, formatAdrTitle } = await import('../plain/adr.ts');
  const run = { facts, view: viewOf(facts) };
  const [text, report] = await Promise.all([
    loadProtocolText(run.view.protocol),
    loadProtocolReport(run.view.protocol),
  ]);
  const { supersedes } = call.flags;
  if (to === undefined || to === '-') {
    if (supersedes !== undefined)
      throw new UsageError('--supersedes requires a folder', 'Name it with --to docs/adr.');
    call.out.write(formatAdr(run, text, report));
    return 0;
  }
  if (/\.md$/i.test(to) && !isFolder(to))
    throw new UsageError(
      `${toLine(to)}: a record gets its name from the folder that it is written to`,
      'Name the folder: --to docs/adr',
    );
  const { writeRecord } = await import('../app/decisions/adr-folder.ts');
  const files = writeRecord(to, {
    title: formatAdrTitle(run),
    text: (links) => formatAdr(run, text, report, links),
    supersedes,
  });
  for (const file of files) call.err.write(`${toLine(file)}\n`);
  return 0;
}

/**
 * Splits the words into a run and a file: `RUN`, `FILE`, `RUN FILE` or nothing. A run's name contains no dot
 * and no slash.
 */
function targetOf({ words, flags }: Invocation): { words: readonly string[]; to?: string } {
  const last = words.at(-1);
  const isFile = last !== undefined && (words.length === 2 || /[./\\]/.test(last));
  if (!isFile) return { words, ...withoutUndefined({ to: flags.to }) };
  if (flags.to !== undefined)
    throw new UsageError(`the file is given twice: ${last} and ${flags.to}`, 'Remove one of them.');
  return { words: words.slice(0, -1), to: last };
}

/**
 * Returns the format that `--format` names, otherwise the one of the file's extension.
 * @throws UsageError for an unknown extension
 */
function formatOf({ format, open }: Flags, to: string | undefined): ExportFormat {
  if (format === 'inspect')
    throw new UsageError(
      '--format inspect is for evaluations',
      'Use it with: deliberate eval report latest',
    );
  if (format === 'md') return 'markdown';
  if (format !== undefined) return format;
  if (to === undefined || to === '-' || isFolder(to)) return open ? 'html' : 'markdown';
  return formatOfFile(to) ?? refuseExtension(to);
}

/** Returns whether `filePathFor` would take the path for a folder. */
function isFolder(to: string): boolean {
  return filePathFor(to, 'report') !== to;
}

async function textOf(
  store: Store,
  id: string,
  format: Exclude<ExportFormat, 'records' | 'adr'>,
  { env, flags, protocols }: Invocation,
): Promise<string> {
  if (format === 'json') return protocols.formatArchive(store, id);
  const { protocol, status } = store.summary(id);
  const facts = store.facts(id);
  switch (format) {
    case 'otlp': {
      const { traceText } = await import('../app/run/trace.ts');
      return traceText(facts, env, { ...flags, status });
    }
    case 'claims':
      return escapeLoose(await claimsOf(id, protocol, facts));
    case 'csv':
      return sanitiseText(toCsv(readLines(await claimsOf(id, protocol, facts))));
    case 'markdown':
    case 'text':
      return formatReport(facts, await loadProtocolReport(protocol), status);
    case 'html':
      return protocols.formatPage(protocol, facts, { status, prompts: store.prompts(id) });
  }
}

/** Returns the claims of a run, as JSON lines. */
async function claimsOf(id: string, protocol: string, facts: readonly AnyFact[]): Promise<string> {
  const { getRecordsFolder } = await loadRecordsWriter(id, protocol);
  return getRecordsFolder(facts).get(CLAIMS) ?? '';
}

function readLines(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((row) => (row === '' ? [] : [JSON.parse(row)]));
}

/** Opens the file in the platform's viewer. If that fails, says so; the file has been written already. */
async function openInViewer({ env, err }: Invocation, file: string): Promise<number> {
  const { openFile } = await import('../io/opener.ts');
  try {
    const opener = await openFile(resolve(file), env);
    if (opener !== undefined) return 0;
    err.write('No program to open it with: xdg-open, wslview and open are not in PATH.\n');
  } catch (error) {
    err.write(`Not opened: ${toLine(error instanceof Error ? error.message : String(error))}\n`);
  }
  return 1;
}

/**
 * Runs `deliberate import`: stores a run exported as JSON in the database, unless it is there already.
 * Resolves to the exit code.
 */
export async function importRun(call: Invocation): Promise<number> {
  const [file, ...more] = call.words;
  if (file === undefined || more.length > 0)
    throw new UsageError(
      'expected one file',
      `Use a file written by deliberate export RUN --format json, or - for standard input: ${formatCommand(call, 'run.json')}`,
    );
  const source = file === '-' ? 'standard input' : file;
  const bytes = await (file === '-'
    ? readStdinBytes(call, LARGEST)
    : readFileBytes(file, LARGEST, call));
  const archive = readArchive(decodeText(source, bytes), source, ARCHIVE);
  await checkRun(archive, source);
  return withStore(call, async (store) => {
    const name = `run ${shortId(archive.run)}`;
    const added = await withRescue(call.protocols, store, archive.run, () =>
      store.restore(archive, { isForeign: true }),
    );
    call.err.write(
      added
        ? `Imported ${name}. ${getStartCommand(call.env)} show ${shortId(archive.run)}\n`
        : `${name} is already here, identical.\n`,
    );
    return 0;
  });
}
