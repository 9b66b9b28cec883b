/**
 * Formats the state of a team in one line: while it works, when it has ended, and while a person decides.
 */
import type { RunModel } from '../../../console/model/run-model.ts';
import { formatHint } from '../../../kernel/hints.ts';
import { shortId } from '../../../kernel/short-id.ts';
import type { RunView } from '../../../kernel/view.ts';
import { capitalize } from '../../../text/capitalize.ts';
import { formatCount } from '../../../text/numbers.ts';
import { textWidth } from '../../../text/width.ts';
import type { TeamView } from '../fold.ts';
import { listSome } from '../plan-lines.ts';
import type { RunningCall, TeamDisplay } from './display-state.ts';
import { getTeamDisplay } from './part.ts';
import { formatDelivery } from './tiers/ending.ts';

/** Says what the team is doing now, or that it waits for the person; undefined if no step is running. */
export function describeStatus(runModel: RunModel): string | undefined {
  const teamed = getTeamDisplay(runModel);
  const [first] = teamed.running;
  if (first !== undefined) return callWords(first, teamed);
  if (teamed.gate !== undefined) return 'The run waits for your answer.';
  const [step] = runModel.steps.running;
  // If no call is running, describe the running step of code, such as a check, which may take minutes.
  return step === undefined ? undefined : codeWords(step, teamed);
}

const PHASES: ReadonlyMap<string, string> = new Map([
  ['survey', 'Code looks at the repository.'],
  ['base', 'Code runs the checks on what the work starts from.'],
  ['tests', 'Code runs the tests that were written before the work.'],
  ['join', 'Code brings the work together and runs the checks.'],
  ['deliver', 'Code looks at what has changed at home.'],
]);

function codeWords(step: string, { team }: TeamDisplay): string {
  const parts = step.split('/');
  const id = team.tasks.map(({ task }) => task.id).find((taskId) => parts.includes(taskId));
  if (parts[0] === 'task' && id !== undefined) return `Code looks at the work of ${id}.`;
  return PHASES.get(parts[0] ?? '') ?? 'Code is at work.';
}

function callWords({ task, parts }: RunningCall, { running, team }: TeamDisplay): string {
  const same = running.filter((call) => call.task === task);
  const about = [...new Set(same.map((call) => subjectOf(call, team)).filter((id) => id !== ''))];
  const of = about.length === 0 ? '' : ` ${listSome(about, 3)}`;
  switch (task) {
    case 'team/plan':
      return 'T1 reads the repository and plans.';
    case 'team/critique':
      return 'T1 criticizes its own plan.';
    case 'team/boundaries':
      return 'T2 draws the boundaries.';
    case 'team/propose':
      return `T2 designs${of || ` ${formatCount(same.length, 'domain')}`}.`;
    case 'team/contradictions':
      return 'T2 looks for contradictions between the designs.';
    case 'team/answer':
      return `T2 settles contradictions${of && `:${of}`}.`;
    case 'team/architecture':
      return 'T2 writes the architecture.';
    case 'team/fit':
      return 'T1 checks the architecture against the goal.';
    case 'team/graph':
      return `T3 divides${of || ' the work'} into tasks.`;
    case 'team/tests':
      return `T5 writes tests${of && ` for${of}`} before there is any work.`;
    case 'team/work':
      return `T4 works on${of || ` ${formatCount(same.length, 'task')}`}. ${tasksWords(team)}`.trimEnd();
    case 'team/correct':
      return `The tier above looks at the failure${of && `:${of}`}.`;
    case 'team/verify':
      return `T5 verifies${of}.`;
    case 'team/look-again':
      return `T5 looks again${of && ` at${of}`}.`;
    case 'team/mend-probe':
      return `T5 puts a test of its own right${of && ` for${of}`}.`;
    case 'team/accept':
      return 'T1 checks the work against the requirements.';
    default:
      return `Running ${parts.join('/')}.`;
  }
}

/** Returns the task, workstream or domain that a call is about; empty if its step's key names none. */
function subjectOf({ parts }: RunningCall, { tasks, plan, designed }: TeamView): string {
  const known = [
    ...tasks.map(({ task }) => task.id),
    ...(plan?.workstreams ?? []).map(({ id }) => id),
    ...(designed?.boundaries.domains ?? []).map(({ id }) => id),
  ];
  return known.find((id) => parts.includes(id)) ?? '';
}

