/**
 * Reads a document in a process of its own, which may read the program's files and nothing else, has an
 * end, and takes no more memory than it is given. Whatever a broken or hostile file does to a library
 * happens there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentRefused, type Given, MOST_DOCUMENT_BYTES, type RefusedBecause } from './given.ts';
import type { DocumentKind } from './kinds.ts';
import { MOST_TEXT_BYTES, type Reading, type ReadText } from './read-text.ts';

/** Milliseconds that reading may take. */
const MOST_MS = 20_000;
/** Mebibytes of the process that reads. */
const MOST_MEMORY = 280;
/** The process ends itself in time; this is for one that cannot any more. */
const GRACE_MS = 1_000;
/** JSON of a text takes up to six times its bytes, where all of it is escaped. */
const MOST_OUTPUT = 8 * MOST_TEXT_BYTES;

const PROGRAM = fileURLToPath(
  new URL(`../documents/formats/process${extname(import.meta.url)}`, import.meta.url),
);
/** Below it lie the program and its libraries. */
const INSTALLED = fileURLToPath(new URL('../../', import.meta.url));

const BECAUSE: ReadonlySet<string> = new Set<RefusedBecause>([
  'damaged',
  'memory',
  'no-text',
  'password',
  'time',
  'too-long',
  'unsupported',
]);

/** @throws DocumentRefused */
export async function readInProcess(kind: DocumentKind, given: Given): Promise<ReadText> {
  const { name, bytes, mediaType, address } = given;
  const refuse = (because: RefusedBecause, why: string): DocumentRefused =>
    new DocumentRefused(name, because, why);
  if (bytes.length > MOST_DOCUMENT_BYTES)
    throw refuse('too-long', `too large: at most ${MOST_DOCUMENT_BYTES / 1024 ** 2} MB are read`);
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--permission', '--allow-worker', `--allow-fs-read=${INSTALLED}`, PROGRAM],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { NODE_ENV: 'production', TZ: 'UTC' },
      windowsHide: true,
    },
  );
  const late = setTimeout(() => child.kill('SIGKILL'), MOST_MS + GRACE_MS);
  try {
    const ended = once(child, 'close');
    // A process that refuses before it has read everything closes its end.
    child.stdin.on('error', () => undefined);
    const head = { kind, mediaType, address, limits: { ms: MOST_MS, memory: MOST_MEMORY } };
    child.stdin.write(`${JSON.stringify(head)}\n`);
    child.stdin.end(bytes);
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of child.stdout as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MOST_OUTPUT) break;
      parts.push(part);
    }
    if (size > MOST_OUTPUT) throw refuse('too-long', 'its text is too long');
    await ended;
    const reading = parse(Buffer.concat(parts).toString('utf8'));
    if (reading === undefined)
      throw child.signalCode === null
        ? refuse('damaged', 'it could not be read; the file may be damaged')
        : refuse('time', `reading it took longer than ${MOST_MS / 1000} s and was stopped`);
    if ('read' in reading) return reading.read;
    const { because, why } = reading.refused;
    throw refuse(BECAUSE.has(because) ? (because as RefusedBecause) : 'damaged', why);
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
}

function parse(said: string): Reading | undefined {
  try {
    return JSON.parse(said) as Reading;
  } catch {
    return undefined;
  }
}
