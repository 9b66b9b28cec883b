import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most of the time is spent waiting for servers and terminals, not computing.
    maxWorkers: 2,
    // Real processes, terminals and clocks on a machine that others may use: in the gate a test that
    // fails is tried once more. At a developer's desk it is not, so that what flickers is seen.
    retry: process.env.CI ? 1 : 0,
  },
});
