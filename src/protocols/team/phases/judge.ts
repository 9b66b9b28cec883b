/** What commands say of a commit: as it is, with the base's tests laid over it, and of its new tests on the base. */
import type { Committed } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';
import { fact } from '../facts.ts';
import {
  type ChecksOfCommit,
  judge,
  oldTests,
  readRedBefore,
  testsUnsaid,
} from '../rules/checks.ts';
import { asPermitted } from '../rules/permits.ts';
import { checksOf, testsOf } from '../rules/plan.ts';
import { newTestsIn } from './changed.ts';
import { endOf, runCheck, runTwiceIfRed, tellCheck } from './checks.ts';
import { lockedFiles, lockedSets } from './locked.ts';
import { completes, type Start, type WorkState } from './state.ts';
import { testRunners } from './tests.ts';

export interface Judged {
  readonly state: 'green' | 'red' | 'environment';
  readonly why: readonly string[];
  /** Of the checks that are red. */
  readonly output: readonly string[];
  /** Whether the commit stands as a part of the task; undefined if that was not checked. */
  readonly standsAsPart?: boolean | undefined;
}

export async function judgeCommit(
  state: WorkState,
  key: string,
  { id, attempt, commit: base }: Start,
  { commit, tree }: Committed,
  isWhole: boolean,
): Promise<Judged> {
  const { team, ground } = state;
  const { plan, survey, provision } = ground;
  const view = team.task(id);
  const { task } = view;
  const of = { task: id, attempt, workstream: task.workstream };
  const globs = testsOf(plan, survey);
  const changes = await team.look(`${key}/changes`, { base, commit }, (signal) =>
    team.workshop.changes(base, commit, signal),
  );
  const own = await ownTests(state, key, id, commit, globs);
  const said = asPermitted(view);
  const touched = changes.flatMap(({ path, kind }) =>
    kind !== 'added' && matchesGlob(path, globs) && !own.includes(path) ? [path] : [],
  );
  // Tests that are as they were on the base need not be laid over it.
  const over = oldTests(said, touched);
  const permitted = team.edition < 3 ? [] : touched.filter((path) => !over.includes(path));
  // Of another task's tests the base of the run has none.
  const from = team.edition < 3 ? survey.base : base;
  // A part is not held to the tests of the whole.
  const aside = isWhole ? [] : lockedFiles(state);
  const checks: ChecksOfCommit[] = [];
  const output: string[] = [];
  for (const check of checksOf(plan).filter((one) => task.checks.includes(one.id))) {
    const known = ground.base.find((one) => one.check === check.id);
    if (known === undefined) continue;
    const step = `${key}/check-${check.id}`;
    const ran = await runTwiceIfRed(team, step, provision, check, {
      ...{ kind: 'commit', tree, commit, ...of },
      ...(aside.length === 0 ? {} : { over: { from: survey.base, paths: aside } }),
    });
    const old =
      over.length === 0
        ? undefined
        : await runCheck(team, `${step}-old`, provision, check, {
            ...{ kind: 'old-tests', tree, commit, ...of },
            over: { from, paths: over },
          });
    if (permitted.length > 0)
      await runCheck(team, `${step}-before`, provision, check, {
        ...{ kind: 'old-version', tree, commit, ...of },
        over: { from, paths: permitted },
      });
    checks.push({ check: check.id, base: known, commit: ran, oldTests: old });
    if (ran.exit !== 0)
      output.push(
        `${tellCheck({ ...ran, check: check.id, counts: undefined })}\n${endOf(ran.output)}`,
      );
  }
  const judged = judge(said, checks);
  const old = changes.filter(({ path }) => !own.includes(path));
  const why = [...testsUnsaid(said, old, globs), ...judged.why];
  let isGreen = why.length === 0 && judged.green;
  // With locked tests the commit may be red only because the rest of the task is missing.
  const standsAsPart = isWhole && lockedFiles(state).length > 0 ? undefined : isGreen;
  if (isGreen && isWhole) {
    const shows = await showsByTests(state, key, id, attempt, commit, newTestsIn(changes, globs));
    why.push(...shows);
    isGreen = shows.length === 0;
  }
  await team.record(`${key}/judged`, { commit, isGreen, why }, [
    fact('task.judged', { task: id, attempt, commit, green: isGreen, why }),
  ]);
  if (isGreen) return { state: 'green', why, output, standsAsPart };
  const isFault = judged.environment && why.length === judged.why.length;
  return { state: isFault ? 'environment' : 'red', why, output, standsAsPart };
}