/** Formats how many tasks are done, such as `2 of 4 tasks done.`; empty if there are none yet. */
function tasksWords({ tasks }: TeamView): string {
  if (tasks.length === 0) return '';
  const done = tasks.filter(({ state }) => state === 'done').length;
  return `${done} of ${formatCount(tasks.length, 'task')} done.`;
}

/**
 * Formats how many requirements are met, such as `3 of 4 requirements met`; empty if there are none yet.
 */
export function formatRequirementCount({ requirements }: TeamView): string {
  if (requirements.length === 0) return '';
  const met = requirements.filter(({ state }) => state === 'met').length;
  return `${met} of ${formatCount(requirements.length, 'requirement')} met`;
}

/**
 * Formats the progress for the window's title, such as `2/4 tasks`; undefined if there is nothing to say
 * yet.
 */
export function formatProgress(runModel: RunModel): string | undefined {
  const { running, team } = getTeamDisplay(runModel);
  const done = team.tasks.filter(({ state }) => state === 'done').length;
  if (team.tasks.length > 0) return `${done}/${team.tasks.length} tasks`;
  const tier = running[0]?.tier;
  return tier === undefined ? undefined : { T1: 'planning', T2: 'design' }[String(tier)];
}

/** Formats in a few words how the run ended, for example `not accepted` or where the work was delivered. */
export function describeOutcome({ plan, accepted, delivered }: TeamView): string {
  if (plan === undefined) return 'not planned';
  if (plan.no_team !== '') return 'by T1, no team is needed';
  if (delivered !== undefined) return formatDelivery(delivered);
  const last = accepted.at(-1);
  if (last === undefined) return 'not finished';
  if (last.refused.length > 0) return 'its acceptance was refused';
  return last.acceptance?.decision === 'accept' ? 'accepted, not brought home' : 'not accepted';
}

/**
 * Formats the result, such as `Done: 4 of 4 requirements met; branch deliberate-1a2b3c4d.`, with a hint at
 * the Requirements tab if it fits into `room` cells. For a plan with a team that nobody has approved, returns the
 * command that goes on with the run. Undefined before there is a plan.
 */
export function formatResultLine(runModel: RunModel, room: number): string | undefined {
  const { team } = getTeamDisplay(runModel);
  if (team.plan === undefined) return undefined;
  if (team.approved === undefined && team.plan.no_team === '')
    return formatHint(`Planned, not started: deliberate resume ${shortId(runModel.view.id)}`);
  const met = formatRequirementCount(team);
  const short = `Done: ${[met, describeOutcome(team)].filter(Boolean).join('; ')}.`;
  const whole = `${short} The Requirements tab has the evidence.`;
  return textWidth(whole) <= room && met !== '' ? whole : short;
}

/**
 * Formats the first sentence of a display: how many requirements are met, or that no team is needed. Undefined
 * before there is a plan.
 */
export function leadSentence(team: TeamView): string | undefined {
  if (team.plan === undefined) return undefined;
  if (team.plan.no_team !== '') return `T1 says that no team is needed: ${team.plan.no_team}`;
  return `${formatRequirementCount(team)}.`;
}

/**
 * Returns what follows the first sentence of a display: where the work is, how many tasks are done,
 * and which requirements are not met.
 */
export function leadBeside(team: TeamView): string[] {
  if (team.plan === undefined || team.plan.no_team !== '') return [];
  const unmet = team.requirements.filter(({ state }) => state !== 'met');
  return [
    describeOutcome(team),
    tasksWords(team).replace(/\.$/, ''),
    ...(unmet.length === 0 ? [] : [unmet.map(({ id, state }) => `${id} ${state}`).join(', ')]),
  ].filter((text) => text !== '');
}

/** Says how the run ended, or that it has not, in one line. */
export function describeEnd(view: Pick<RunView, 'status'>, team: TeamView): string {
  const sentence = leadSentence(team);
  if (sentence === undefined)
    return view.status === 'running' ? 'Still planning.' : 'No plan was made.';
  return team.plan?.no_team ? sentence : `${sentence} ${capitalize(describeOutcome(team))}.`;
}
