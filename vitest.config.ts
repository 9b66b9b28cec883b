import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that measure memory or processor time, or live by short time limits, have the machine to themselves. */
const TIMED = [
  'test/models/{abort,answers,failures,idle,limits,retry,scheduler}.test.ts',
  'test/faults/memory.test.ts',
];

export default defineConfig({
  // Methods import what anybody's protocol file does; here that is the source.
  resolve: {
    alias: {
      'deliberate/protocol': fileURLToPath(new URL('src/sdk/protocol.ts', import.meta.url)),
    },
  },
  test: {
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
      {
        extends: true,
        test: {
          name: 'rest',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: TIMED,
          // Most of the time is spent waiting for servers and terminals, not computing.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
