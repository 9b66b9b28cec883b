/**
 * Acceptance tests before the work: by somebody who has seen no implementation, in new files, red on the
 * base or of no use. Whoever does the work cannot change them.
 */

import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';
import type { Share } from '../../common/ask-with-tools.ts';
import { type FactOf, fact } from '../facts.ts';
import type { Workstream } from '../forms/plan.ts';
import { type BlindTests, testsSchema } from '../forms/work.ts';
import { testsMessages } from '../prompts/work.ts';
import { RED_RUNS, readRedBefore } from '../rules/checks.ts';
import { isNoticed } from '../rules/locked.ts';
import { checksOf, isTestedFirst, testsOf } from '../rules/plan.ts';
import { castOf, type Ground, type TeamRun } from '../team-run.ts';
import { runCheck } from './checks.ts';
import { textsOf } from './design.ts';
import { contextOf } from './graph.ts';
import { askWorking } from './place.ts';

const WRITING = ['list', 'grep', 'read', 'write'] as const;
/** Where something was written already. */
const MENDING = [...WRITING, 'edit', 'remove'] as const;
const SHARE: Share = { turns: 10, calls: 30, tokens: 32_000 };

/** The tests of one requirement, as a commit of their own on the base. */
export interface BlindSet {
  readonly workstream: string;
  readonly requirement: string;
  readonly commit: string;
  readonly files: readonly string[];
}

type State = FactOf<'tests.written'>['tests'][number]['state'];

/** Side by side. A workstream whose tests could not be had is said to have none, and goes on. */
export async function writeTests(
  team: TeamRun,
  key: string,
  tree: string,
  ground: Ground,
): Promise<readonly BlindSet[]> {
  const wanted = ground.plan.workstreams.filter((one) => isTestedFirst(one, team.edition));
  const written = await Promise.all(
    wanted.map((one) => writeFor(team, `${key}/${one.id}`, tree, ground, one)),
  );
  const kept: Written[] = [];
  for (const one of written)
    if (one !== undefined && (await goesTogether(team, one, kept))) kept.push(one);
  const sets = await Promise.all(kept.map((one) => hold(team, tree, ground, one)));
  return sets.flat();
}

/** What somebody has written for a workstream, committed on the base. */
interface Written {
  readonly key: string;
  readonly workstream: Workstream;
  readonly blind: BlindTests;
  readonly commit: string;
  readonly files: readonly string[];
  /** What became of each requirement's files on the base. */
  readonly tried: readonly {
    readonly requirement: string;
    readonly paths: readonly string[];
    readonly state: State;
  }[];
}

/**
 * Whoever writes tests sees no others: two workstreams may have one file, and no task could begin with
 * both. The first in the plan keeps it.
 */
async function goesTogether(
  team: TeamRun,
  { key, workstream, commit, files }: Written,
  kept: readonly Written[],
): Promise<boolean> {
  for (const other of kept) {
    const shared = files.filter((path) => other.files.includes(path));
    if (shared.length === 0) continue;
    const differ = await team.look(
      `${key}/beside-${other.workstream.id}`,
      { commit, other: other.commit },
      (signal) => team.workshop.changes(other.commit, commit, signal),
    );
    const twice = shared.filter((path) => differ.some((one) => one.path === path));
    if (twice.length === 0) continue;
    const why = `${twice.join(', ')}: written for ${other.workstream.id} as well, with another text`;
    await recordNone(team, key, workstream.id, why);
    return false;
  }
  return true;
}

function recordNone(team: TeamRun, key: string, workstream: string, why: string): Promise<void> {
  return team.record(`${key}/none`, why, [
    fact('tests.written', { workstream, files: [], tests: [], untestable: [], why }),
  ]);
}

