import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that measure time or processor use have the machine to themselves. */
const TIMED = [
  'test/models/{abort,answers,failures,idle,limits,measure,quiet,rehearsal*,retry,scheduler,structured,usage}.test.ts',
  'test/e2e/board.test.ts',
  'test/faults/memory.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
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
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
