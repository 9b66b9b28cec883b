/** Asks the person to approve the plan, before anything below T1 costs money. */
import { computeDigest } from '../../../kernel/digest.ts';
import { DeliberateError, RunStopped } from '../../../kernel/errors.ts';
import { type GateQuestion, readAnswer } from '../../../kernel/handle.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import type { Provision, Survey } from '../../../kernel/tools/workshop.ts';
import { isPattern } from '../../../text/globs.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { estimateTiers } from '../estimate.ts';
import { fact } from '../facts.ts';
import { forecastOf } from '../forecast.ts';
import type { TeamPlan } from '../forms/plan.ts';
import type { PlanningCost } from '../measured.ts';
import { collectMended, planLines } from '../plan-lines.ts';
import { castRows, changeCast } from '../rules/cast.ts';
import { approvalOf, checksOf, findGuardedHeld, guardedOf } from '../rules/plan.ts';
import { doubtRows } from '../rules/spec.ts';
import type { TeamRun } from '../team-run.ts';
import { MOST_TEXT } from './brief.ts';
import { amendPlan, type PlanResult } from './plan.ts';
import { deriveProvision, readProvision, type SurveyResult } from './survey.ts';

/** A plan that the person has approved, and the files that its checks may use. */
export interface ApprovedPlan {
  readonly plan: TeamPlan;
  readonly provision: Provision;
}

/** How often a person may have a plan amended before the run ends. */
const MOST_AMENDMENTS = 10;
/** The most entries of a list that the question shows; further entries are only counted. */
const MOST_SHOWN = 12;

/**
 * Asks a person to approve the plan. If they ask for a change, T1 changes the plan and they are asked again.
 * If the settings want only a plan (`--plan-only`), the first attempt stops before the question; when the
 * run is resumed, the person is asked.
 * @param first the plan to begin with
 * @param isFirstAttempt whether this is the first attempt of the run
 * @returns the approved plan, or `why` the run ends without one
 * @throws RunStopped if only a plan is wanted in the first attempt, or if nobody is there to answer
 */
export async function approvePlan(
  team: TeamRun,
  surveyed: SurveyResult,
  first: TeamPlan,
  isFirstAttempt: boolean,
): Promise<ApprovedPlan | { readonly why: string }> {
  let provision = deriveProvision(team, surveyed.survey);
  let why: string | undefined;
  // If only a plan is wanted, stop before the question whether to approve it, but in the first attempt only: a
  // person who resumes the run wants to answer.
  if (team.config.planOnly === true && isFirstAttempt)
    throw new RunStopped('gate', 'the plan is ready to be approved');
  let plan = first;
  for (let time = 1; time <= MOST_AMENDMENTS; time += 1) {
    // The key contains a digest of the plan and of the list of what checks may use (paths, a set-up command). So a
    // person is asked anew if the plan or this list has changed.
    const key = `approve/${time}-${computeDigest({ plan, provision }).slice(0, 12)}`;
    const measured = await measurePlanning(team, `${key}/measured`, surveyed.tree, plan);
    const { answer, by } = await team.askPerson(
      key,
      makeQuestion(team, surveyed.survey, plan, { provision, why, measured }),
    );
    const { value, words } = readAnswer(answer);
    if (value === 'reject') return { why: 'the plan was rejected' };
    if (value === 'approve') {
      await team.record(`${key}/approved`, { plan, provision, by }, [
        fact('team.approved', {
          by,
          checks: checksOf(plan).map(approvalOf),
          provide: [...provision.folders, ...provision.files],
        }),
      ]);
      return { plan, provision };
    }
    why = undefined;
    if (value === 'provide') {
      const wanted = await provideInstead(team, `approve/provide-${time}`, surveyed, words);
      if ('why' in wanted) why = `Not provided: ${wanted.why}`;
      else provision = wanted;
      continue;
    }
    if (value === 'cast') {
      const cast = changeCast(words, plan, team.config.specialists);
      if ('why' in cast) why = `Not taken: ${cast.why}`;
      else plan = await recastPlan(team, `approve/cast-${time}`, plan, cast, words);
      continue;
    }
    const before = { plan, found: [], refused: [] };
    const amended: PlanResult = await amendPlan(
      team,
      `approve/amend-${time}`,
      surveyed,
      'person',
      before,
      {
        wish: words,
      },
    );
    if ('why' in amended) return amended;
    plan = amended.plan;
  }
  return { why: `the plan was amended ${MOST_AMENDMENTS} times and not approved` };
}

/** Records the plan with another cast. This calls no model. */
async function recastPlan(
  team: TeamRun,
  key: string,
  before: TeamPlan,
  cast: TeamPlan['cast'],
  wish: string,
): Promise<TeamPlan> {
  const plan = { ...before, cast };
  await team.record(key, { plan, wish }, [
    fact('team.planned', { plan, by: 'person', found: [], refused: [], wish }),
  ]);
  return plan;
}

/**
 * Copies the files that a person has named before the plan is approved, so that the person is told now if a
 * file is missing.
 */
