import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that measure memory or processor time, or live by short time limits, have a core to themselves. */
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

/**
 * Small files that take the better part of a minute: begun last, as Vitest begins the largest first, they
 * would keep one worker busy when all others are done.
 */
const LONG = [
  'evaluation/batch',
  'faults/faults',
  'fuzz/names',
  'methods/failing',
  'records/detection',
  'records/truth',
  'restate/evaluation',
  'restate/runs',
  'structure/recipes',
  'team/unboxed',
].map((name) => `/test/${name}.test.ts`);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONG.some((name) => moduleId.endsWith(name));
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((one) => one.project === project);
      return [...own.filter(isLong), ...own.filter((one) => !isLong(one))];
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
    globalSetup: 'test/temporary.ts',
    sequence: { sequencer: LongFirst },
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
        test: { name: 'timed', include: TIMED, maxWorkers: 2, sequence: { groupOrder: 0 } },
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
