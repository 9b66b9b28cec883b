/**
 * Makes the spec account for every statement. Each statement that is not withdrawn is cited by a decision,
 * task or risk, or is listed as not carried with a reason; code lists those that a model forgot. Withdrawn
 * statements are listed from the record.
 */
import type * as z from 'zod';
import { formatCount } from '../../../text/numbers.ts';
import type { Edition } from '../config.ts';
import type { specSchema } from '../facts.ts';
import type { Conflict } from './conflicts.ts';
import type { QuestionStanding } from './settle.ts';
import { findLiveStatements, type Statement } from './statements.ts';

/** A spec (a finished plan) that code has checked against the statements. */
export type Spec = Readonly<z.infer<typeof specSchema>>;
/** A part of a spec, with the ids of the statements that it follows from. */
export type CitedPart = Spec['decisions'][number];
/** A task of a spec. */
export type Task = Spec['tasks'][number];
/** A mistake in the present code, and how to fix it. */
export type Fix = Spec['fixes'][number];
/** What readers found when they checked a spec. */
export type Checks = NonNullable<Spec['checks']>;
/** A part of a spec that does not follow from what it cites, with the reason. */
export type NotCarried = Checks['notCarried'][number];
/** Parts of a spec that contradict each other, with the reason. */
export type Contradiction = Checks['contradictions'][number];

/** A spec (a plan) as a model hands it in, before code has checked it. */
export interface Draft
  extends Omit<Spec, 'fixes' | 'forgotten' | 'refused' | 'missingFiles' | 'checks'> {
  /**
   * Proposed changes of existing code. A fix has line numbers if code has found its quotation in the file that it
   * wants to change.
   */
  readonly fixes: readonly (Omit<Fix, 'from' | 'to'> & Partial<Pick<Fix, 'from' | 'to'>>)[];
}

/**
 * The results of the rounds, on which the spec (the finished plan) is based and against which it is
 * checked.
 */
export interface SpecBasis {
  readonly statements: readonly Statement[];
  readonly conflicts: readonly Conflict[];
  readonly standings: readonly QuestionStanding[];
  /** Seats that were chosen but have made no statement, with the reasons. */
  readonly notHeard: readonly { readonly role: string; readonly why: string }[];
  /**
   * The edition of the rules. From edition 3 on, two parts that take different sides of an open question
   * are refused.
   */
  readonly edition?: Edition | undefined;
  /** What seats said when they were asked alone whether they insist on their own constraints. */
  readonly musts?: readonly {
    readonly conflict: string;
    readonly role: string;
    readonly statement: string;
    readonly holds?: boolean | undefined;
    readonly why: string;
  }[];
}

/**
 * Checks a draft of the spec against the statements. Invalid parts are removed and listed;
 * statements that the draft forgot and files that do not exist are listed, too.
 * @param exists returns whether the repository has a file
 */
export function checkDraft(
  draft: Draft,
  basis: SpecBasis,
  exists: (path: string) => boolean,
): Spec {
  const refused: { text: string; why: string }[] = [];
  const torn = (basis.edition ?? 1) < 3 ? [] : tornApart(draft, basis);
  const keepAccepted = <T extends CitedPart>(parts: readonly T[]): T[] =>
    parts.filter(({ text, from }) => {
      const apart = torn.find(({ options }) => options.some((id) => from.includes(id)));
      const why =
        whyRefused(from, basis) ??
        (apart === undefined
          ? undefined
          : `it and another part take two sides of ${apart.id}, which is open`);
      if (why !== undefined) refused.push({ text, why });
      return why === undefined;
    });
  const standing = findLiveStatements(basis.statements);
  const decisions = keepAccepted(draft.decisions);
  const interfaces = keepAccepted(draft.interfaces);
  const data = keepAccepted(draft.data);
  const fixes = draft.fixes.flatMap((fix): Fix[] => {
    const { from, to, title } = fix;
    if (from !== undefined && to !== undefined) return [{ ...fix, from, to }];
    refused.push({ text: title, why: `what it quotes of ${fix.path} does not stand there` });
    return [];
  });
  const byId = new Map(basis.statements.map((statement) => [statement.id, statement]));
  /** Removes invalid ids from a part's citations, and lists each as refused, with the reason. */
  const dropInvalidIds = <T extends Pick<CitedPart, 'from'>>(
    part: T,
    what: string,
    mayCiteWithdrawn: boolean,
  ): T => ({
    ...part,
    from: part.from.filter((id) => {
      const statement = byId.get(id);
      const isGone = !mayCiteWithdrawn && statement?.state === 'withdrawn';
      if (statement !== undefined && !isGone) return true;
      const why = statement === undefined ? `there is no statement ${id}` : `${id} was withdrawn`;
      refused.push({ text: `${what}: what it cites as ${id}`, why });
      return false;
    }),
  });
  const tasks = draft.tasks.map((task, index) => {
    const what = `task ${index + 1}, ${task.title}`;
    const unknown =
      (basis.edition ?? 1) < 4 ? [] : task.after.filter((at) => !isEarlier(at, index, draft));
    for (const at of unknown)
      refused.push({
        text: `${what}: that it comes after task ${at}`,
        why: 'no such task comes before it',
      });
    const after = task.after.filter((at) => !unknown.includes(at));
    return dropInvalidIds({ ...task, after }, what, false);
  });
  // Risks and open questions may cite withdrawn statements; tasks and the other parts of the spec may not.
  const risks = draft.risks.map((risk) => dropInvalidIds(risk, risk.text, true));
  const openQuestions = draft.openQuestions.map((question) =>
    dropInvalidIds(question, question.text, true),
  );
  const notCarried = draft.notCarried.filter(
    ({ id, why }, index, all) =>
      standing.some((statement) => statement.id === id) &&
      why.trim() !== '' &&
      all.findIndex((entry) => entry.id === id) === index,
  );
  const cited = new Set([
    ...[...decisions, ...interfaces, ...data, ...risks, ...openQuestions, ...tasks].flatMap(
      ({ from }) => from,
    ),
    ...notCarried.map(({ id }) => id),
    // The spec lists each open question with its options, so the options do not count as forgotten.
    ...openConflicts(basis).flatMap(({ options }) => options),
  ]);
  return {
    ...draft,
    decisions,
    interfaces,
    data,
    tasks,
    risks,
    openQuestions,
    fixes,
    // The spec lists each open question with its options, so the options do not count as left out.
    notCarried: notCarried.filter(
      ({ id }) =>
        !isCarried(id, decisions, interfaces, data, tasks) &&
        !openConflicts(basis).some(({ options }) => options.includes(id)),
    ),
    forgotten: standing.flatMap(({ id }) => (cited.has(id) ? [] : [id])),
    refused,
    missingFiles: tasks.flatMap(({ files }, index) =>
      files.flatMap(({ path, isNew }) =>
        isNew || exists(path) ? [] : [{ task: index + 1, path }],
      ),
    ),
  };
}

