/**
 * Runs the checks on the base before the work begins, so that nobody is blamed later for what fails there.
 */

import { DeliberateError } from '../../../kernel/errors.ts';
import { readAnswer } from '../../../kernel/handle.ts';
import type { Check, CheckRun, Provision, Survey } from '../../../kernel/tools/workshop.ts';
import { toLine } from '../../../text/line.ts';
import { type BaseCheck, judgeBaseRuns } from '../rules/checks.ts';
import { checksOf } from '../rules/plan.ts';
import type { TeamRun, WorkBasis } from '../team-run.ts';
import type { ApprovedPlan } from './approve.ts';
import { runCheck } from './checks.ts';
import { readTexts } from './design.ts';
import { mayRunUnboxed, requireSandbox, UNALLOWED } from './sandboxed.ts';
import { readProvision, type SurveyResult } from './survey.ts';

/**
 * Prepares what checks need and runs every check twice on the base (the commit that the work starts
 * from). A person decides if there is no sandbox, if something cannot be prepared, if a check cannot
 * start, or if no check is green.
 * @returns what the work can build on, or `why` the run ends
 */
export async function checkBase(
  team: TeamRun,
  { survey }: SurveyResult,
  { plan, provision: approved }: ApprovedPlan,
): Promise<WorkBasis | { readonly why: string }> {
  if (survey.sandbox === 'none' && !(await mayRunUnboxed(team))) return { why: UNALLOWED };
  const prepared = await prepareForChecks(team, survey, approved);
  if ('why' in prepared) return prepared;
  const { tree, provision } = prepared;
  const base = await runOnBase(team, 'base', { survey, provision, tree }, checksOf(plan));
  if ('why' in base) return base;
  if (base.some(({ state }) => state === 'green') || (await mayWorkOnRed(team, base, tree)))
    return { survey, plan, provision, base };
  return { why: 'no check is green on the base' };
}

interface Prepared {
  readonly tree: string;
  readonly provision: Provision;
}

/**
 * Copies the files and runs the set-up command that checks need. If this fails, the person chooses what to
 * provide instead.
 */
async function prepareForChecks(
  team: TeamRun,
  survey: Survey,
  approved: Provision,
): Promise<Prepared | { readonly why: string }> {
  let provision = approved;
  for (let time = 1; ; time += 1) {
    const key = `base/prepare${time === 1 ? '' : `-${time}`}`;
    const wish = { base: survey.base, provision, run: team.run.id };
    const made = await team.look(key, wish, async (signal) => {
      if (provision.setUp !== undefined) await requireSandbox(team, signal);
      try {
        return await team.workshop.prepare(survey.base, provision, signal);
      } catch (error) {
        if (!isOfPerson(error)) throw error;
        return { why: error.message };
      }
    });
    if (!('why' in made)) return { tree: made.tree, provision };
    const chosen = await provideOtherwise(team, `${key}/failed`, survey, provision, made.why);
    if ('why' in chosen) return chosen;
    provision = chosen;
  }
}

function isOfPerson(error: unknown): error is DeliberateError {
  return error instanceof DeliberateError && ['set-up', 'not-provided'].includes(error.code);
}

/** The most lines of a failed command's output that the question shows. */
const MOST_PRINTED = 12;

async function provideOtherwise(
  team: TeamRun,
  key: string,
  survey: Survey,
  provision: Provision,
  why: string,
): Promise<Provision | { readonly why: string }> {
  const [first = '', ...printed] = why.split('\n').filter((row) => row.trim() !== '');
  let misread: string | undefined;
  for (let time = 1; ; time += 1) {
    const { answer } = await team.askPerson(`${key}-${time}`, {
      prompt: [
        ...(misread === undefined ? [] : [`Not taken: ${misread}.`]),
        toLine(`Checks cannot have what they need: ${first}`),
        ...printed.slice(-MOST_PRINTED).map((row) => `  ${toLine(row)}`),
        'Nothing was paid for below the plan.',
      ].join('\n'),
      options: [
        { value: 'stop', label: 'Stop here' },
        { value: 'again', label: 'Try it again' },
        {
          value: 'provide',
          label: 'Provide something else',
          words: 'What instead? (node_modules, .env.test; run npm ci)',
        },
      ],
      default: 'stop',
    });
    const { value, words } = readAnswer(answer);
    if (value === 'again') return provision;
    if (value !== 'provide')
      return {
        why: toLine(
          `checks cannot have what they need: ${first}. Put it right and begin again, with another --set-up or --provide`,
        ),
      };
    const wanted = readProvision(words, survey);
    if (!('why' in wanted)) return wanted;
    misread = wanted.why;
  }
}

