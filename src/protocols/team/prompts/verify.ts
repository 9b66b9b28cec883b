/** What T5 and, at the end, T1 are asked. Neither is told what those who did the work say of it. */
import type { Message } from '../../../kernel/model.ts';
import { line } from '../../../text/line.ts';
import type { TeamConfig } from '../config.ts';
import type { FactOf } from '../facts.ts';
import type { RequirementView } from '../fold.ts';
import type { Task, TeamPlan } from '../forms/plan.ts';
import { evidenceId } from '../rules/accept.ts';
import { ask, material, refusedPart, rows } from './opening.ts';

export interface VerifyContext {
  readonly goal: string;
  readonly seed: number;
  /** Plan, architecture. */
  readonly parts: readonly string[];
  readonly requirements: TeamPlan['requirements'];
  /** With the brief that they were done by. */
  readonly tasks: readonly Pick<Task, 'id' | 'title' | 'covers' | 'files' | 'brief'>[];
  /** The change from the base, as `git diff` writes it, capped. */
  readonly diff: string;
  /** What checks came to on this commit, each in a line. */
  readonly checks: readonly string[];
}

function shared({ parts, requirements, tasks, diff, checks, seed }: VerifyContext): string[] {
  return [
    ...parts,
    material(
      'What was to be done:',
      'tasks',
      rows(
        tasks.map(
          ({ id, title, covers, files, brief }) =>
            `${id} (${covers.join(', ')}; ${files.join(' ')}): ${title}. Its brief: ${brief}`,
        ),
      ),
      seed,
    ),
    material('The change against the base:', 'diff', shorter(diff), seed),
    material('What commands say of it:', 'checks', rows(checks), seed),
    `Requirements to verify: ${requirements.map(({ id }) => id).join(', ')}, in the words of the plan.`,
  ];
}

/** Without the hashes of files, which say nothing to a reader. */
function shorter(diff: string): string {
  return diff.replace(/^index [0-9a-f]+\.\.[0-9a-f]+.*\n/gm, '');
}

const ITEMS =
  'items: each requirement once. met: "yes" or "no" only with the place that shows it: path, and quote, a line or a few copied letter for letter from the file as it is now; code looks whether it stands there, and what does not stand there counts neither way. "unclear" where no place shows it.';

/** What is missing stands nowhere: without these words a verifier who misses something can name no place. */
const MISSING =
  ' Of something that is missing, the place is the line beside which it would have to stand.';

/** By which edition of the words a run asks: `version` of its settings. */
type Edition = TeamConfig['version'];

function itemsTask(edition: Edition): string {
  return edition === undefined ? ITEMS : `${ITEMS}${MISSING}`;
}

/** `probes`: globs that a probe's path has to match. */
export function verifyMessages(
  context: VerifyContext,
  probes: readonly string[],
  edition: Edition,
): Message[] {
  return ask(context.goal, context.seed, shared(context), [
    [
      'You are T5. Verify the committed work against its requirements, as somebody who wants to find what is wrong with it. What commands say is known: look for what they do not test.',
      itemsTask(edition),
      'defects: what is wrong, with the id of the task whose work it is, and its place: path, and a quote from there. cause: "work" where the brief was right and the work is not; "brief" where the task as written could not lead there; "design" where the plan or the architecture is wrong; "none" where nothing is wrong.',
      `probe: at most one new test file that matches ${probes.join(' ')}, which code runs on a fresh tree with this commit: choose what would most likely fail if you are right. It passes where the requirement is met. null where none is worth it.`,
      'verdict: "pass" where nothing has to be put right before it is merged: your defects are remarks then, and change nothing. "fail" or "partial" where something has to: the work goes back with your defects.',
    ].join('\n'),
  ]);
}

export type Given = FactOf<'verdict.given'>;