/** Returns whether task number `at`, counted from 1, exists and comes before the task at `index`. */
function isEarlier(at: number, index: number, { tasks }: Draft): boolean {
  return tasks[at - 1] !== undefined && at - 1 < index;
}

function isCarried(
  id: string,
  ...parts: readonly (readonly { from: readonly string[] }[])[]
): boolean {
  return parts.some((part) => part.some(({ from }) => from.includes(id)));
}

/** Returns the questions that are not settled: open, or waiting for the person. */
export function openConflicts({ conflicts, standings }: SpecBasis): Conflict[] {
  const settled = new Set(
    standings.flatMap(({ conflict, state }) => (state === 'settled' ? [conflict] : [])),
  );
  return conflicts.filter(({ id }) => !settled.has(id));
}

/**
 * Returns the ids of musts (constraints that their seats call binding) that are not withdrawn and that the
 * spec nevertheless leaves out.
 */
export function findMustsLeft(
  { notCarried, forgotten }: Pick<Spec, 'notCarried' | 'forgotten'>,
  statements: readonly Statement[],
): string[] {
  const left = new Set([...notCarried.map(({ id }) => id), ...forgotten]);
  return findLiveStatements(statements).flatMap(({ id, must }) =>
    must === true && left.has(id) ? [id] : [],
  );
}

/**
 * Returns the words that say that a plan converged. If the spec still has questions that somebody has to
 * answer, the words say only that no question between seats is open.
 */
export function formatConverged({ openQuestions }: Pick<Spec, 'openQuestions'>): string {
  return openQuestions.length === 0
    ? 'Converged: no question is open'
    : 'Converged: no question between seats is open';
}

/**
 * Returns a list with a sentence that says how many questions still need an answer:
 * `['To be found out: 2 questions.']`. The list is empty if there are no such questions.
 */
export function formatQuestionsToFindOut({ openQuestions }: Pick<Spec, 'openQuestions'>): string[] {
  const { length } = openQuestions;
  return length === 0 ? [] : [`To be found out: ${formatCount(length, 'question')}.`];
}

/** Returns the open questions of which parts of a draft take different sides. */
function tornApart({ decisions, interfaces, data }: Draft, basis: SpecBasis): Conflict[] {
  const cited = new Set([...decisions, ...interfaces, ...data].flatMap(({ from }) => from));
  return openConflicts(basis).filter(
    ({ options }) => options.filter((id) => cited.has(id)).length > 1,
  );
}

function whyRefused(from: readonly string[], basis: SpecBasis): string | undefined {
  const byId = new Map(basis.statements.map((statement) => [statement.id, statement]));
  if (from.length === 0) return 'it rests on no statement';
  const unknown = from.find((id) => !byId.has(id));
  if (unknown !== undefined) return `there is no statement ${unknown}`;
  const withdrawn = from.find((id) => byId.get(id)?.state === 'withdrawn');
  if (withdrawn !== undefined) return `${withdrawn} was withdrawn`;
  const torn = openConflicts(basis).find(
    ({ options }) => options.filter((id) => from.includes(id)).length > 1,
  );
  return torn === undefined ? undefined : `it takes two sides of ${torn.id}, which is open`;
}