async function writeFor(
  team: TeamRun,
  key: string,
  tree: string,
  ground: Ground,
  workstream: Workstream,
): Promise<Written | undefined> {
  const { plan, survey } = ground;
  const requirements = plan.requirements.filter(
    ({ id, proof }) => proof === 'test' && workstream.covers.includes(id),
  );
  if (requirements.length === 0) return undefined;
  const globs = testsOf(plan, survey);
  const example = team.edition < 3 ? undefined : await exampleOf(team, key, tree, survey, globs);
  let from = tree;
  let again: string | undefined;
  // From version 3 on once more, where the answer names tests that are not there.
  for (const step of team.edition < 3 ? [key] : [key, `${key}/again`]) {
    const asked = await askWorking(
      team,
      step,
      from,
      {
        ...{ task: 'team/tests', seat: 't5-1', schema: testsSchema },
        cast: castOf(plan, 'T5', { workstream: workstream.id }),
        about: { items: requirements.map(({ id }) => id) },
        messages: testsMessages(
          contextOf(team, ground),
          requirements,
          globs,
          takenBy(plan),
          team.edition < 3 ? {} : { example, again, edition: team.edition },
        ),
      },
      {
        ...{ share: SHARE, tools: again === undefined ? WRITING : MENDING },
        told: {
          rules: ['Write only new files of tests; whatever else you change is refused as a whole.'],
        },
      },
    );
    if ('why' in asked.answer) {
      again = asked.answer.why;
      break;
    }
    const blind = asked.answer.value;
    const ids = requirements.map(({ id }) => id);
    const nothing = blind.untestable.filter(({ requirement }) => ids.includes(requirement));
    if (team.edition >= 3 && asked.tree === tree && nothing.length >= ids.length) {
      await recordUntestable(team, step, workstream.id, nothing);
      return undefined;
    }
    const committed = await commitTests(team, step, ground, globs, asked.tree, workstream.id);
    const { commit, files, why } = committed;
    const missing = blind.tests.flatMap(({ path }) => (files.includes(path) ? [] : [path]));
    const isLast = step !== key || team.edition < 3;
    if (commit !== undefined && (missing.length === 0 || isLast)) {
      const of = { commit, files };
      const tried = await tryOnBase(team, isLast ? key : step, tree, ground, workstream, blind, of);
      const unrun = tried.filter(({ state }) => state === 'not-run');
      if (unrun.length === 0 || isLast) return { key, workstream, blind, commit, files, tried };
      again = tellUnrun(unrun.flatMap(({ paths }) => paths));
    } else
      again =
        commit === undefined
          ? (why ?? 'no file was written')
          : `these files are named and were not written: ${missing.join(', ')}`;
    from = commit === undefined && asked.tree !== tree ? tree : asked.tree;
  }
  await recordNone(team, key, workstream.id, again ?? 'no file was written');
  return undefined;
}

function tellUnrun(paths: readonly string[]): string {
  return `no check ran a test of ${[...new Set(paths)].sort().join(', ')}: the runner looks for tests by their names, or could not take the files in. Write them again under names that the runner finds, as those of the tests that are there, and remove the others`;
}

/** No test can show any of them, and whoever was to write them says why. */
function recordUntestable(
  team: TeamRun,
  key: string,
  workstream: string,
  untestable: BlindTests['untestable'],
): Promise<void> {
  return team.record(`${key}/untestable`, untestable, [
    fact('tests.written', {
      ...{ workstream, files: [], tests: [] },
      untestable: untestable.map((one) => ({ ...one })),
    }),
  ]);
}

/** Characters of a test that is shown as an example. */
const MOST_EXAMPLE = 4_000;

/** The first test of the repository that is short enough to be shown whole, else the start of the first. */
async function exampleOf(
  team: TeamRun,
  key: string,
  tree: string,
  { paths }: Ground['survey'],
  globs: readonly string[],
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const tests = paths.filter((path) => matchesGlob(path, globs)).slice(0, MOST_LOOKED);
  const texts = [...(await textsOf(team, `${key}/example`, tree, tests))].filter(([, text]) =>
    TESTING.test(text),
  );
  const [path, text] = texts.find(([, one]) => one.length <= MOST_EXAMPLE) ?? texts[0] ?? [];
  return path === undefined || text === undefined
    ? undefined
    : { path, text: text.slice(0, MOST_EXAMPLE) };
}

