/** Runs a verifier's probe: a test of its own, written to show something about the merged commit. */
import type { Check, CheckRun } from '../../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../../text/globs.ts';
import type { Workstream } from '../../forms/plan.ts';
import type { Probe as Written } from '../../forms/work.ts';
import type { GivenVerdict } from '../../prompts/verify.ts';
import { judgeNewTests } from '../../rules/checks.ts';
import { hasMorePassed, judgeProbe } from '../../rules/locked.ts';
import { checksOf, testsOf } from '../../rules/plan.ts';
import { endOf, runCheck } from '../checks.ts';
import { readTexts } from '../design.ts';
import type { JoinedCommit, WorkState } from '../state.ts';
import { testRunners } from '../tests-on-base.ts';

/** A verifier's own test and how it ended on the merged commit. */
export type Probe = NonNullable<GivenVerdict['probe']>;

/** Returns the glob patterns of files that count as tests. */
export function globsOf({ ground }: WorkState): readonly string[] {
  return testsOf(ground.plan, ground.survey);
}

/**
 * Runs a verifier's new test on the commit with the joined work. Used up to version 2 of the rules; later
 * versions use `proveProbe`. The test ends as `failed` if a check fails with it. It ends as `not-run` if its path
 * is no free path of a test file, or if no check passes more tests with it than without.
 */
export async function runProbe(
  state: WorkState,
  key: string,
  { tree, ran }: JoinedCommit,
  { id: workstream }: Workstream,
  { path, text, shows }: Omit<Written, 'requirement'>,
): Promise<Probe> {
  const { team, ground } = state;
  const none: Probe = { path, text, shows, state: 'not-run' };
  if (!isPlainPath(path) || !matchesGlob(path, globsOf(state))) return none;
  const there = await readTexts(team, `${key}/probe-there`, tree, [path]);
  if (there.has(path)) return none;
  const probed = await putProbe(state, key, tree, path, text);
  let found: Probe['state'] = 'not-run';
  for (const { check, before } of runnersOf(state, ran)) {
    const run = await runCheck(team, `${key}/probe-${check.id}`, ground.provision, check, {
      kind: 'probe',
      tree: probed,
      workstream,
    });
    if (run.exit === null) continue;
    if (run.exit !== 0) return { ...none, state: 'failed' };
    if (hasMorePassed(before, run)) found = 'passed';
  }
  return { ...none, state: found };
}

/**
 * Runs a verifier's new test on the commit with the joined work, from version 3 of the rules on. The test only
 * counts as failed if it could be loaded and failed twice. A test that passes is also run on the
 * base (the commit before the work), to find out whether it fails without the work.
 */
export async function proveProbe(
  state: WorkState,
  key: string,
  { tree, ran }: JoinedCommit,
  { id: workstream }: Workstream,
  { requirement, path, text, shows }: Written,
): Promise<Probe> {
  const { team, ground } = state;
  const told = { path, text, shows, requirement };
  const reportNotRun = (why: string, output?: string): Probe => ({
    ...told,
    state: 'not-run',
    why,
    ...(output === undefined ? {} : { output: endOf(output) }),
  });
  const globs = globsOf(state);
  if (!isPlainPath(path) || !matchesGlob(path, globs))
    return reportNotRun(`its path has to match ${globs.join(' ')}`);
  const there = await readTexts(team, `${key}/probe-there`, tree, [path]);
  if (there.has(path)) return reportNotRun(`there is a file ${path} already: name another`);
  const probed = await putProbe(state, key, tree, path, text);
  const target = { kind: 'probe', tree: probed, workstream } as const;
  let found: Probe = reportNotRun('no check runs tests');
  for (const { check, before } of runnersOf(state, ran)) {
    const step = `${key}/probe-${check.id}`;
    const run = await runCheck(team, step, ground.provision, check, target);
    const end = judgeProbe(before, run, path);
    if (end.state === 'not-run') {
      if (found.state !== 'passed') found = reportNotRun(end.why, run.output);
      continue;
    }
    if (end.state === 'passed') {
      found = { ...told, state: 'passed' };
      continue;
    }
    const again = await runCheck(team, `${step}-again`, ground.provision, check, {
      ...target,
      before: run,
    });
    if (judgeProbe(before, again, path).state === 'failed')
      return { ...told, state: 'failed', output: endOf(again.output) };
    found = reportNotRun('it fails once and passes the next time, on the same files', run.output);
  }
  if (found.state !== 'passed') return found;
  const isRed = await isRedOnBase(state, key, workstream, probed, path);
  return isRed ? { ...found, red: true } : found;
}

async function isRedOnBase(
  { team, ground }: WorkState,
  key: string,
  workstream: string,
  from: string,
  path: string,
): Promise<boolean> {
  const { plan, survey, provision, base } = ground;
  const tree = await team.look(`${key}/probe-base`, { base: survey.base }, () =>
    team.workshop.treeOf(survey.base),
  );
  const runners = testRunners(base);
  for (const check of checksOf(plan).filter((check) => runners.has(check.id))) {
    const run = await runCheck(team, `${key}/probe-base-${check.id}`, provision, check, {
      kind: 'red-before',
      tree,
      commit: survey.base,
      workstream,
      over: { from, paths: [path] },
    });
    if (judgeNewTests([run]) === 'red') return true;
  }
  return false;
}

function putProbe(
  { team }: WorkState,
  key: string,
  tree: string,
  path: string,
  text: string,
): Promise<string> {
  return team.look(`${key}/probe-tree`, { tree, path, text }, (signal) =>
    team.workshop.put(tree, path, text, signal),
  );
}

/** Returns the checks that run tests and are green on the commit without the new test. */
function runnersOf(
  { ground }: WorkState,
  ran: JoinedCommit['ran'],
): readonly { readonly check: Check; readonly before: CheckRun }[] {
  const runners = testRunners(ground.base);
  return checksOf(ground.plan).flatMap((check) => {
    const before = ran.get(check.id);
    return runners.has(check.id) && before?.exit === 0 ? [{ check, before }] : [];
  });
}

function isPlainPath(path: string): boolean {
  const parts = path.split('/');
  return (
    path !== '' &&
    !path.includes('\0') &&
    parts.every((part) => !['', '.', '..', '.git'].includes(part))
  );
}

/** Returns the verifiers' tests that failed on the merged commit. */
export function failedProbes(verdicts: readonly GivenVerdict[]): readonly Probe[] {
  return verdicts.flatMap(({ probe }) => (probe?.state === 'failed' ? [probe] : []));
}
