/** `export` and `import`: a run as a report, as a folder of records, or whole. */

import { extname, join } from 'node:path';
import { ARCHIVE } from '../app/archive.ts';
import type { Invocation } from '../app/invocation.ts';
import { archiveText, keeping } from '../app/rescue.ts';
import { runOf } from '../app/run/resume.ts';
import { checkRun } from '../app/sound-run.ts';
import { withStore } from '../app/store.ts';
import { startedAs, suggest } from '../app/suggest.ts';
import { bytesOfFile, bytesOfStdin } from '../io/input.ts';
import { writeOwn } from '../io/own-file.ts';
import { decode, lookAt, Refused, textOf } from '../io/text-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { report } from '../plain/report.ts';
import { textNamed } from '../protocols/table.ts';
import { readArchive } from '../store/archive.ts';
import type { Store } from '../store/store.ts';
import { line } from '../text/line.ts';

/** Larger than a thousand rounds; a string of this program could hold twice as much. Bytes. */
const LARGEST = 128 * 1024 * 1024;

export async function exportRun(call: Invocation): Promise<number> {
  return withStore(call, async (store) => {
    const id = store.find(runOf(call));
    const { format, to } = call.flags;
    if (format === 'records') {
      const folder = to ?? `deliberate-${shortId(id)}`;
      if (folder === '-')
        throw new UsageError('records are a folder of files', 'Name a folder with --to.');
      const { recordsFolder, writeTree } = await import('../protocols/rounds/desk/folder.ts');
      writeTree(recordsFolder(store.facts(id)), folder);
      call.err.write(`${line(folder)}\n`);
      return 0;
    }
    const text = format === 'json' ? archiveText(store, id) : await toSend(store, id);
    if (to === undefined || to === '-') {
      call.out.write(text);
      return 0;
    }
    const file = fileFor(to, `deliberate-${shortId(id)}.${format === 'json' ? 'json' : 'md'}`);
    writeNew(file, text, call.flags.yes);
    call.err.write(`${line(file)}\n`);
    return 0;
  });
}

async function toSend(store: Store, id: string): Promise<string> {
  const { protocol, status } = store.summary(id);
  return report(store.facts(id), await textNamed(protocol), status);
}

/** `to` itself where it names a file by its ending, else `name` in the folder `to`. */
function fileFor(to: string, name: string): string {
  const isFolder = lookAt(to)?.isDirectory() ?? extname(to) === '';
  return isFolder ? join(to, name) : to;
}

/** Whole or not at all. @throws UsageError where the file is there with other text and may not go. */
function writeNew(file: string, text: string, overwrite: boolean): void {
  try {
    const there = lookAt(file);
    if (there !== undefined && !there.isFile())
      throw new UsageError(`${file} is not a regular file`, 'Use --to - for standard output.');
    if (!overwrite && there !== undefined) {
      if (isAlready(file, text)) return;
      throw new UsageError(`${file} already exists`, 'Pass --yes to overwrite it.');
    }
    writeOwn(file, text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${file} cannot be written: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function isAlready(file: string, text: string): boolean {
  try {
    return textOf(file, { most: Buffer.byteLength(text), links: true }) === text;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** `deliberate import FILE|-` */
export async function importRun(call: Invocation): Promise<number> {
  const [file, ...more] = call.words;
  if (file === undefined || more.length > 0)
    throw new UsageError(
      'name one file',
      `Use a file written by deliberate export RUN --format json, or - for standard input: ${suggest(call, 'run.json')}`,
    );
  const source = file === '-' ? 'standard input' : file;
  const bytes = await (file === '-'
    ? bytesOfStdin(call, LARGEST)
    : bytesOfFile(file, LARGEST, call));
  const archive = readArchive(decode(source, bytes), source, ARCHIVE);
  await checkRun(archive, source);
  return withStore(call, async (store) => {
    const name = `run ${shortId(archive.run)}`;
    const added = await keeping(store, archive.run, () => store.restore(archive));
    call.err.write(
      added
        ? `Imported ${name}. ${startedAs(call.env)} show ${shortId(archive.run)}\n`
        : `${name} is already here, identical in every fact.\n`,
    );
    return 0;
  });
}
