/**
 * Finds out what suggested checks need and this machine lacks, before a plan is made. Programs are
 * searched, and only those that a toolchain names are started, in an empty folder, so that nothing of the
 * repository is run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filterEnvironment } from '../../io/environment.ts';
import type { Env } from '../../io/tools.ts';
import type { Survey } from '../../kernel/tools/workshop.ts';
import { findOnPathOrScript } from '../../platform/programs.ts';
import type { Suggestion } from './suggest.ts';

/** The time limit in milliseconds for trying a program. */
const TRIED_MS = 20_000;

/**
 * Returns the suggested checks, each with `missing` if something that it needs is not installed on
 * this machine: the programs, separated by commas, or what the check's trial command did not find.
 * @param checkout the path of the person's checkout
 */
export async function addMissingPrograms(
  suggestions: readonly Suggestion[],
  checkout: string,
  env: Env,
  signal: AbortSignal,
): Promise<Survey['checks']> {
  const tried = new Map<string, Promise<boolean>>();
  const canRun = (argv: readonly string[]): Promise<boolean> => {
    const key = argv.join('\0');
    const known = tried.get(key) ?? endsSuccessfully(argv, env, signal);
    tried.set(key, known);
    return known;
  };
  return Promise.all(
    suggestions.map(async ({ needs, works: trial, ...check }) => {
      const [program = ''] = check.argv;
      const folder = join(checkout, check.env.find(({ name }) => name === 'PWD')?.value ?? '');
      const missing = [program, ...needs].filter((need) =>
        need.includes('/')
          ? !existsSync(join(folder, need))
          : findOnPathOrScript(need, env) === undefined,
      );
      const fails = missing.length === 0 && trial !== undefined && !(await canRun(trial));
      const what = missing.length > 0 ? missing.join(', ') : fails ? trial?.at(-1) : undefined;
      return what === undefined ? check : { ...check, missing: what.replace(/^import /, '') };
    }),
  );
}

async function endsSuccessfully(
  argv: readonly string[],
  env: Env,
  signal: AbortSignal,
): Promise<boolean> {
  const [program = '', ...args] = argv;
  const empty = mkdtempSync(join(tmpdir(), 'deliberate-look-'));
  try {
    return await new Promise((resolve) => {
      const child = spawn(program, args, {
        cwd: empty,
        stdio: 'ignore',
        env: filterEnvironment(env),
        timeout: TRIED_MS,
        signal,
      });
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === 0));
    });
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}
