/**
 * Builds T1's prompts before the work: for a plan, a critique, and another plan if the first one failed.
 */
import type { Message } from '../../../kernel/model.ts';
import type { Survey } from '../../../kernel/tools/workshop.ts';
import type { Specialist } from '../config.ts';
import type { TeamPlan } from '../forms/plan.ts';
import { hintsFor, hintsOnFiles } from '../rules/plan-hints.ts';
import { buildPrompt, formatMaterial, joinRows, refusedPart, surveyPart } from './opening.ts';

const planTask = (edition: number): string =>
  [
    'You are T1: you say what the goal comes to and how deep the work has to go. You write no code.',
    'requirements: what has to be true for the goal to be met, R1, R2, …; each can be shown or refuted by itself. proof: "test" where a test that fails today can show it, "check" where an existing command shows it, "read" where only reading does. Where a test has to call something that is not there yet, name it to the letter, with what it gives: tests are written by somebody who knows these words only. Add nothing that the goal does not ask for.',
    'workstreams: parts of the work, as few as possible. path: "T4-T5" where one task of a few files does it, tests and documents among them, and then task is that task; "T3-T5" where a squad’s lead has to cut it into tasks; "T2-T5" only where two domains both have enough work, or an interface is used by others. Every tier above T4 costs calls before a line is written: tiers says what each one that a path goes through is for (T2-T5 goes through both), and is empty where all are T4-T5. task is null on every other path.',
    'A task: workstream is the id of the one it belongs to, covers all that this one covers. files are all the files it may change or add, tests included; new tests go into files of their own. changes_tests: existing tests that it has to change, with why; usually none. checks: ids of the checks that have to pass. brief: all that somebody needs who knows neither the plan nor the repository. done_when: how to see that it is done.',
    'checks: commands as argument lists, without a shell; take those of the survey to the letter (from_survey true) where they serve. env: variables that it needs, usually none. timeout_s: about ten times what it is likely to take.',
    `tests and guarded: globs beside those of the survey, which hold anyway; usually none. retry_multiplier: 2 where the work is hard or easily wrong, else 1: a task gets 3 attempts by 1 and 5 by 2${
      edition < 3
        ? ', and by 2 tests are written before the work, as they are wherever a path has T3'
        : '. For every requirement that a test proves, tests are written before the work, in files of their own, by somebody who sees these words alone'
    }.`,
    'cast: which specialist plays a tier; workstream and domain empty: for all. Leave out tiers that need none. questions: only what the person alone can say and the work depends on.',
    'no_team: "" where a team is needed. Where the goal is a question, or nothing has to be changed, the answer; then workstreams is empty.',
  ].join('\n');

function specialistsPart(specialists: readonly Specialist[], seed: number): string {
  if (specialists.length === 0) return '';
  return formatMaterial(
    'Specialists who can be cast, by slug:',
    'specialists',
    joinRows(specialists.map(({ slug, name, about }) => `${slug}: ${name}. ${about}`)),
    seed,
  );
}

/** What every prompt about the plan contains. */
export interface PlanContext {
  readonly goal: string;
  readonly survey: Survey;
  readonly specialists: readonly Specialist[];
  readonly seed: number;
  /** The version of the rules and prompts that the run follows. */
  readonly edition: number;
}

function formatSharedParts({ survey, specialists, seed, edition }: PlanContext): string[] {
  return [surveyPart(survey, seed), specialistsPart(specialists, seed), planTask(edition)];
}

/**
 * Builds the prompt that asks the planning seat (T1) for a plan.
 * @param refused an earlier plan, with the reasons why code refused it
 */
export function planMessages(
  context: PlanContext,
  refused?: { readonly plan: TeamPlan; readonly why: readonly string[] },
): Message[] {
  return buildPrompt(context.goal, context.seed, formatSharedParts(context), [
    ...(refused === undefined ? [] : [refusedPart(refused.plan, refused.why, context.seed)]),
    refused === undefined ? 'Make the plan.' : 'Hand in the whole plan again, put right.',
  ]);
}

/**
 * Builds the prompt that asks the planning seat (T1) what is wrong with its plan, or with `wish`, to change the
 * plan as the person wants.
 * @param refused the reasons why code refused the plan, if it did
 * @param wish what the person wants changed, in their words
 */
export function critiqueMessages(
  context: PlanContext,
  plan: TeamPlan,
  { refused = [], wish }: { readonly refused?: readonly string[]; readonly wish?: string } = {},
): Message[] {
  const { goal, seed } = context;
  return buildPrompt(goal, seed, formatSharedParts(context), [
    refused.length > 0
      ? refusedPart(plan, withHints(context, plan, refused), seed)
      : formatMaterial('The plan so far:', 'handed-in', JSON.stringify(plan), seed),
    ...(refused.length > 0 ? [] : [filesElsewhere(context, plan)]),
    ...(wish === undefined
      ? []
      : [formatMaterial('The person wants it changed. In their words:', 'wish', wish, seed)]),
    [
      wish === undefined
        ? 'Find what is wrong with this plan before anything is paid for it: a requirement that is missing, or that the goal does not ask for; a tier that is not worth its calls; two tasks that need one file; a file that has to change and is held by nobody; a check that would pass without the work; a proof that shows nothing.'
        : 'Change the plan as the person wants it, and whatever follows from that.',
      wish === undefined
        ? 'found: what is wrong, and what you change for it; empty where nothing is. plan: the whole plan as it is to be; null where it stands as it is.'
        : 'found: what this changes, and how. plan: the whole plan as it is to be.',
    ].join('\n'),
  ]);
}

/**
 * Builds the prompt that asks the planning seat (T1) for another plan after the work has failed.
 * @param done the finished tasks with their files
 */
export function replanMessages(
  context: PlanContext,
  plan: TeamPlan,
  {
    why,
    done,
    refused = [],
  }: {
    readonly why: string;
    readonly done: readonly { readonly task: string; readonly files: readonly string[] }[];
    readonly refused?: readonly string[];
  },
): Message[] {
  const { goal, seed } = context;
  return buildPrompt(goal, seed, formatSharedParts(context), [
    refused.length > 0
      ? refusedPart(plan, withHints(context, plan, refused), seed)
      : formatMaterial('The plan that was worked by:', 'handed-in', JSON.stringify(plan), seed),
    formatMaterial('It does not hold, because:', 'reason', why, seed),
    formatMaterial(
      'Tasks that are done, with the files they changed; they are kept where the plan still has them:',
      'done',
      joinRows(done.map(({ task, files }) => `${task}: ${files.join(' ')}`)),
      seed,
    ),
    'Plan again, once. Keep ids and words of what stays, drop a workstream that cannot be done, and keep every requirement: the goal has not changed. found: what was wrong. plan: the whole plan as it is to be.',
  ]);
}

/** Returns what code found on the files of a plan that it takes, from version 7 of the rules on. */
function filesElsewhere({ edition, survey }: PlanContext, plan: TeamPlan): string {
  const found = edition < 7 ? [] : hintsOnFiles(plan, survey);
  return found.length === 0 ? '' : ['Code looked for its files:', ...found].join('\n');
}

/** Returns why code refuses a plan, from version 6 of the rules on with what would be right instead. */
function withHints(
  { edition, survey }: PlanContext,
  plan: TeamPlan,
  refused: readonly string[],
): readonly string[] {
  return edition < 6 ? refused : [...refused, ...hintsFor(plan, survey)];
}
