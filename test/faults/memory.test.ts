/** A record of 100 MB and an answer without an end: what they cost the process that reads them. */
import { expect, test } from 'vitest';
import { outcomeOf } from './cell.ts';
import { FAULTS, PROVIDERS } from './faults.ts';

const MEGABYTE = 1024 * 1024;

test.each([
  // The server that sends it works in the same process, and is counted too.
  ['record of 100 MB', 150, 2_000],
  ['answer without an end', 150, 4_000],
] as const)(
  '%s costs at most %i MB and %i ms of the processor',
  async (name, megabytes, cpuMs) => {
    const fault = FAULTS.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`there is no fault "${name}"`);
    // The first call of a provider loads its library.
    const quick = FAULTS.find((one) => one.name === '401');
    for (const provider of PROVIDERS) if (quick) await outcomeOf(quick, provider);
    for (const provider of PROVIDERS) {
      const idle = process.memoryUsage().rss;
      let peak = idle;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 20);
      const before = process.cpuUsage();
      const { end } = await outcomeOf(fault, provider);
      const used = process.cpuUsage(before);
      clearInterval(watch);
      expect(end).toBe('malformed');
      expect((peak - idle) / MEGABYTE).toBeLessThan(megabytes);
      expect((used.user + used.system) / 1000).toBeLessThan(cpuMs);
    }
  },
  120_000,
);
