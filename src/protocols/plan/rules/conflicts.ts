/**
 * Collects conflicts, which are questions with options. A question keeps its id in all rounds: a reader who
 * looks for conflicts later sees the known ones and can only add to them. The same question found several
 * times, in whatever words, is one conflict.
 */
import type { Edition } from '../config.ts';
import type { Statement } from './statements.ts';

/**
 * The kinds of conflict. `contradiction`: not all statements can be followed. `trade-off`: they
 * can, at a price that somebody has to choose. `unowned`: something has to be done or found out,
 * and no seat says that it will. `against-context`: a statement contradicts the documents that its
 * own seat was shown.
 */
export const CONFLICT_KINDS = ['contradiction', 'trade-off', 'unowned', 'against-context'] as const;
/** A kind of conflict, such as `trade-off`. */
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** A conflict as a reader hands it in. */
export interface FoundConflict {
  readonly question: string;
  /** Ids of the statements that answer the question, each of which is an option. */
  readonly statements: readonly string[];
  /**
   * Ids of statements on which the question is based, but which do not answer it, such as a
   * measured size or a date.
   */
  readonly given?: readonly string[] | undefined;
  readonly why: string;
  readonly kind: ConflictKind;
}

/** A question that statements answer differently. */
export interface Conflict {
  /** An id such as `Q-3`, which is never used twice. */
  readonly id: string;
  readonly question: string;
  readonly kind: ConflictKind;
  readonly why: string;
  /** The round after which the conflict was found. */
  readonly round: number;
  /** Ids of statements, in the order in which they became options. */
  readonly options: readonly string[];
  /**
   * Ids of the statements on which the question is based. Nobody can choose them as an answer, and
   * no decision on this question withdraws them.
   */
  readonly given?: readonly string[] | undefined;
  /** Other words in which the question was found again. */
  readonly alsoAsked: readonly string[];
  /**
   * True if no reader that found its planted contradiction has found the conflict apart from that
   * contradiction. Conflicts that only a seat has found are unconfirmed as well.
   */
  readonly unconfirmed?: true | undefined;
}

interface Taken {
  readonly conflicts: readonly Conflict[];
  /** Findings that are no conflicts, with the reasons. */
  readonly refused: readonly { readonly question: string; readonly why: string }[];
}

interface Taking {
  readonly edition: Edition;
  /** Whether the reader that found these conflicts missed the planted statement, or was shown none. */
  readonly isUnconfirmed?: boolean;
  /**
   * The statement that the planted one contradicts. A finding about these two is the control and no
   * conflict.
   */
  readonly turned?: string | undefined;
}

/**
 * Adds the conflicts that a reader found to the known ones. A conflict that asks a known question adds its
 * statements to that question. Planted statements are left out of what was found; the other statements may still
 * be a conflict. From edition 3 of the rules on, all statements of a conflict may come from one seat.
 * @param round the round after which the reader searched
 * @param ignored ids of planted statements
 * @returns all conflicts known now, and what the reader found that is no conflict, with the reasons, such as that
 * it names too few statements
 */
export function takeConflicts(
  known: readonly Conflict[],
  found: readonly FoundConflict[],
  statements: readonly Statement[],
  round: number,
  ignored: ReadonlySet<string> = new Set(),
  { edition, isUnconfirmed = false, turned }: Taking = { edition: 1 },
): Taken {
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const refused: { question: string; why: string }[] = [];
  let conflicts = known;
  const isLive = (id: string): boolean => byId.get(id)?.state === 'live';
  for (const { kind, statements: named, given: leaned = [], ...said } of found) {
    // Leave the planted statement out of a reported conflict, but keep the conflict's other statements, because they
    // may contradict each other.
    const answers = [...new Set(named)].filter((id) => !ignored.has(id));
    const isTouched = listNamedStatements({ statements: named, given: leaned }).some((id) =>
      ignored.has(id),
    );
    const ids = listNamedStatements({ statements: answers, given: leaned }).filter(
      (id) => !ignored.has(id),
    );
    if (isTouched && (edition < 3 ? answers : ids).length < 2) continue;
    // If a reader names the planted statement in a conflict, editions 1 and 2 of the rules replace the reader's words
    // by a fixed question and reason. The reader's own words may be about the planted statement.
    const { question, why } = !isTouched
      ? said
      : edition < 3
        ? {
            question: `Which of ${answers.join(', ')} can be followed?`,
            why: 'they do not go together',
          }
        : { question: withoutIds(said.question, ignored), why: withoutIds(said.why, ignored) };
    const standing = ids.filter(isLive);
    const live = answers.filter(isLive);
    // If a reported conflict names only one option, that option contradicts the given statements. The given
    // statements then become options as well, because a question needs at least two.
    const isLone = !isOfOne(kind) && answers.filter((id) => byId.has(id)).length < 2;
    const options = isLone ? standing : live;
    const seats = new Set(standing.map((id) => byId.get(id)?.role));
    const reason = whyNoConflict(kind, ids, options, edition < 3 ? seats.size : 2);
    if (reason !== undefined) {
      refused.push({ question, why: reason });
      continue;
    }
    const same = conflicts.find((conflict) =>
      isSameQuestion(
        isLone
          ? { ...conflict, options: [...conflict.options, ...(conflict.given ?? [])] }
          : conflict,
        kind,
        question,
        options,
      ),
    );
    const given = standing.filter((id) => !options.includes(id));
    // If a reported conflict contains the planted contradiction, the conflict is unconfirmed from edition 3 of the
    // rules on. Perhaps nothing but the planted statement made the reader report this conflict.
    const isDoubtful = edition >= 3 && (isUnconfirmed || (isTouched && ids.includes(turned ?? '')));
    conflicts =
      same === undefined
        ? [
            ...conflicts,
            {
              id: `Q-${conflicts.length + 1}`,
              question,
              kind,
              why,
              round,
              options,
              ...(given.length === 0 ? {} : { given }),
              alsoAsked: [],
              ...(isDoubtful ? { unconfirmed: true as const } : {}),
            },
          ]
        : conflicts.map((conflict) =>
            conflict.id === same.id
              ? confirmConflict(mergeFinding(conflict, question, live, standing), isDoubtful)
              : conflict,
          );
  }
  return { conflicts, refused };
}