/** Files that are looked at for an example; among them are data and helpers, which say no such word. */
const MOST_LOOKED = 8;
const TESTING = /\b(?:test|it|describe|assert|expect|should|Test)/;

/** Files that the plan's own tasks hold: tests of the same name would lock them. */
function takenBy({ workstreams }: Ground['plan']): string[] {
  return [...new Set(workstreams.flatMap(({ task }) => task?.files ?? []))].sort();
}

interface CommittedTests {
  readonly commit?: string | undefined;
  readonly files: readonly string[];
  readonly why?: string | undefined;
}

/** Only new files that look like tests. */
function commitTests(
  team: TeamRun,
  key: string,
  { survey }: Ground,
  globs: readonly string[],
  tree: string,
  workstream: string,
): Promise<CommittedTests> {
  const { workshop } = team;
  return team.act(`${key}/commit`, { tree, base: survey.base, globs }, async (signal) => {
    const changes = await workshop.changes(survey.base, tree, signal);
    const old = changes.filter(({ kind }) => kind !== 'added').map(({ path }) => path);
    const answer =
      old.length > 0
        ? {
            done: false as const,
            refused: old.map((path) => ({ path, why: 'it was there before' })),
          }
        : await workshop.commit(
            {
              tree,
              parents: [survey.base],
              message: `Test ${workstream} before it is built`,
              may: globs,
            },
            signal,
          );
    const refused = answer.done ? [] : answer.refused.map((one) => ({ ...one }));
    const value: CommittedTests = answer.done
      ? { commit: answer.commit, files: answer.files }
      : { files: [], why: whyRefused(refused) };
    return {
      value,
      facts: [
        fact('commit.made', {
          ...{ for: 'tests', workstream, tree, refused },
          files: [...value.files],
          ...(value.commit === undefined ? {} : { commit: value.commit }),
        }),
      ],
    };
  });
}

function whyRefused(refused: readonly { readonly path: string; readonly why: string }[]): string {
  return refused.every(({ why }) => why === 'empty')
    ? 'no file was written'
    : refused.map(({ path, why }) => `${path}: ${why}`).join(', ');
}

/** Which of them are red on the base: each requirement's files alone, with what else was written. */
async function tryOnBase(
  team: TeamRun,
  step: string,
  tree: string,
  ground: Ground,
  workstream: Workstream,
  { tests }: BlindTests,
  { commit, files }: { readonly commit: string; readonly files: readonly string[] },
): Promise<Written['tried']> {
  const own = tests.filter(
    ({ path, requirement }) => files.includes(path) && workstream.covers.includes(requirement),
  );
  const listed = new Set(own.map(({ path }) => path));
  // What no requirement claims helps all of them.
  const helpers = files.filter((path) => !listed.has(path));
  // Requirements with the same files are shown by the same runs.
  const known = new Map<string, State>();
  const tried: Written['tried'][number][] = [];
  for (const requirement of [...new Set(own.map((one) => one.requirement))].sort()) {
    const paths = [
      ...new Set([
        ...own.flatMap((one) => (one.requirement === requirement ? [one.path] : [])),
        ...helpers,
      ]),
    ].sort();
    const same = paths.join('\0');
    const state =
      known.get(same) ??
      (await redOnBase(team, `${step}/${requirement}`, {
        tree,
        ground,
        workstream,
        commit,
        paths,
      }));
    known.set(same, state);
    tried.push({ requirement, paths, state });
  }
  return tried;
}

