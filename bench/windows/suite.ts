/** Runs the parts of the test suite that apply to Windows in Node for Windows. */
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './commands.ts';
import { UNIX_TESTS } from './unix-tests.ts';
import { freshProfile, MATCHERS_FILE, ROOT, runNode, windowsPath } from './wine.ts';

/** The test files of a short run. */
const SHORT = ['test/platform/*.test.ts'];
const ALL = [
  ...SHORT,
  'test/text/*.test.ts',
  'test/kernel/*.test.ts',
  'test/plain/*.test.ts',
  'test/records/*.test.ts',
  'test/store/*.test.ts',
  'test/cli/*.test.ts',
];
/** How many test files run at a time. */
const AT_ONCE = 2;
/** The time limit of a test file in milliseconds. */
const WITHIN = 300_000;

/**
 * Runs test files with Node for Windows, each in a process of its own. Calls `tell` with the outcome of each test
 * that was not skipped, and with a failure for each file whose tests did not all run.
 * @param folder a folder for the results
 */
export async function runSuite(
  folder: string,
  which: 'short' | 'all',
  tell: (outcome: Outcome) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  freshProfile();
  const files = globSync(which === 'short' ? SHORT : ALL, { cwd: ROOT }).sort();
  const waiting = files.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, file] of waiting)
        for (const outcome of await runFile(file, join(folder, `${at}.jsonl`))) tell(outcome);
    }),
  );
}

async function runFile(file: string, results: string): Promise<Outcome[]> {
  const runner = windowsPath(join(import.meta.dirname, 'run-tests.mjs'));
  const rules = UNIX_TESTS.filter((rule) => rule.file === file);
  const unix = rules.map(({ names }) => names.source);
  const { code, err } = await runNode(
    [runner, windowsPath(results), MATCHERS_FILE, file, ...unix],
    { cwd: ROOT, within: WITHIN },
  );
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [];
  const told = lines.map((line) => JSON.parse(line));
  const outcomes = told.flatMap(({ name, error, skipped }): Outcome[] => {
    if (name === undefined || skipped === true) return [];
    const outcome = { name: `${file}: ${name}` };
    return [error === undefined ? outcome : { ...outcome, why: String(error).slice(0, 300) }];
  });
  for (const { names } of rules)
    if (!told.some(({ name, skipped }) => skipped === true && names.test(name)))
      outcomes.push({ name: file, why: `no test matches ${names} of unix-tests.ts` });
  // If a test ends the process, or leaves it with nothing to wait for, the tests after it do not run, so
  // report the file as failed.
  if (told.at(-1)?.over !== true) {
    const last = told.at(-1)?.name ?? 'the first test';
    outcomes.push({ name: file, why: `exit ${code} after "${last}": ${err.slice(-300)}` });
  }
  return outcomes;
}
