/**
 * Conflicts are questions with options. A question keeps its identity through all rounds: whoever looks
 * for conflicts later is shown those there are and can only add. One question among three seats is one
 * conflict, however often it is found and in whatever words.
 */
import type { Edition } from '../config.ts';
import type { Statement } from './statements.ts';

/**
 * `contradiction`: not all of it can be done. `trade-off`: it can, at a price that somebody must choose.
 * `unowned`: somebody has to do or know it and nobody says that it is theirs. `against-context`: a
 * statement does not go with what its own seat was shown.
 */
export const CONFLICT_KINDS = ['contradiction', 'trade-off', 'unowned', 'against-context'] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** A conflict as a detector hands it in. */
export interface Found {
  readonly question: string;
  /** Ids of the statements that cannot all stand; each of them is an option. */
  readonly statements: readonly string[];
  /** Ids of those that it rests on and that are no answer to it: a size that was measured, a day. */
  readonly given?: readonly string[] | undefined;
  readonly why: string;
  readonly kind: ConflictKind;
}

export interface Conflict {
  /** `Q-3`: never given twice. */
  readonly id: string;
  readonly question: string;
  readonly kind: ConflictKind;
  readonly why: string;
  /** The round after which it was found. */
  readonly round: number;
  /** Ids of statements, in the order in which they came to it. */
  readonly options: readonly string[];
  /** Ids of what it rests on: nobody chooses it, and no decision on this question takes it away. */
  readonly given?: readonly string[] | undefined;
  /** What it was called when it was found again. */
  readonly alsoAsked: readonly string[];
  /** Only readers who missed their control have named it. */
  readonly unconfirmed?: true | undefined;
}

interface Taken {
  readonly conflicts: readonly Conflict[];
  /** Findings that are no conflict, and why. */
  readonly refused: readonly { readonly question: string; readonly why: string }[];
}

interface Taking {
  readonly edition: Edition;
  /** Whoever found them has missed the control. */
  readonly isUnconfirmed?: boolean;
  /** The statement that the plant turns: the pair of both is the control, and no finding. */
  readonly turned?: string | undefined;
}

/**
 * Takes what a detector found to what is known already. From the third edition on a finding keeps the words
 * of its finder also where it names the plant, and is one where all of it is said by one seat.
 * @param ignored statements that code planted
 */
export function takeConflicts(
  known: readonly Conflict[],
  found: readonly Found[],
  statements: readonly Statement[],
  round: number,
  ignored: ReadonlySet<string> = new Set(),
  { edition, isUnconfirmed = false, turned }: Taking = { edition: 1 },
): Taken {
  const byId = new Map(statements.map((one) => [one.id, one]));
  const refused: { question: string; why: string }[] = [];
  let conflicts = known;
  const isLive = (id: string): boolean => byId.get(id)?.state === 'live';
  for (const { kind, statements: named, given: leaned = [], ...said } of found) {
    // What is left without the plant may be a conflict all the same: its other statements were not planted.
    const answers = [...new Set(named)].filter((id) => !ignored.has(id));
    const isTouched = namedIn({ statements: named, given: leaned }).some((id) => ignored.has(id));
    const ids = namedIn({ statements: answers, given: leaned }).filter((id) => !ignored.has(id));
    if (isTouched && (edition < 3 ? answers : ids).length < 2) continue;
    // Before, its words were left out: they may be about the plant, which nobody said.
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
    // One answer against what is given is a conflict all the same: then each of them is an option.
    const isLone = !isOfOne(kind) && answers.filter((id) => byId.has(id)).length < 2;
    const options = isLone ? standing : live;
    const seats = new Set(standing.map((id) => byId.get(id)?.role));
    const reason = whyNoConflict(kind, ids, options, edition < 3 ? seats.size : 2);
    if (reason !== undefined) {
      refused.push({ question, why: reason });
      continue;
    }
    const same = conflicts.find((one) =>
      isSameQuestion(
        isLone ? { ...one, options: [...one.options, ...(one.given ?? [])] } : one,
        kind,
        question,
        options,
      ),
    );
    const given = standing.filter((id) => !options.includes(id));
    // What is left of it without the plant may only have been about that.
    const isDoubtful = edition >= 3 && (isUnconfirmed || (isTouched && ids.includes(turned ?? '')));
    conflicts =
      same === undefined
        ? [
            ...conflicts,
            {
              ...{ id: `Q-${conflicts.length + 1}`, question, kind, why, round, options },
              ...(given.length === 0 ? {} : { given }),
              alsoAsked: [],
              ...(isDoubtful ? { unconfirmed: true as const } : {}),
            },
          ]
        : conflicts.map((one) =>
            one.id === same.id ? confirm(join(one, question, live, standing), isDoubtful) : one,
          );
  }
  return { conflicts, refused };
}

/** What a reader has found again who saw the control is confirmed by that. */
function confirm({ unconfirmed, ...one }: Conflict, isDoubtful: boolean): Conflict {
  return unconfirmed === undefined || !isDoubtful ? one : { ...one, unconfirmed };
}

/** The words of a finding without the ids that the planted statement was shown under. */
function withoutIds(text: string, ids: ReadonlySet<string>): string {
  return text.replace(/[\p{L}\p{N}_-]+/gu, (word) => (ids.has(word) ? 'another statement' : word));
}

/** All that a finding names, each once. */
export function namedIn({ statements, given = [] }: Pick<Found, 'statements' | 'given'>): string[] {
  return [...new Set([...statements, ...given])];
}

/** What nobody owns, and what goes against a seat's own context, may be about one statement. */
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
 * The same question: two of its options are in the other one too, or all that it has; one is enough where
 * it is asked in the same words, as pair by pair. What a statement is asked for its own sake (`unowned`)
 * is another question than what it is in the way of.
 */
function isSameQuestion(
  known: Conflict,
  kind: ConflictKind,
  question: string,
  options: readonly string[],
): boolean {
  if (isOfOne(known.kind) !== isOfOne(kind) || (isOfOne(kind) && known.kind !== kind)) return false;
  const shared = options.filter((id) => known.options.includes(id)).length;
  const plain = (text: string): string => text.trim().toLowerCase();
  if (plain(question) === plain(known.question)) return shared > 0;
  return shared >= Math.min(2, options.length, known.options.length);
}

function join(
  { given: before = [], ...known }: Conflict,
  question: string,
  found: readonly string[],
  given: readonly string[],
): Conflict {
  const options = [...new Set([...known.options, ...found])];
  // Whatever anybody took for an answer is one.
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

/** Statements that were said as a way out of a question are options of it from then on. */
export function offer(
  conflicts: readonly Conflict[],
  said: readonly Statement[],
): readonly Conflict[] {
  return conflicts.map((one) => {
    const offered = said.filter(({ conflict }) => conflict === one.id).map(({ id }) => id);
    return offered.length === 0 ? one : { ...one, options: [...one.options, ...offered] };
  });
}

/** The seats that have a statement in it. */
export function seatsIn(conflict: Conflict, statements: readonly Statement[]): string[] {
  const owners = new Map(statements.map(({ id, role }) => [id, role]));
  return [...new Set(conflict.options.flatMap((id) => owners.get(id) ?? []))];
}
