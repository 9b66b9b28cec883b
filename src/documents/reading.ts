/**
 * Reads a document in a separate process, which may read the program's own files and nothing else, and has
 * limits on time and memory. A broken or hostile file can harm only that process.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type DocumentInput,
  DocumentRefused,
  MOST_DOCUMENT_BYTES,
  type RefusedBecause,
} from './given.ts';
import type { DocumentKind } from './kinds.ts';
import { MOST_TEXT_BYTES, type Reading, type ReadText } from './read-text.ts';

/** Maximum processor time for reading a document, in milliseconds. */
const MOST_MS = 20_000;
/** Maximum memory of the process that reads, in mebibytes. */
const MOST_MEMORY = 280;
/**
 * Milliseconds after which the process is killed in any case: the machine may be busy, or the process
 * stuck.
 */
const MOST_WAIT_MS = 90_000;
/**
 * Maximum output of the process in bytes: JSON takes up to six times the bytes of a text that has to be
 * escaped throughout.
 */
const MOST_OUTPUT = 8 * MOST_TEXT_BYTES;

const PROGRAM = fileURLToPath(
  new URL(`../documents/formats/process${extname(import.meta.url)}`, import.meta.url),
);
/** The folder that contains the program and its libraries. */
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
  'encoding',
  'memory',
  'no-text',
  'password',
  'time',
  'too-long',
  'unsupported',
]);

/**
 * Reads a document in a separate process.
 *
 * @throws DocumentRefused if the document is too large, cannot be read, or exceeds a limit
 */
export async function readInProcess(kind: DocumentKind, given: DocumentInput): Promise<ReadText> {
  const { bytes } = given;
  refuseLarge(given);
  const child = spawn(process.execPath, ARGUMENTS, {
    ...OPTIONS,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), MOST_WAIT_MS);
  try {
    const ended = once(child, 'close');
    // A process that refuses a document early closes its input, which is no error here. What it answers is read
    // below.
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
    if (size > MOST_OUTPUT) throw new DocumentRefused(given, 'too-long', 'its text is too long');
    await ended;
    return textIn(Buffer.concat(parts), given, child.signalCode !== null);
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
}

/**
 * Reads a document in a separate process as `readInProcess` does, but blocks the whole program
 * meanwhile.
 * @throws DocumentRefused if the document is too large, cannot be read, or exceeds a limit
 */
export function readInProcessSync(kind: DocumentKind, given: DocumentInput): ReadText {
  refuseLarge(given);
  const { stdout, signal } = spawnSync(process.execPath, ARGUMENTS, {
    ...OPTIONS,
    stdio: ['pipe', 'pipe', 'ignore'],
    input: Buffer.concat([Buffer.from(headOf(kind, given)), given.bytes]),
    timeout: MOST_WAIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT,
  });
  return textIn(stdout, given, signal !== null);
}

function refuseLarge(given: DocumentInput): void {
  if (given.bytes.length > MOST_DOCUMENT_BYTES)
    throw new DocumentRefused(
      given,
      'too-long',
      `too large: at most ${MOST_DOCUMENT_BYTES / 1024 ** 2} MB are read`,
    );
}

function headOf(kind: DocumentKind, { mediaType, address, encoding }: DocumentInput): string {
  const limits = { ms: MOST_MS, memory: MOST_MEMORY };
  return `${JSON.stringify({ kind, mediaType, address, encoding, limits })}\n`;
}

/**
 * Parses the output of the process.
 *
 * @throws DocumentRefused if the process refused the document, was killed or wrote no JSON
 */
function textIn(said: Buffer, given: DocumentInput, wasKilled: boolean): ReadText {
  const reading = parseReading(said.toString('utf8'));
  if (reading === undefined)
    throw wasKilled
      ? new DocumentRefused(
          given,
          'time',
          `reading it took longer than ${MOST_MS / 1000} s and was stopped`,
        )
      : new DocumentRefused(given, 'damaged', 'it could not be read; the file may be damaged');
  if ('read' in reading) return reading.read;
  const { because, why } = reading.refused;
  throw new DocumentRefused(
    given,
    BECAUSE.has(because) ? (because as RefusedBecause) : 'damaged',
    why,
  );
}

function parseReading(said: string): Reading | undefined {
  try {
    return JSON.parse(said) as Reading;
  } catch {
    return undefined;
  }
}
