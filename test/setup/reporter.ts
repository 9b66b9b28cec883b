/**
 * Vitest's own report, with additions at its end: a command that reproduces each failure, why tests were
 * skipped, and one line that counts them all.
 */
import {
  DefaultReporter,
  type SerializedError,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from 'vitest/node';
import { formatCommand } from './reproduce.ts';

/**
 * Vitest's default reporter, which at the end also prints commands that repeat failed tests, the reasons of
 * skipped tests, and the counts. `leftOut`, a sentence about tests that the run leaves out, is printed first
 * and last.
 */
export default class Reporter extends DefaultReporter {
  /** A sentence about the tests that this run does not contain; empty if it contains all of them. */
  readonly #leftOut: string;

  constructor({ leftOut = '' }: { readonly leftOut?: string } = {}) {
    super({ summary: process.stdout.isTTY === true });
    this.#leftOut = leftOut;
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.log(`${specifications.length} files of tests, the longest first. ${this.#leftOut}\n`);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const failures = modules.flatMap(commandsFor);
    if (failures.length > 0) {
      this.log('To run what failed again, by itself:');
      for (const command of failures) this.log(`  ${command}`);
      this.log('');
    }
    for (const [why, count] of countSkipped(modules)) this.log(`${count} skipped: ${why}`);
    if (this.#leftOut !== '') this.log(this.#leftOut);
    if (errors.length > 0)
      this.log(`${errors.length} errors outside of any test: this run failed.`);
    this.log(formatCounts(modules));
  }
}

/** Returns one command for each failed test, or one for the file if it failed as a whole. */
function commandsFor(module: TestModule): string[] {
  const failed = [...module.children.allTests('failed')];
  if (failed.length === 0)
    return module.state() === 'failed' ? [formatCommand(module.relativeModuleId)] : [];
  return failed.map((test) => formatCommand(module.relativeModuleId, test.fullName));
}

function countSkipped(modules: readonly TestModule[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const module of modules)
    for (const test of module.children.allTests('skipped')) {
      const result = test.result();
      const why = (result.state === 'skipped' && result.note) || 'not for this system, or filtered';
      counts.set(why, (counts.get(why) ?? 0) + 1);
    }
  return counts;
}

/**
 * Returns the counts of tests. A file that could not be loaded counts as one failure, since its tests are
 * not known.
 */
function formatCounts(modules: readonly TestModule[]): string {
  const countTests = (state: 'passed' | 'skipped'): number =>
    modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
  const failed = modules.reduce((sum, module) => sum + commandsFor(module).length, 0);
  return `${countTests('passed')} passed, ${failed} failed, ${countTests('skipped')} skipped`;
}
