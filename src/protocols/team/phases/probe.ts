/** A verifier's probe: a test of its own, written to show something and run on the joined commit. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import { fits } from '../../../text/globs.ts';
import type { Workstream } from '../forms/plan.ts';
import type { Verdict } from '../forms/work.ts';
import type { Given } from '../prompts/verify.ts';
import { checksOf, testsOf } from '../rules/plan.ts';
import { runCheck } from './checks.ts';
import { textsOf } from './design.ts';
import type { Joined } from './join.ts';
import type { WorkState } from './state.ts';
import { testRunners } from './tests.ts';

export type Probe = NonNullable<Given['probe']>;

export function globsOf({ ground }: WorkState): readonly string[] {
  return testsOf(ground.plan, ground.survey);
}

/** A new test on a fresh tree with the commit in it. One that no runner notices has shown nothing. */
export async function runProbe(
  state: WorkState,
  key: string,
  { tree, ran }: Joined,
  { id: workstream }: Workstream,
  { path, text, shows }: NonNullable<Verdict['probe']>,
): Promise<Probe> {
  const { team, ground } = state;
  const none: Probe = { path, text, shows, state: 'not-run' };
  if (!isPlainPath(path) || !fits(path, globsOf(state))) return none;
  const there = await textsOf(team, `${key}/probe-there`, tree, [path]);
  if (there.has(path)) return none;
  const probed = await team.look(`${key}/probe-tree`, { tree, path, text }, (signal) =>
    team.workshop.put(tree, path, text, signal),
  );
  const runners = testRunners(ground.base);
  let found: Probe['state'] = 'not-run';
  for (const check of checksOf(ground.plan).filter((one) => runners.has(one.id))) {
    const before = ran.get(check.id);
    if (before?.exit !== 0) continue;
    const run = await runCheck(team, `${key}/probe-${check.id}`, ground.provision, check, {
      ...{ kind: 'probe', tree: probed, workstream },
    });
    if (run.exit === null) continue;
    if (run.exit !== 0) return { ...none, state: 'failed' };
    if (isNoticed(before, run)) found = 'passed';
  }
  return { ...none, state: found };
}

/** A file that ended well without a test in it is none, unless all that passed before are such files. */
function isNoticed({ counts: before }: CheckRun, { counts: after }: CheckRun): boolean {
  if (before === undefined) return true;
  if (after === undefined) return false;
  const isPlain = before.empty?.length === before.passed;
  const ran = ({ passed, empty = [] }: typeof before): number =>
    isPlain ? passed : passed - empty.length;
  return ran(after) > ran(before);
}

function isPlainPath(path: string): boolean {
  const parts = path.split('/');
  return (
    path !== '' &&
    !path.includes('\0') &&
    parts.every((one) => !['', '.', '..', '.git'].includes(one))
  );
}

export function failedProbes(verdicts: readonly Given[]): readonly Probe[] {
  return verdicts.flatMap(({ probe }) => (probe?.state === 'failed' ? [probe] : []));
}
