/**
 * The process that reads one document: it comes on standard input behind a line of JSON that says what it
 * is, and its text goes to standard output. The main thread only watches: processor time, so that a busy
 * machine makes no document unreadable, and the memory of the whole process, which a limit of the thread's heap
 * does not cover. A thread reads.
 */
import { writeSync } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Reading } from '../read-text.ts';

/** How often memory is looked at: what is inflated at a gigabyte a second has grown by 10 MB meanwhile. */
const LOOK_MS = 10;

const input: Buffer[] = [];
for await (const part of process.stdin as AsyncIterable<Buffer>) input.push(part);
const all = Buffer.concat(input);
input.length = 0;
const end = all.indexOf(10);
const head = JSON.parse(all.subarray(0, end).toString('utf8')) as {
  limits: { ms: number; memory: number };
};
const bytes = new Uint8Array(all.subarray(end + 1));

const worker = new Worker(new URL(`thread${extname(import.meta.url)}`, import.meta.url), {
  workerData: { ...head, bytes },
  transferList: [bytes.buffer],
  resourceLimits: {
    maxOldGenerationSizeMb: head.limits.memory * 0.6,
    maxYoungGenerationSizeMb: 16,
    stackSizeMb: 4,
  },
  stdout: true,
  stderr: true,
});
const memory = `it takes more than ${head.limits.memory} MB of memory to read, and was stopped`;
const time = `reading it took longer than ${head.limits.ms / 1000} s and was stopped`;

setInterval(() => {
  if (process.memoryUsage.rss() > head.limits.memory * 1024 ** 2) refuse('memory', memory);
  const { user, system } = process.cpuUsage();
  if (user + system > head.limits.ms * 1000) refuse('time', time);
}, LOOK_MS);
worker.on('message', (reading: Reading) => finish(reading));
worker.on('error', (error: Error & { code?: string }) =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? refuse('memory', memory)
    : refuse('damaged', 'it could not be read; the file may be damaged'),
);

function refuse(because: string, why: string): never {
  return finish({ refused: { because, why } });
}

/** Writes what there is to say, whole, and ends at once. */
function finish(reading: Reading): never {
  const rest = Buffer.from(JSON.stringify(reading));
  for (let at = 0; at < rest.length; ) {
    try {
      at += writeSync(1, rest, at);
    } catch (error) {
      // A pipe that is full for now.
      if ((error as { code?: string }).code !== 'EAGAIN') break;
    }
  }
  process.exit(0);
}
