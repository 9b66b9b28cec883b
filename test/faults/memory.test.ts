/**
 * Tests a record of 100 MB and an answer without an end: the memory and time that they cost, and their
 * outcomes.
 */
import { beforeAll, expect, test } from 'vitest';
import { outcomeOf } from './cell.ts';
import { FAULTS, LARGE_FAULTS, PROVIDERS } from './faults.ts';
import { expectDocumented, expectOutcome } from './judged.ts';

const MEGABYTE = 1024 * 1024;

function faultNamed(name: string) {
  return FAULTS.find((fault) => fault.name === name) ?? expect.fail(`there is no fault "${name}"`);
}

// The first call of a provider loads its library.
beforeAll(async () => {
  for (const provider of PROVIDERS) await outcomeOf(faultNamed('401'), provider);
});

test.each([
  // The test's server runs in the same process, so its memory is counted, too.
  [150, 40, LARGE_FAULTS[0]],
  [150, 40, LARGE_FAULTS[1]],
] as const)(
  'the program uses at most %d MB more memory and reads at most %d MB if its server has this fault: %s',
  async (kept, sent, name) => {
    const fault = faultNamed(name);
    for (const provider of PROVIDERS) {
      const idle = process.memoryUsage().rss;
      let peak = idle;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 20);
      const outcome = await outcomeOf(fault, provider);
      clearInterval(watch);
      expectOutcome(fault, provider, outcome);
      expectDocumented(fault, provider, outcome);
      expect((peak - idle) / MEGABYTE).toBeLessThan(kept);
      expect(outcome.written / MEGABYTE).toBeLessThan(sent);
    }
  },
);
