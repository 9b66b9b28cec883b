/**
 * The process that reads one document. Standard input has a line of JSON with the kind and the limits, then
 * the bytes of the document; the text goes to standard output. A worker thread reads, and the main thread
 * enforces the limits: on processor time, so that a busy machine makes no document unreadable, and on the
 * memory of the whole process, which a limit on the worker's heap does not cover.
 */
import { writeSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Reading } from '../read-text.ts';

/** Milliseconds between two checks of the limits. At a gigabyte a second, unpacking adds 10 MB in between. */
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

// Look for the thread's file beside the program's file and not beside this module's: a build may move this module
// into another folder.
const program = process.argv[1] ?? '';
const worker = new Worker(join(dirname(program), `thread${extname(program)}`), {
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
  if (process.memoryUsage.rss() > head.limits.memory * 1024 ** 2) refuseDocument('memory', memory);
  const { user, system } = process.cpuUsage();
  if (user + system > head.limits.ms * 1000) refuseDocument('time', time);
}, LOOK_MS);
worker.on('message', (reading: Reading) => endWithReading(reading));
worker.on('error', (error: Error & { code?: string }) =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? refuseDocument('memory', memory)
    : refuseDocument('damaged', 'it could not be read; the file may be damaged'),
);

function refuseDocument(because: string, why: string): never {
  return endWithReading({ refused: { because, why } });
}

/** Writes the whole result to standard output, then ends the process. */
function endWithReading(reading: Reading): never {
  const rest = Buffer.from(JSON.stringify(reading));
  for (let at = 0; at < rest.length; ) {
    try {
      at += writeSync(1, rest, at);
    } catch (error) {
      // EAGAIN means that the pipe to the parent process is full, so try again until the parent has
      // read from it.
      if ((error as { code?: string }).code !== 'EAGAIN') break;
    }
  }
  process.exit(0);
}
