import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that measure memory or processor time, or live by short time limits, have the machine to themselves. */
const TIMED = [
  'test/models/{abort,answers,failures,idle,limits,retry,scheduler}.test.ts',
  'test/faults/memory.test.ts',
];

/**
 * Folders whose tests change nothing that another file's could notice: no environment, no clock, no
 * module's state. Their files share a worker and what it has loaded, which is a third of a second of
 * the processor's time for each (`--no-isolate` tried on 44 of them: 54 s of it in place of 68).
 */
const FOLDERS = 'test/{console,kernel,plain,protocols,records,rounds,text}/**/*.test.{ts,tsx}';
/** In those folders, but with a clock of their own or listeners of the process. */
const ALONE = /^test\/(?:console\/(?:clock|console|playback|thinking)|kernel\/session)\.test\./;
const SHARED = globSync(FOLDERS, { cwd: import.meta.dirname }).filter((file) => !ALONE.test(file));
/** Most of the time is spent waiting for servers and terminals, not computing. */
const MANY = { maxWorkers: 4, sequence: { groupOrder: 1 } };

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
        test: { ...MANY, name: 'shared', include: SHARED, isolate: false },
      },
      {
        extends: true,
        test: {
          ...MANY,
          name: 'rest',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...TIMED, ...SHARED],
        },
      },
    ],
  },
});