/** Those that are red, locked: each requirement's as a commit of its own. */
async function hold(
  team: TeamRun,
  tree: string,
  ground: Ground,
  { key, workstream, blind: { tests, untestable }, commit, files, tried }: Written,
): Promise<readonly BlindSet[]> {
  const sets: BlindSet[] = [];
  for (const { requirement, paths, state } of tried) {
    if (state !== 'red') continue;
    const set = await commitSet(
      ...([team, `${key}/${requirement}`, ground, requirement, tree, commit, paths] as const),
    );
    if (set !== undefined)
      sets.push({ workstream: workstream.id, requirement, commit: set, files: paths });
  }
  const states = new Map(tried.map(({ requirement, state }) => [requirement, state]));
  const own = tests.filter(
    ({ path, requirement }) => files.includes(path) && workstream.covers.includes(requirement),
  );
  await team.record(`${key}/written`, { own, states: [...states], commit }, [
    fact('tests.written', {
      ...{ workstream: workstream.id, commit, files: [...files] },
      tests: own.map((one) => ({ ...one, state: states.get(one.requirement) ?? 'not-run' })),
      untestable: untestable.map((one) => ({ ...one })),
    }),
  ]);
  return sets;
}

interface Tried {
  /** Of the base. */
  readonly tree: string;
  readonly ground: Ground;
  readonly workstream: Workstream;
  readonly commit: string;
  readonly paths: readonly string[];
}

/**
 * Runs the files on the base, up to three times. From version 3 on a green run ends it, and files in which
 * no runner has noticed a test are `not-run`, whatever the check's exit code.
 */
async function redOnBase(
  team: TeamRun,
  key: string,
  { tree, ground: { survey, plan, provision, base }, workstream, commit, paths }: Tried,
): Promise<State> {
  const runners = testRunners(base);
  let found: State = 'not-run';
  for (const check of checksOf(plan).filter((one) => runners.has(one.id))) {
    const before = base.find((one) => one.check === check.id)?.runs[0];
    const runs: CheckRun[] = [];
    for (let time = 1; time <= RED_RUNS; time += 1) {
      const run = await runCheck(team, `${key}/${check.id}-${time}`, provision, check, {
        ...{ kind: 'red-before', tree, commit: survey.base, workstream: workstream.id },
        over: { from: commit, paths },
      });
      runs.push(run);
      if (team.edition >= 3 && run.exit === 0) break;
    }
    const state = readRedBefore(runs);
    // One runner that does not know these files says nothing of them.
    if (state === 'red') return 'red';
    const [run] = runs;
    const isUnnoticed =
      team.edition >= 3 && run?.exit === 0 && before !== undefined && !isNoticed(before, run);
    if (state === 'vacuous' && !isUnnoticed) found = 'vacuous';
  }
  return found;
}

/**
 * Checks that count tests; where no runner is known, all of them. Only those that are green on the base:
 * where a check is red anyway, that it is red with a new test shows nothing.
 */
export function testRunners(base: Ground['base']): ReadonlySet<string> {
  const green = base.filter(({ state }) => state === 'green');
  const counting = green.filter(({ runs }) => runs.some(({ counts }) => counts !== undefined));
  const chosen = counting.length > 0 ? counting : green;
  return new Set(chosen.map(({ check }) => check));
}

function commitSet(
  team: TeamRun,
  key: string,
  { survey }: Ground,
  requirement: string,
  baseTree: string,
  from: string,
  paths: readonly string[],
): Promise<string | undefined> {
  const { workshop } = team;
  return team
    .look(`${key}/commit`, { base: survey.base, from, paths }, async (signal) => {
      let tree = baseTree;
      for (const path of paths)
        tree = await workshop.put(tree, path, await workshop.text(from, path, signal), signal);
      const message = `Test ${requirement} before it is built`;
      const made = await workshop.commit({ tree, parents: [survey.base], message }, signal);
      return made.done ? made.commit : null;
    })
    .then((commit) => commit ?? undefined);
}
