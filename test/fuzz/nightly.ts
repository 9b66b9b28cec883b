/**
 * `npm run nightly` runs a hundred thousand cases of every fuzz target, from a seed that is printed, and
 * measures whether reading time grows faster than the text. `node test/fuzz/nightly.ts [--cases N] [--seed N]
 * [NAME…]`
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import type { Growth } from './fuzz.ts';
import { TARGETS } from './targets.ts';

/**
 * The number of pieces of text that are repeated, the characters of the shorter text, the shortest time that
 * can be measured, and the number of measurements.
 */
const PIECES = 60;
const LENGTH = 30_000;
const MEASURABLE_MS = 8;
const ATTEMPTS = 6;
/** How many times as long a text of twice the length may take. */
const MOST = 2.6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const cases = Number(values.cases);
const seed = Number(values.seed ?? randomInt(2 ** 31));
process.stdout.write(`seed ${seed}, ${cases} cases of each\n`);

let failures = 0;
for (const { name, run, growth } of TARGETS) {
  if (positionals.length > 0 && !positionals.some((wanted) => name.includes(wanted))) continue;
  const began = performance.now();
  let said = 'ok';
  try {
    await run(cases, seed);
    if (growth !== undefined) said = `ok, ${worstGrowth(growth)}`;
  } catch (error) {
    failures += 1;
    said = `FAILED: ${error instanceof Error ? `${error.message}\n${error.cause}` : error}`;
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${seconds.padStart(7)} s  ${name}: ${said}\n`);
}
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Finds the worst growth of a reader's time.
 *
 * @throws Error naming a piece of text whose doubling takes more than it may
 */
function worstGrowth({ piece, read, length = LENGTH }: Growth): string {
  let worst = 0;
  for (const text of fc.sample(piece, { numRuns: PIECES, seed })) {
    if (text === '') continue;
    const repeatTo = (characters: number): string =>
      text.repeat(Math.ceil(characters / text.length));
    const [short, long] = [repeatTo(length), repeatTo(2 * length)];
    if (timeRead(read, long) < MEASURABLE_MS) continue;
    let ratio = Infinity;
    // Measure the ratio of the two times again while it is too large, and keep the smallest, since other work of
    // the machine can slow down single measurements.
    for (let attempt = 0; attempt < ATTEMPTS && ratio > MOST; attempt += 1)
      ratio = Math.min(ratio, timeRead(read, long) / timeRead(read, short));
    if (ratio > MOST)
      throw new Error(
        `${JSON.stringify(text)}, repeated: twice the text, ${ratio.toFixed(1)} x the time`,
      );
    worst = Math.max(worst, ratio);
  }
  return worst === 0 ? 'too fast to measure' : `twice the text, ${worst.toFixed(1)} x the time`;
}

/** Returns how many milliseconds reading a text takes. */
function timeRead(read: Growth['read'], text: string): number {
  const began = performance.now();
  read(text);
  return performance.now() - began;
}
