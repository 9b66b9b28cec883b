/**
 * Has acceptance tests written before the work, by a seat that has seen no implementation. They have to be
 * new files that fail on the base. Seats that do the work cannot change them.
 */

import { matchesGlob } from '../../../text/globs.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { Share } from '../../common/asking/tool-texts.ts';
import { fact } from '../facts.ts';
import type { Workstream } from '../forms/plan.ts';
import { type BlindTests, testsSchema } from '../forms/work.ts';
import { testsMessages } from '../prompts/work.ts';
import { isTestedFirst, testsOf } from '../rules/plan.ts';
import { castOf, type TeamRun, type WorkBasis } from '../team-run.ts';
import { readTexts } from './design.ts';
import { contextOf } from './graph.ts';
import { askWorking } from './place.ts';
import { type TriedTests, tryOnBase } from './tests-on-base.ts';

const WRITING = ['list', 'grep', 'read', 'write'] as const;
/** The tools for a second try, when test files exist already. */
const MENDING = [...WRITING, 'edit', 'remove'] as const;
const SHARE: Share = { turns: 10, calls: 30, tokens: 32_000 };

/**
 * The acceptance tests of one requirement, in a commit of their own on top of the base (the commit
 * that the work starts from).
 */
export interface BlindSet {
  readonly workstream: string;
  readonly requirement: string;
  readonly commit: string;
  readonly files: readonly string[];
}

/**
 * Has the first verifier (T5) write acceptance tests, for all workstreams at the same time. A workstream
 * is left out if none of its requirements needs a test, or if an old version of the rules wants no tests
 * on its path. A workstream whose tests could not be written is recorded without tests.
 * @param tree the tree of the base (the commit that the work starts from)
 * @returns the sets of tests that fail on the base, as they should
 */
export async function writeTests(
  team: TeamRun,
  key: string,
  tree: string,
  ground: WorkBasis,
): Promise<readonly BlindSet[]> {
  const wanted = ground.plan.workstreams.filter((workstream) =>
    isTestedFirst(workstream, team.edition),
  );
  const written = await Promise.all(
    wanted.map((workstream) => writeFor(team, `${key}/${workstream.id}`, tree, ground, workstream)),
  );
  const kept: Written[] = [];
  for (const testSet of written)
    if (testSet !== undefined && (await goesTogether(team, testSet, kept))) kept.push(testSet);
  const sets = await Promise.all(kept.map((testSet) => lockRedTests(team, tree, ground, testSet)));
  return sets.flat();
}

/** The tests that a seat wrote for a workstream, committed on the base. */
interface Written {
  readonly key: string;
  readonly workstream: Workstream;
  readonly blind: BlindTests;
  readonly commit: string;
  readonly files: readonly string[];
  readonly tried: readonly TriedTests[];
}

/**
 * Returns whether these tests can be kept beside those kept already. They cannot if both contain a file of
 * the same path with different texts, because no task could start from both. This happens because authors do
 * not see the tests of other workstreams.
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
    const twice = shared.filter((path) => differ.some((change) => change.path === path));
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
  ground: WorkBasis,
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
  // From version 3 of the rules on, ask the verifier for the tests a second time if its files cannot be committed, if
  // its answer names files that it did not write, or if the checks ran no test of some requirement.
  for (const step of team.edition < 3 ? [key] : [key, `${key}/again`]) {
    const asked = await askWorking(
      team,
      step,
      from,
      {
        task: 'team/tests',
        seat: 't5-1',
        schema: testsSchema,
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
        share: SHARE,
        tools: again === undefined ? WRITING : MENDING,
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

/** Records that the author can test none of the requirements, with the reasons. */
function recordUntestable(
  team: TeamRun,
  key: string,
  workstream: string,
  untestable: BlindTests['untestable'],
): Promise<void> {
  return team.record(`${key}/untestable`, untestable, [
    fact('tests.written', {
      workstream,
      files: [],
      tests: [],
      untestable: untestable.map((entry) => ({ ...entry })),
    }),
  ]);
}

/** The most characters of an existing test that a prompt shows as an example. */
const MOST_EXAMPLE = 4_000;

/**
 * Returns the first existing test that is short enough to be shown whole, or the start of the first test.
 * Undefined if there is none.
 */
async function exampleOf(
  team: TeamRun,
  key: string,
  tree: string,
  { paths }: WorkBasis['survey'],
  globs: readonly string[],
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const tests = paths.filter((path) => matchesGlob(path, globs)).slice(0, MOST_LOOKED);
  const texts = [...(await readTexts(team, `${key}/example`, tree, tests))].filter(([, text]) =>
    TESTING.test(text),
  );
  const [path, text] = texts.find(([, text]) => text.length <= MOST_EXAMPLE) ?? texts[0] ?? [];
  return path === undefined || text === undefined
    ? undefined
    : { path, text: text.slice(0, MOST_EXAMPLE) };
}

/** How many files are searched for an example. Some are data or helpers, which do not match `TESTING`. */
const MOST_LOOKED = 8;
const TESTING = /\b(?:test|it|describe|assert|expect|should|Test)/;

/** Returns the files that tasks of the plan hold. A test with the same path would lock such a file. */
function takenBy({ workstreams }: WorkBasis['plan']): string[] {
  return [...new Set(workstreams.flatMap(({ task }) => task?.files ?? []))].sort();
}

interface CommittedTests {
  readonly commit?: string | undefined;
  readonly files: readonly string[];
  readonly why?: string | undefined;
}

/**
 * Commits the written tests on the base. Refuses changes to existing files and files that do not match the
 * globs of tests.
 */
function commitTests(
  team: TeamRun,
  key: string,
  { survey }: WorkBasis,
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
    const refused = answer.done ? [] : answer.refused.map((file) => ({ ...file }));
    const value: CommittedTests = answer.done
      ? { commit: answer.commit, files: answer.files }
      : { files: [], why: whyRefused(refused) };
    return {
      value,
      facts: [
        fact('commit.made', {
          for: 'tests',
          workstream,
          tree,
          refused,
          files: [...value.files],
          ...withoutUndefined({ commit: value.commit }),
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

/** Locks the tests that are red, with one commit for each requirement, and records all results. */
async function lockRedTests(
  team: TeamRun,
  tree: string,
  ground: WorkBasis,
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
      workstream: workstream.id,
      commit,
      files: [...files],
      tests: own.map((test) => ({ ...test, state: states.get(test.requirement) ?? 'not-run' })),
      untestable: untestable.map((entry) => ({ ...entry })),
    }),
  ]);
  return sets;
}

function commitSet(
  team: TeamRun,
  key: string,
  { survey }: WorkBasis,
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
