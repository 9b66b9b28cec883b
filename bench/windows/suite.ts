/** Runs the parts of the test suite that apply to Windows in Node for Windows. */
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './commands.ts';
import { MATCHERS_FILE, ROOT, runNode, windowsPath } from './wine.ts';

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
/** Test files that are not for Windows or cannot run this way, with the reason. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map([]);

/** Runs the tests and calls `tell` with the outcome of each. */
export async function runSuite(
  folder: string,
  which: 'short' | 'all',
  tell: (one: Outcome) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const files = globSync(which === 'short' ? SHORT : ALL, { cwd: ROOT })
    .sort()
    .filter((file) => !LEFT_OUT.has(file));
  const results = join(folder, 'results.jsonl');
  const runner = windowsPath(join(import.meta.dirname, 'run-tests.mjs'));
  const { code, err } = await runNode([runner, windowsPath(results), MATCHERS_FILE, ...files], {
    cwd: ROOT,
    within: 900_000,
  });
  if (code !== 0) tell({ name: 'the tests', why: `exit ${code}: ${err.slice(-500)}` });
  if (!existsSync(results)) return;
  for (const line of readFileSync(results, 'utf8').trim().split('\n')) {
    const { file, name, error, skipped } = JSON.parse(line);
    if (skipped === true) continue;
    tell({
      name: `${file}: ${name}`,
      ...(error === undefined ? {} : { why: String(error).slice(0, 300) }),
    });
  }
}
