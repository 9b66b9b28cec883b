/** Tests the memory of the real program while it fetches pages that are larger than it reads. */
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startPages } from '../servers/pages.ts';
import { Program } from './program.ts';
import { makeFolder } from './scene.ts';

const MB = 1024 * 1024;
/** The most memory of the process that fetches a page, in MiB. */
const MOST_MEMORY = 300;
/** A module that writes the peak memory of its process in KiB to standard error when the process ends. */
const MEASURE = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    const [, peak] = /^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
    process.stderr.write('peak ' + peak + '\\n');
  });
`)}`;
/** Whether the system tells the peak memory of a process. */
const CAN_MEASURE = existsSync('/proc/self/status');

/** Writes a part again and again until the response is closed. */
function writeForever(response: ServerResponse, part: Buffer): void {
  const writeMore = (): void => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once('drain', writeMore);
  };
  writeMore();
}

it.each([
  [
    'of 200 MB',
    (response: ServerResponse) =>
      response.writeHead(200, { 'content-length': 200 * MB }).end(Buffer.alloc(200 * MB, 97)),
    'too large: 200.0 MB, at most 32.0 MB are read',
  ],
  [
    'of 200 MB that does not state its length',
    (response: ServerResponse) => {
      response.writeHead(200);
      response.end(Buffer.alloc(200 * MB, 97));
    },
    'longer than 32.0 MB, the most that is read',
  ],
  [
    'that never ends',
    (response: ServerResponse) => writeForever(response, Buffer.alloc(MB, 97)),
    'longer than 32.0 MB, the most that is read',
  ],
  [
    'that decompresses to 2 GB',
    (response: ServerResponse) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(makeBomb()),
    'longer than 32.0 MB, the most that is read',
  ],
  [
    'of 30 MB, which is fetched whole and holds more text than is read',
    (response: ServerResponse) =>
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end('A line of this page.\n'.repeat((30 * MB) / 21)),
    'too large',
  ],
])(
  'a page %s is refused with a reason, using at most 300 MB of memory',
  async (_how, answer, why) => {
    const server = await startPages({ '/': answer });
    const cwd = makeFolder();
    const program = new Program(
      [
        ...['board', '--plain', '--rehearse', '--rehearse-speed', '1000'],
        ...['--allow-private', '--attach', `${server.url}/`, 'Why?'],
      ],
      { cwd, env: { HOME: cwd, ...(CAN_MEASURE ? { NODE_OPTIONS: `--import=${MEASURE}` } : {}) } },
    );
    const { code, err } = await program.ended;
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    if (CAN_MEASURE) {
      const peak = Number(/^peak (\d+)$/m.exec(err)?.[1]) / 1024;
      expect(peak).toBeGreaterThan(20);
      expect(peak).toBeLessThanOrEqual(MOST_MEMORY);
    }
    await expect.poll(() => server.open()).toBe(0);
  },
);

/** Returns 2 GB of zeros, compressed in pieces. */
function makeBomb(): Buffer {
  const piece = gzipSync(Buffer.alloc(64 * MB), { level: 9 });
  return Buffer.concat(Array.from({ length: 32 }, () => piece));
}