async function provideInstead(
  team: TeamRun,
  key: string,
  { survey }: SurveyResult,
  words: string,
): Promise<Provision | { readonly why: string }> {
  const wanted = readProvision(words, survey);
  if ('why' in wanted) return wanted;
  const { setUp: _later, ...copied } = wanted;
  const why = await team.look(key, { copied, run: team.run.id }, async (signal) => {
    try {
      await team.workshop.prepare(survey.base, copied, signal);
      return null;
    } catch (error) {
      if (error instanceof DeliberateError) return toLine(error.message);
      throw error;
    }
  });
  return why === null ? wanted : { why };
}

/**
 * Measures what planning took, and the size of the files that tasks hold. The measurement is recorded, so
 * that a fork or a resumed run asks the same question. Undefined before version 5 of the rules.
 */
async function measurePlanning(
  team: TeamRun,
  key: string,
  tree: string,
  { workstreams }: TeamPlan,
): Promise<PlanningCost | undefined> {
  if (team.edition < 5) return undefined;
  const tasks = workstreams.flatMap(({ task }) => task ?? []);
  return team.look(key, { held: tasks.map(({ files }) => files) }, async (signal) => {
    let held = 0;
    for (const { files } of tasks) {
      const texts = await Promise.all(
        files
          .filter((file) => !isPattern(file))
          .map((file) => team.workshop.text(tree, file, signal)),
      );
      held += estimateTokens(texts.join('').slice(0, MOST_TEXT));
    }
    return { ...team.paidBy('T1'), held: tasks.length === 0 ? 0 : held / tasks.length };
  });
}

function makeQuestion(
  team: TeamRun,
  survey: Survey,
  plan: TeamPlan,
  {
    provision,
    why,
    measured,
  }: {
    readonly provision: Provision;
    readonly why: string | undefined;
    readonly measured: PlanningCost | undefined;
  },
): GateQuestion {
  return {
    prompt: [
      ...(why === undefined ? [] : [`${why}.`, '']),
      ...(plan.no_team === '' ? [] : [toLine(`T1 says that no team is needed: ${plan.no_team}`)]),
      `The plan: ${formatCount(plan.requirements.length, 'requirement')}, ${formatCount(plan.workstreams.length, 'workstream')}.`,
      '',
      ...planLines(plan, {
        survey,
        edition: team.edition,
        found: team.view.planned.at(-1)?.found ?? [],
        mended: collectMended(team.view.planned),
        doubts: doubtRows(team.config.spec),
        cast: hasPool(team) ? castRows(plan, team.config.specialists) : [],
        prices: estimateTiers(plan, team.goal, team.seats, team.config, survey, measured),
        forecast: forecastOf(plan, team.goal, team.seats, team.config, survey, measured),
        provided: providedRows(provision),
        held: findGuardedHeld(
          plan.workstreams.flatMap(({ task }) => task ?? []),
          guardedOf(plan, survey),
        ),
      }),
      '',
      'Approving a check approves running what the team writes.',
      ...programRows(team.config),
      sandboxLine(survey, team.config.unsandboxed === true),
    ].join('\n'),
    options: [
      { value: 'approve', label: 'Approve the plan and its checks' },
      { value: 'amend', label: 'Have it changed', words: 'What should be different?' },
      ...(hasPool(team) ? [RECAST] : []),
      ...(team.config.version === undefined ? [] : [PROVIDE]),
      { value: 'reject', label: 'Reject it' },
    ],
    default: 'approve',
  };
}

/**
 * Returns whether the settings say which tiers the specialists suit. In old runs they do not, and the plan
 * is then shown without its cast.
 */
function hasPool({ config }: TeamRun): boolean {
  return config.specialists.some(({ tiers }) => tiers !== undefined);
}

const RECAST = {
  value: 'cast',
  label: 'Change who plays which tier',
  words: 'Who instead? (T5=security-reviewer, T4 list=backend, T2=nobody)',
};

const PROVIDE = {
  value: 'provide',
  label: 'Provide other files to the checks',
  words: 'Which ones instead? (node_modules, .env.test; run npm ci)',
};

/**
 * Formats the program that does the work, if it is not a model. The person has to see it before agreeing,
 * because the run's settings may come from somebody else's file.
 */
function programRows({ runtime }: TeamRun['config']): string[] {
  return runtime.kind === 'standard'
    ? []
    : [toLine(`The work is done by a program, with network: ${JSON.stringify(runtime.argv)}`)];
}

function sandboxLine({ sandbox }: Survey, isSaid: boolean): string {
  return sandbox === 'none'
    ? `There is no sandbox here: commands could write anywhere and use the network.${isSaid ? '' : ' You are asked once more before the first one.'}`
    : `Commands run in ${sandbox}: they can write to their own tree only, and have no network but loopback.`;
}

function providedRows({ folders, files, setUp }: Provision): string[] {
  const all = [...folders.map((folder) => `${folder}/`), ...files];
  return [
    all.length === 0 ? 'nothing beside what is committed' : listPaths(all),
    ...(setUp === undefined
      ? []
      : [`run once before, with network: ${JSON.stringify(setUp.argv)}`]),
  ];
}

function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_SHOWN).map(toLine);
  const left = paths.length - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
