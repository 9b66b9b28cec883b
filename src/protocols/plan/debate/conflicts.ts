/**
 * Conflicts are questions with options. A question keeps its identity through all rounds: whoever looks
 * for conflicts later is shown those there are and can only add. One question among three seats is one
 * conflict, however often it is found and in whatever words.
 */
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
  /** What it was called when it was found again. */
  readonly alsoAsked: readonly string[];
}

export interface Taken {
  readonly conflicts: readonly Conflict[];
  /** Findings that are no conflict, and why. */
  readonly refused: readonly { readonly question: string; readonly why: string }[];
}

/** Takes what a detector found to what is known already. `ignored`: statements that code planted. */
export function takeConflicts(
  known: readonly Conflict[],
  found: readonly Found[],
  statements: readonly Statement[],
  round: number,
  ignored: ReadonlySet<string> = new Set(),
): Taken {
  const byId = new Map(statements.map((one) => [one.id, one]));
  const refused: { question: string; why: string }[] = [];
  let conflicts = known;
  for (const { kind, statements: named, ...said } of found) {
    // What is left without the plant may be a conflict all the same: its other statements were not planted.
    const ids = [...new Set(named)].filter((id) => !ignored.has(id));
    const isTouched = named.some((id) => ignored.has(id));
    if (ids.length < 2 && isTouched) continue;
    // Its words may be about the plant, which nobody said.
    const { question, why } = isTouched
      ? { question: `Which of ${ids.join(', ')} can be followed?`, why: 'they do not go together' }
      : said;
    const options = ids.filter((id) => byId.get(id)?.state === 'live');
    const seats = new Set(options.map((id) => byId.get(id)?.role));
    const reason = whyNoConflict(kind, ids, options, seats.size);
    if (reason !== undefined) {
      refused.push({ question, why: reason });
      continue;
    }
    const same = conflicts.find((one) => isSameQuestion(one, kind, question, options));
    conflicts =
      same === undefined
        ? [
            ...conflicts,
            { id: `Q-${conflicts.length + 1}`, question, kind, why, round, options, alsoAsked: [] },
          ]
        : conflicts.map((one) => (one.id === same.id ? join(one, question, options) : one));
  }
  return { conflicts, refused };
}

function whyNoConflict(
  kind: ConflictKind,
  ids: readonly string[],
  options: readonly string[],
  seats: number,
): string | undefined {
  if (options.length === 0)
    return ids.length === 0 ? 'it names no statement' : 'none of its statements stands';
  // What nobody owns, and what goes against a seat's own context, may be about one statement.
  if (kind === 'unowned' || kind === 'against-context') return undefined;
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
  const alone = (one: ConflictKind): boolean => one === 'unowned' || one === 'against-context';
  if (alone(known.kind) !== alone(kind) || (alone(kind) && known.kind !== kind)) return false;
  const shared = options.filter((id) => known.options.includes(id)).length;
  const plain = (text: string): string => text.trim().toLowerCase();
  if (plain(question) === plain(known.question)) return shared > 0;
  return shared >= Math.min(2, options.length, known.options.length);
}

function join(known: Conflict, question: string, options: readonly string[]): Conflict {
  return {
    ...known,
    options: [...new Set([...known.options, ...options])],
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
