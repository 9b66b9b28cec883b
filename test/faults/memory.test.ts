/**
 * A record of 100 MB and an answer without an end: what they cost the process that reads them, and what comes
 * of them, as of the other faults.
 */
import { beforeAll, expect, test } from 'vitest';
import { outcomeOf } from './cell.ts';
import { FAULTS, LARGE, PROVIDERS } from './faults.ts';
import { expectOutcome, expectTold } from './judged.ts';

const MEGABYTE = 1024 * 1024;

function faultNamed(name: string) {
  return FAULTS.find((one) => one.name === name) ?? expect.fail(`there is no fault "${name}"`);
}

// The first call of a provider loads its library.
beforeAll(async () => {
  for (const provider of PROVIDERS) await outcomeOf(faultNamed('401'), provider);
});

test.each([
  // The server that sends it works in the same process, and is counted too.
  [LARGE[0], 150, 2_000],
  [LARGE[1], 150, 4_000],
] as const)(
  '%s costs at most %i MB and %i ms of the processor',
  async (name, megabytes, cpuMs) => {
    const fault = faultNamed(name);
    for (const provider of PROVIDERS) {
      const idle = process.memoryUsage().rss;
      let peak = idle;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 20);
      const before = process.cpuUsage();
      const outcome = await outcomeOf(fault, provider);
      const used = process.cpuUsage(before);
      clearInterval(watch);
      expectOutcome(fault, provider, outcome);
      expectTold(fault, provider, outcome);
      expect((peak - idle) / MEGABYTE).toBeLessThan(megabytes);
      expect((used.user + used.system) / 1000).toBeLessThan(cpuMs);
    }
  },
  120_000,
);
