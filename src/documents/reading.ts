/**
 * Reads a document in a process of its own, which may read the program's files and nothing else, has an
 * end, and takes no more memory than it is given. Whatever a broken or hostile file does to a library
 * happens there.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentRefused, type Given, MOST_DOCUMENT_BYTES, type RefusedBecause } from './given.ts';
import type { DocumentKind } from './kinds.ts';
import { MOST_TEXT_BYTES, type Reading, type ReadText } from './read-text.ts';

/** Milliseconds of processor time that reading may take. */
const MOST_MS = 20_000;
/** Mebibytes of the process that reads. */
const MOST_MEMORY = 280;
/** Milliseconds after which it is ended in any case: the machine may be busy, or the process stuck. */
const MOST_WAIT_MS = 90_000;
/** JSON of a text takes up to six times its bytes, where all of it is escaped. */
const MOST_OUTPUT = 8 * MOST_TEXT_BYTES;

const PROGRAM = fileURLToPath(
  new URL(`../documents/formats/process${extname(import.meta.url)}`, import.meta.url),
);
/** Below it lie the program and its libraries. */
const INSTALLED = fileURLToPath(new URL('../../', import.meta.url));

const ARGUMENTS = [
  '--no-warnings',
  '--permission',
  '--allow-worker',
  `--allow-fs-read=${INSTALLED}`,
  PROGRAM,
];
const OPTIONS = { env: { NODE_ENV: 'production', TZ: 'UTC' }, windowsHide: true };

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
  const { name, bytes } = given;
  const refuse = (because: RefusedBecause, why: string): DocumentRefused =>
    new DocumentRefused(name, because, why);
  refuseLarge(given);
  const child = spawn(process.execPath, ARGUMENTS, {
    ...OPTIONS,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), MOST_WAIT_MS);
  try {
    const ended = once(child, 'close');
    // A process that refuses before it has read everything closes its end.
    child.stdin.on('error', () => undefined);
    child.stdin.write(headOf(kind, given));
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
    return textIn(Buffer.concat(parts), name, child.signalCode !== null);
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
}

/** The same, for who cannot wait otherwise; nothing else happens meanwhile. @throws DocumentRefused */
export function readInProcessSync(kind: DocumentKind, given: Given): ReadText {
  refuseLarge(given);
  const { stdout, signal } = spawnSync(process.execPath, ARGUMENTS, {
    ...OPTIONS,
    stdio: ['pipe', 'pipe', 'ignore'],
    input: Buffer.concat([Buffer.from(headOf(kind, given)), given.bytes]),
    timeout: MOST_WAIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT,
  });
  return textIn(stdout, given.name, signal !== null);
}

function refuseLarge({ name, bytes }: Given): void {
  if (bytes.length > MOST_DOCUMENT_BYTES)
    throw new DocumentRefused(
      name,
      'too-long',
      `too large: at most ${MOST_DOCUMENT_BYTES / 1024 ** 2} MB are read`,
    );
}

function headOf(kind: DocumentKind, { mediaType, address }: Given): string {
  const limits = { ms: MOST_MS, memory: MOST_MEMORY };
  return `${JSON.stringify({ kind, mediaType, address, limits })}\n`;
}

/** What the process has said. @throws DocumentRefused */
function textIn(said: Buffer, name: string, wasKilled: boolean): ReadText {
  const reading = parse(said.toString('utf8'));
  if (reading === undefined)
    throw wasKilled
      ? new DocumentRefused(name, 'time', `reading it took too long and was stopped`)
      : new DocumentRefused(name, 'damaged', 'it could not be read; the file may be damaged');
  if ('read' in reading) return reading.read;
  const { because, why } = reading.refused;
  throw new DocumentRefused(
    name,
    BECAUSE.has(because) ? (because as RefusedBecause) : 'damaged',
    why,
  );
}

function parse(said: string): Reading | undefined {
  try {
    return JSON.parse(said) as Reading;
  } catch {
    return undefined;
  }
}
