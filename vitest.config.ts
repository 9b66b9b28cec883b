import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that measure memory or processor time, or live by short time limits, have the machine to themselves. */
const TIMED = [
  'test/models/{abort,answers,failures,idle,limits,retry,scheduler}.test.ts',
  'test/faults/memory.test.ts',
];

/**
 * Tests with a clock, an environment, a working folder or listeners of their own, which another file could
 * notice, or that count on the order in which a process begins that has loaded nothing before. All others share a worker and what it has loaded: that is 0.8 s of the processor's time for each
 * file (49 of them tried: 37 s of it in place of 79).
 */
const ALONE = [
  'test/cli/text-file.test.ts',
  'test/console/{clock,console,playback,syntax,thinking}.test.{ts,tsx}',
  'test/e2e/{doors,secrets,taking}.test.ts',
  'test/evaluation/promises.test.ts',
  'test/kernel/session.test.ts',
  'test/models/quiet.test.ts',
  'test/store/{queue,views}.test.ts',
];
/** Most of the time is spent waiting for servers and terminals, not computing. */
const MANY = { maxWorkers: 6, sequence: { groupOrder: 1 } };

export default defineConfig({
  // Methods import what anybody's protocol file does; here that is the source.
  resolve: {
    alias: {
      'deliberate/protocol': fileURLToPath(new URL('src/sdk/protocol.ts', import.meta.url)),
    },
  },
  test: {
    globalSetup: 'test/temporary.ts',
    // Against what hangs, not against what is slow: a busy machine takes four times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    maxConcurrency: 10,
    // Scripts that tests start again and again are compiled once.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    },
    projects: [
      {
        extends: true,
        test: { name: 'timed', include: TIMED, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { ...MANY, name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          ...MANY,
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...TIMED, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
});
