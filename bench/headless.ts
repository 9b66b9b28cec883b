/**
 * Compares a six-seat board without a console with a plain program that makes the same seven calls. There is no
 * vote, which would be an eighth call.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fact } from '../test/every-fact.ts';
import { computeMedian, makeRow, measurePair, PROGRAM, type Row, runMeasured } from './measure.ts';
import { withServers } from './servers.ts';

const PLAIN = fileURLToPath(new URL('./plain-board.mjs', import.meta.url));
const RUNS = 3;
/** The most words of an answer: about 10 s at 50 tokens per second. */
const WORDS = 450;

/**
 * Measures time, processor time and memory of a board without a console. Returns rows for the table of
 * `npm run bench`.
 */
export async function benchHeadless(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    return await withServers({ ollama: 6, rate: 50, words: WORDS }, async ({ url, models }) => {
      const seats = models.flatMap((model) => ['--seat', `critic=ollama/${model}`]);
      let run = 0;
      const { a, ratio } = await measurePair(
        RUNS,
        () =>
          runMeasured([PROGRAM, 'board', '--no-vote', '--json', '--quiet', ...seats, 'Split it?'], {
            OLLAMA_HOST: url,
            DELIBERATE_DB: join(folder, `${run++}.db`),
          }),
        () => runMeasured([PLAIN, url, ...models]),
      );
      const overhead = a.map(({ out }) => {
        const facts = out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Fact);
        const getTime = (type: Fact['type']): number =>
          Date.parse(facts.find((fact) => fact.type === type)?.at ?? '');
        const seatsTook = facts.flatMap((fact) =>
          fact.type === 'call.completed' && fact.seat !== 'synthesizer' ? [fact.latencyMs] : [],
        );
        const synthesis = facts.flatMap((fact) =>
          fact.type === 'call.completed' && fact.seat === 'synthesizer' ? [fact.latencyMs] : [],
        );
        return (
          (getTime('run.ended') - getTime('run.started')) /
          (Math.max(...seatsTook) + (synthesis[0] ?? 0))
        );
      });
      return [
        makeRow(
          'board, 6 seats headless: wall over slowest seat + synthesis',
          computeMedian(overhead),
          1.02,
          '',
          3,
        ),
        makeRow('board, 6 seats headless: CPU over a plain program', ratio('cpuMs'), 1.7),
        makeRow('board, 6 seats headless: peak memory over a plain program', ratio('peakMb'), 1.5),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