/** Marks a conflict as confirmed if it was found again by a reader that found the planted statement. */
function confirmConflict({ unconfirmed, ...conflict }: Conflict, isDoubtful: boolean): Conflict {
  return unconfirmed === undefined || !isDoubtful ? conflict : { ...conflict, unconfirmed };
}

/** Replaces the ids of planted statements in a finding's words. */
function withoutIds(text: string, ids: ReadonlySet<string>): string {
  return text.replace(/[\p{L}\p{N}_-]+/gu, (word) => (ids.has(word) ? 'another statement' : word));
}

/** Returns the ids of all statements that a reported conflict names, as options or as given, each once. */
export function listNamedStatements({
  statements,
  given = [],
}: Pick<FoundConflict, 'statements' | 'given'>): string[] {
  return [...new Set([...statements, ...given])];
}

/** Returns whether a conflict of this kind may be about a single statement. */
function isOfOne(kind: ConflictKind): boolean {
  return kind === 'unowned' || kind === 'against-context';
}

function whyNoConflict(
  kind: ConflictKind,
  ids: readonly string[],
  options: readonly string[],
  seats: number,
): string | undefined {
  if (options.length === 0)
    return ids.length === 0 ? 'it names no statement' : 'none of its statements stands';
  if (isOfOne(kind)) return undefined;
  if (options.length < 2) return 'it names one statement only';
  if (seats < 2) return 'all of it is said by one seat, which can mend it by itself';
  return undefined;
}

/**
 * Returns whether a finding is a known question: it shares two options, or all options of one of them; a
 * single shared option is enough if the words are the same. An `unowned` finding is never the same as a
 * conflict of another kind.
 */
function isSameQuestion(
  known: Conflict,
  kind: ConflictKind,
  question: string,
  options: readonly string[],
): boolean {
  if (isOfOne(known.kind) !== isOfOne(kind) || (isOfOne(kind) && known.kind !== kind)) return false;
  const shared = options.filter((id) => known.options.includes(id)).length;
  const toPlain = (text: string): string => text.trim().toLowerCase();
  if (toPlain(question) === toPlain(known.question)) return shared > 0;
  return shared >= Math.min(2, options.length, known.options.length);
}

function mergeFinding(
  { given: before = [], ...known }: Conflict,
  question: string,
  found: readonly string[],
  given: readonly string[],
): Conflict {
  const options = [...new Set([...known.options, ...found])];
  // Remove from `given` each statement that has become an option of the question.
  const rest = [...new Set([...before, ...given])].filter((id) => !options.includes(id));
  return {
    ...known,
    options,
    ...(rest.length === 0 ? {} : { given: rest }),
    alsoAsked:
      question === known.question || known.alsoAsked.includes(question)
        ? known.alsoAsked
        : [...known.alsoAsked, question],
  };
}

/**
 * Adds statements to the options of conflicts. A statement is added if it was proposed as a way out
 * of the conflict, beside the options that contradict each other.
 */
export function addWaysOut(
  conflicts: readonly Conflict[],
  said: readonly Statement[],
): readonly Conflict[] {
  return conflicts.map((known) => {
    const offered = said.filter(({ conflict }) => conflict === known.id).map(({ id }) => id);
    return offered.length === 0 ? known : { ...known, options: [...known.options, ...offered] };
  });
}

/** Returns the seats that have made an option of the question. */
export function listSeatsInConflict(
  conflict: Conflict,
  statements: readonly Statement[],
): string[] {
  const owners = new Map(statements.map(({ id, role }) => [id, role]));
  return [...new Set(conflict.options.flatMap((id) => owners.get(id) ?? []))];
}