/**
 * Tests that the task added itself, in whichever of its attempts: none that the run started from, none of
 * another task, none of a verifier. From version 3 on they are its own through all of its attempts.
 */
async function ownTests(
  state: WorkState,
  key: string,
  id: string,
  commit: string,
  globs: readonly string[],
): Promise<readonly string[]> {
  const { team, ground } = state;
  if (team.edition < 3) return [];
  const { base } = ground.survey;
  const { attempts } = team.task(id);
  const made = new Set(attempts.flatMap(({ commits }) => commits.flatMap(({ files }) => files)));
  // Whoever holds a file together with this task comes before it or after it.
  const others = new Set([
    ...lockedFiles(state),
    ...team.view.tasks.flatMap((one) =>
      one.task.id === id
        ? []
        : one.attempts.flatMap(({ commits }) => commits.flatMap(({ files }) => files)),
    ),
  ]);
  const mine = [...made].filter((path) => matchesGlob(path, globs) && !others.has(path)).sort();
  if (mine.length === 0) return [];
  return team.look(`${key}/own-tests`, { base, commit, mine }, async (signal) => {
    const there = await Promise.all(mine.map((path) => team.workshop.text(base, path, signal)));
    return mine.filter((_path, at) => there[at] === undefined);
  });
}

/**
 * Its new tests on the base, where they must fail: a test that passes without the work shows nothing of
 * it. Asked for only of a requirement that has no test yet and is to be met with this task.
 */
async function showsByTests(
  state: WorkState,
  key: string,
  id: string,
  attempt: number,
  commit: string,
  tests: readonly string[],
): Promise<readonly string[]> {
  const { team, ground, tests: blind, red } = state;
  const { plan, survey, provision, base } = ground;
  const { task, files } = team.task(id);
  const wanted = plan.requirements.filter(
    (one) =>
      one.proof === 'test' &&
      task.covers.includes(one.id) &&
      completes(state, id, one.id) &&
      ![...blind, ...lockedSets(team)].some(({ requirement }) => requirement === one.id) &&
      !team.view.tasks.some(
        (piece) => piece.of === id && red.has(piece.task.id) && piece.task.covers.includes(one.id),
      ),
  );
  if (tests.length === 0) {
    const globs = testsOf(plan, survey);
    const mayTest = files.some((file) => matchesGlob(file, globs));
    return mayTest && !red.has(id)
      ? wanted.map((one) => `${one.id} is to be shown by a test, and no test was added for it`)
      : [];
  }
  const baseTree = await team.look(`${key}/base-tree`, { base: survey.base }, () =>
    team.workshop.treeOf(survey.base),
  );
  const runners = testRunners(base);
  const states: string[] = [];
  for (const check of checksOf(plan).filter((one) => runners.has(one.id))) {
    const ran = await runCheck(team, `${key}/red-${check.id}`, provision, check, {
      ...{ kind: 'red-before', tree: baseTree, commit: survey.base, task: id, attempt },
      workstream: task.workstream,
      over: { from: commit, paths: tests },
    });
    states.push(readRedBefore([ran]));
  }
  if (states.includes('red')) {
    red.set(id, tests);
    return [];
  }
  return states.includes('vacuous')
    ? wanted.map((one) => `its new tests pass without the work, so they show nothing of ${one.id}`)
    : [];
}
