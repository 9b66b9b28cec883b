/**
 * The spec accounts for every statement. Each that stands is cited by a decision, by a task or by a
 * risk, or stands under what is not carried, with a reason; what a synthesis forgets is listed by code.
 * What was given up is told from the record, not by a model.
 */
import { plural } from '../../../text/numbers.ts';
import type { Edition } from '../config.ts';
import type { Conflict } from './conflicts.ts';
import type { Standing } from './settle.ts';
import { live, type Statement } from './statements.ts';

export interface Cited {
  readonly text: string;
  /** Ids of statements. */
  readonly from: readonly string[];
}

export interface Task {
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly isNew: boolean }[];
  readonly from: readonly string[];
  /** Numbers of tasks, from 1, that come before it. */
  readonly after: readonly number[];
  readonly test: string;
  readonly doneWhen: string;
}

/** A synthesis as a model hands it in. */
export interface Draft {
  readonly goal: string;
  readonly outOfScope: readonly string[];
  readonly decisions: readonly Cited[];
  readonly interfaces: readonly Cited[];
  readonly data: readonly Cited[];
  readonly tasks: readonly Task[];
  readonly risks: readonly Cited[];
  readonly openQuestions: readonly Cited[];
  readonly notCarried: readonly { readonly id: string; readonly why: string }[];
  /** With lines where the quotation was found in the file. */
  readonly fixes: readonly (Omit<Fix, 'from' | 'to'> & Partial<Pick<Fix, 'from' | 'to'>>)[];
}

/** Something that is wrong in the code as it stands. */
export interface Fix {
  readonly title: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly quotation: string;
  readonly problem: string;
  readonly change: string;
  /** The text that replaces the quotation; absent if `change` only says in words what to do. */
  readonly replacement?: string | undefined;
}

/** What a spec accounts for: all that was said, and how it stands. */
export interface SpecBasis {
  readonly statements: readonly Statement[];
  readonly conflicts: readonly Conflict[];
  readonly standings: readonly Standing[];
  /** Seats that failed, and how. */
  readonly notHeard: readonly { readonly role: string; readonly why: string }[];
  /** From the third on, both sides of an open question are refused across decisions, too. */
  readonly edition?: Edition | undefined;
  /** What seats said that were asked alone about a must of theirs. */
  readonly musts?: readonly {
    readonly conflict: string;
    readonly role: string;
    readonly statement: string;
    readonly holds?: boolean | undefined;
    readonly why: string;
  }[];
}

/** Whether a reader has shown that they can see what they look for; `none`: nothing was there to be read. */
type Shown = 'seen' | 'missed' | 'none';

export interface NotCarried extends Cited {
  readonly why: string;
}

export interface Contradiction {
  /** What the parts say, letter for letter; of what was given up with its id. */
  readonly parts: readonly string[];
  readonly why: string;
}

export interface Checks {
  readonly carried: Shown;
  readonly notCarried: readonly NotCarried[];
  readonly compared: Shown;
  readonly contradictions: readonly Contradiction[];
}

export interface Spec extends Omit<Draft, 'fixes'> {
  readonly fixes: readonly Fix[];
  /** Live statements that no part of the draft names, listed by code. */
  readonly forgotten: readonly string[];
  /** Parts of the draft that were not taken, and why. */
  readonly refused: readonly { readonly text: string; readonly why: string }[];
  /** Files that a task takes for existing and that are not there. */
  readonly missingFiles: readonly { readonly task: number; readonly path: string }[];
  /** What reading it again came to; absent where that was not done. */
  readonly checks?: Checks | undefined;
}