/**
 * Asks a person whether to work although no check is green on the base, so that no check can prove the
 * work. If the goal itself names every test that fails, or its file, that is the work, so it is done by default
 * from version 7 of the rules on.
 */
async function mayWorkOnRed(
  team: TeamRun,
  base: readonly BaseCheck[],
  tree: string,
): Promise<boolean> {
  const isGoal = team.edition >= 7 && base.length > 0 && (await areAllNamed(team, base, tree));
  const { answer } = await team.askPerson('base/red', {
    prompt: [
      isGoal
        ? 'No check is green on the base, before anything was changed. The goal names all tests that fail.'
        : 'No check is green on the base, before anything was changed: none can show that a requirement is met.',
      ...base.map(({ check, state, red, runs }) =>
        toLine(`${check} is ${state}: ${red.join(', ') || lastLine(runs)}`),
      ),
    ].join('\n'),
    options: [
      { value: 'stop', label: 'Stop here' },
      { value: 'work', label: 'Work all the same' },
    ],
    default: isGoal ? 'work' : 'stop',
  });
  return answer === 'work';
}

/** Matches a file's path in a text. */
const PATH = /[\w./-]*\w\.\w+/g;

/** Returns whether the goal names every test that fails: by its name, or by the file that has it. */
async function areAllNamed(
  team: TeamRun,
  base: readonly BaseCheck[],
  tree: string,
): Promise<boolean> {
  const areNamedIn = (texts: readonly string[]): boolean =>
    base.every(({ red }) => red.length > 0 && red.every((test) => isNamed(test, texts)));
  if (areNamedIn([team.goal])) return true;
  const paths = (team.goal.match(PATH) ?? []).filter((path) => !/^\/|\.\./.test(path));
  const files = await readTexts(team, 'base/named', tree, paths);
  return areNamedIn([team.goal, ...files.values()]);
}

function isNamed(test: string, texts: readonly string[]): boolean {
  return namesOf(test).some((name) => texts.some((text) => text.includes(name)));
}

/** The least characters of a test's name: shorter ones are words such as "adds", which goals contain anyway. */
const SHORTEST_NAME = 8;

/** Returns what a text has to contain to name a test: its whole title, or its name in the code. */
function namesOf(test: string): string[] {
  const inCode = /^\w+/.exec(test)?.[0] ?? '';
  const isCode = /_|[a-z0-9][A-Z]/.test(inCode);
  return [test.trim(), ...(isCode ? [inCode] : [])].filter((name) => name.length >= SHORTEST_NAME);
}

/**
 * Runs each check twice on the base (the commit that the work starts from). If some checks cannot
 * start, a person decides whether to work without them.
 * @returns the states of the checks that could start, or `why` the run ends
 */
export async function runOnBase(
  team: TeamRun,
  key: string,
  { survey, provision, tree }: Pick<WorkBasis, 'survey' | 'provision'> & { readonly tree: string },
  checks: readonly Check[],
): Promise<readonly BaseCheck[] | { readonly why: string }> {
  const base: BaseCheck[] = [];
  for (const check of checks) {
    const on = { kind: 'base', tree, commit: survey.base } as const;
    const one = await runCheck(team, `${key}/${check.id}`, provision, check, on);
    const two = await runCheck(team, `${key}/${check.id}-again`, provision, check, {
      ...on,
      before: one,
    });
    base.push(judgeBaseRuns(check.id, [one, two]));
  }
  const dead = base.filter(({ state }) => state === 'not-started');
  const without = await withoutThem(team, `${key}/not-started`, dead);
  return typeof without === 'string'
    ? { why: without }
    : base.filter((baseCheck) => !dead.includes(baseCheck));
}

/** Asks a person what to do about checks that cannot start, since no seat could fix them. */
async function withoutThem(
  team: TeamRun,
  key: string,
  dead: readonly BaseCheck[],
): Promise<true | string> {
  if (dead.length === 0) return true;
  const names = dead.map(({ check }) => check).join(', ');
  const { answer } = await team.askPerson(key, {
    prompt: [
      `These checks cannot start on the base: ${names}.`,
      ...dead.map(({ check, runs }) => toLine(`${check}: ${lastLine(runs)}`)),
      'Something they need may be missing: provide it, or have it set up.',
    ].join('\n'),
    options: [
      { value: 'stop', label: 'Stop here' },
      { value: 'without', label: 'Work without these checks' },
    ],
    default: 'stop',
  });
  return answer === 'without' ? true : `a check cannot start: ${names}`;
}

function lastLine(runs: readonly CheckRun[]): string {
  const [run] = runs.slice(-1);
  const text = run?.output.trim().split('\n').at(-1) ?? '';
  return text === '' ? (run?.ended ?? 'it printed nothing') : text;
}