/** What one verifier says of these requirements, with its places and whether they stand. */
function saidBy({ items }: Given, requirements: readonly string[]): string[] {
  return items
    .filter(({ requirement }) => requirements.includes(requirement))
    .map(({ requirement, met, path, quote, why, found }) => {
      const place = quote.trim() === '' ? 'no place is named' : `${path}: “${quote}”`;
      const stands = found || quote.trim() === '' ? '' : ', which does not stand there';
      return line(`${requirement}: ${met}; ${place}${stands}. ${why}`);
    });
}

/** For a person: the last word of each verifier about these requirements. */
export function tellSaid(verdicts: readonly Given[], requirements: readonly string[]): string[] {
  const last = new Map(verdicts.map((one) => [one.seat, one]));
  return [...last].flatMap(([seat, one]) =>
    one.why === undefined
      ? saidBy(one, requirements).map((row) => `${seat}: ${row}`)
      : [line(`${seat}: ${one.why}`)],
  );
}

export function lookAgainMessages(
  context: VerifyContext,
  disputed: readonly string[],
  { own, others }: { readonly own: readonly Given[]; readonly others: readonly Given[] },
  edition: Edition,
): Message[] {
  const said = (verdicts: readonly Given[]): string[] =>
    verdicts.flatMap((one) => saidBy(one, disputed));
  return ask(context.goal, context.seed, shared(context), [
    material('You have said:', 'own', rows(said(own)), context.seed),
    material(
      'Another verifier of the same commit says:',
      'other',
      rows(said(others)),
      context.seed,
    ),
    [
      `You are T5. Of ${disputed.join(', ')} it is not shown yet whether they are met: you two differ, or nobody gave a place that stands. Look again at these alone, in the files and not at who said it. Keep what you said where a place shows it; change it where the other place does.`,
      itemsTask(edition),
      ...(edition === undefined
        ? []
        : ['This is the last look: what names no place that stands there counts as no verdict.']),
      'defects: only those that follow for these requirements. probe: null.',
    ].join('\n'),
  ]);
}

export function acceptMessages(
  { goal, seed, parts }: Pick<VerifyContext, 'goal' | 'seed' | 'parts'>,
  about: {
    readonly requirements: readonly RequirementView[];
    readonly tasks: readonly Pick<Task, 'id' | 'workstream' | 'title' | 'covers'>[];
    readonly checks: readonly string[];
    readonly changes: readonly string[];
    readonly beyond: readonly string[];
    readonly diff: string;
  },
  refused?: { readonly handed: unknown; readonly why: readonly string[] },
): Message[] {
  return ask(goal, seed, parts, [
    material(
      'Requirements as code holds them, with their evidence:',
      'evidence',
      rows(
        about.requirements.flatMap(({ id, state, evidence }) => [
          `${id} is ${state}${evidence.length === 0 ? ', without evidence' : ''}`,
          ...evidence.map((one, at) => `${evidenceId(id, at)}: ${one}`),
        ]),
      ),
      seed,
    ),
    material(
      'Tasks:',
      'tasks',
      rows(
        about.tasks.map(
          ({ id, workstream, title, covers }) =>
            `${id} (${workstream}; ${covers.join(', ')}): ${title}`,
        ),
      ),
      seed,
    ),
    material('Checks of the result:', 'checks', rows(about.checks), seed),
    material('Files that changed:', 'changes', rows(about.changes), seed),
    ...(about.beyond.length === 0
      ? []
      : [material('Of these no task held for a requirement:', 'beyond', rows(about.beyond), seed)]),
    material('The change:', 'diff', shorter(about.diff), seed),
    ...(refused === undefined ? [] : [refusedPart(refused.handed, refused.why, seed)]),
    [
      'You are T1. Hold the result against the goal, word for word. decision: "accept" only where every requirement is met by evidence above; else "reject".',
      'requirements: every one, met "yes" or "no", with its evidence by number, such as "R1.1". beyond_goal: what was changed that the goal does not ask for, by path.',
      'reject: null when you accept. Else where it has to go back to: "T4" where the work is wrong, "T3" where a brief is, "T2" where the design is; the workstream, its tasks, and the reason as whoever does it again has to know it.',
    ].join('\n'),
  ]);
}