/** The draft with what cannot stand taken out and named. `exists`: whether the repository has a file. */
export function account(draft: Draft, basis: SpecBasis, exists: (path: string) => boolean): Spec {
  const refused: { text: string; why: string }[] = [];
  const torn = (basis.edition ?? 1) < 3 ? [] : tornApart(draft, basis);
  const keep = <T extends Cited>(parts: readonly T[]): T[] =>
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
  const standing = live(basis.statements);
  const decisions = keep(draft.decisions);
  const interfaces = keep(draft.interfaces);
  const data = keep(draft.data);
  const fixes = draft.fixes.flatMap((fix): Fix[] => {
    const { from, to, title } = fix;
    if (from !== undefined && to !== undefined) return [{ ...fix, from, to }];
    refused.push({ text: title, why: `what it quotes of ${fix.path} does not stand there` });
    return [];
  });
  const byId = new Map(basis.statements.map((one) => [one.id, one]));
  /** Without ids that nothing can rest on; each is named. */
  const mend = <T extends Pick<Cited, 'from'>>(part: T, what: string, lives: boolean): T => ({
    ...part,
    from: part.from.filter((id) => {
      const one = byId.get(id);
      const isGone = lives && one?.state === 'withdrawn';
      if (one !== undefined && !isGone) return true;
      const why = one === undefined ? `there is no statement ${id}` : `${id} was withdrawn`;
      refused.push({ text: `${what}: what it cites as ${id}`, why });
      return false;
    }),
  });
  const tasks = draft.tasks.map((one, index) => {
    const what = `task ${index + 1}, ${one.title}`;
    const unknown =
      (basis.edition ?? 1) < 4 ? [] : one.after.filter((at) => !isEarlier(at, index, draft));
    for (const at of unknown)
      refused.push({
        text: `${what}: that it comes after task ${at}`,
        why: 'no such task comes before it',
      });
    const after = one.after.filter((at) => !unknown.includes(at));
    return mend({ ...one, after }, what, true);
  });
  // What was given up can be a risk, and somebody may ask for it again.
  const risks = draft.risks.map((one) => mend(one, one.text, false));
  const openQuestions = draft.openQuestions.map((one) => mend(one, one.text, false));
  const notCarried = draft.notCarried.filter(
    ({ id, why }, index, all) =>
      standing.some((one) => one.id === id) &&
      why.trim() !== '' &&
      all.findIndex((one) => one.id === id) === index,
  );
  const cited = new Set([
    ...[...decisions, ...interfaces, ...data, ...risks, ...openQuestions, ...tasks].flatMap(
      ({ from }) => from,
    ),
    ...notCarried.map(({ id }) => id),
    // What a question is open between stands there by the record.
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
    // What a question is open between is not dropped: it stands there.
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

/** Questions that nobody has decided: open, or waiting for a person. */
export function openConflicts({ conflicts, standings }: SpecBasis): Conflict[] {
  const settled = new Set(
    standings.flatMap(({ conflict, state }) => (state === 'settled' ? [conflict] : [])),
  );
  return conflicts.filter(({ id }) => !settled.has(id));
}

/** Musts that stand and that the spec does not carry, with a reason or without: nobody has let them fall. */
export function mustsLeft(
  { notCarried, forgotten }: Pick<Spec, 'notCarried' | 'forgotten'>,
  statements: readonly Statement[],
): string[] {
  const left = new Set([...notCarried.map(({ id }) => id), ...forgotten]);
  return live(statements).flatMap(({ id, must }) => (must === true && left.has(id) ? [id] : []));
}

/** How a plan is called that converged: what nobody knows may be open all the same. */
export function convergedIn({ openQuestions }: Pick<Spec, 'openQuestions'>): string {
  return openQuestions.length === 0
    ? 'Converged: no question is open'
    : 'Converged: no question between seats is open';
}

/** What the synthesis says that nobody knows, in a sentence; nothing where there is none. */
export function toFindOut({ openQuestions }: Pick<Spec, 'openQuestions'>): string[] {
  const { length } = openQuestions;
  return length === 0 ? [] : [`To be found out: ${plural(length, 'question')}.`];
}

/** Open questions of which several parts of a draft take different sides. */
function tornApart({ decisions, interfaces, data }: Draft, basis: SpecBasis): Conflict[] {
  const cited = new Set([...decisions, ...interfaces, ...data].flatMap(({ from }) => from));
  return openConflicts(basis).filter(
    ({ options }) => options.filter((id) => cited.has(id)).length > 1,
  );
}

function whyRefused(from: readonly string[], basis: SpecBasis): string | undefined {
  const byId = new Map(basis.statements.map((one) => [one.id, one]));
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
