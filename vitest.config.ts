import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import {
  ALONE,
  isLong,
  PROCESSES,
  SLOW,
  SLOW_PROCESSES,
  SMALL_HEAP_OPTIONS,
} from './test/setup/projects.ts';
import Reporter from './test/setup/reporter.ts';

/** What `npm test` passes on. */
const isQuick = process.argv.includes('--project=!slow*');
const leftOut = isQuick ? 'Slow tests are left out; npm run test:all has them all.' : '';

/** Most of the time is spent waiting for servers, terminals and other processes. */
const MAX_WORKERS = 6;

/** Begins with the files that take longest in every project; projects keep their order. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return this.ctx.projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [
        ...own.filter(({ moduleId }) => isLong(moduleId)),
        ...own.filter(({ moduleId }) => !isLong(moduleId)),
      ];
    });
  }
}

export default defineConfig({
  // Methods import what anybody's protocol file does; here that is the source.
  resolve: {
    alias: {
      'deliberate/protocol': fileURLToPath(new URL('src/sdk/protocol.ts', import.meta.url)),
    },
  },
  test: {
    globalSetup: 'test/setup/place.ts',
    setupFiles: ['test/setup/cost.ts', 'test/setup/unsynced.ts', 'test/setup/seeds.ts'],
    reporters: [new Reporter({ leftOut })],
    sequence: { sequencer: LongFirst },
    // Against what hangs, not against what is slow: a busy machine takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    maxConcurrency: 10,
    slowTestThreshold: 5_000,
    maxWorkers: MAX_WORKERS,
    // Scripts that tests start again and again are compiled once.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    },
    // Begins with those whose files wait most, and ends with those whose files are short.
    projects: [
      {
        extends: true,
        test: { name: 'slow', include: SLOW, exclude: ALONE, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'slow-processes',
          include: SLOW_PROCESSES,
          exclude: ALONE,
          isolate: false,
          execArgv: SMALL_HEAP_OPTIONS,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: PROCESSES,
          exclude: [...ALONE, ...SLOW, ...SLOW_PROCESSES],
          isolate: false,
          execArgv: SMALL_HEAP_OPTIONS,
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...ALONE, ...SLOW, ...SLOW_PROCESSES, ...PROCESSES],
          isolate: false,
        },
      },
    ],
  },
});
