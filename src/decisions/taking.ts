/** What a person decides on a run, checked and made into a fact. */
import { UsageError } from '../kernel/errors.ts';
import { line } from '../text/line.ts';
import { readDayAhead } from './dates.ts';
import { type DecisionFactOf, fact } from './facts.ts';
import type { DecisionsView } from './fold.ts';
import type { DecisionGrounds } from './grounds.ts';

/** Characters of a decision, a note or a reason. */
const MOST_WORDS = 2_000;

/** A decision as a person words it. */
export interface DecisionWish {
  readonly text: string;
  readonly option?: string | undefined;
  /** A day or a span from today: `2027-03-01`, `90d`. */
  readonly review?: string | undefined;
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  /** False: something else was decided than the panel recommends. */
  readonly follows: boolean;
}

/** What is known of the run that is decided on. */
interface DecidedOn {
  readonly view: DecisionsView;
  readonly grounds: DecisionGrounds;
  /** The synthesis that counts; undefined where there is none. */
  readonly version: number | undefined;
  readonly today: string;
}

/**
 * Makes the fact of a decision.
 *
 * @throws UsageError where it has no words, names an option that nobody voted on, or a review in the past
 */
export function takeDecision(
  wish: DecisionWish,
  { view, grounds, version, today }: DecidedOn,
): DecisionFactOf<'decision.taken'> {
  const { review, by, note, follows } = wish;
  const option = wish.option === undefined ? undefined : findOption(wish.option, grounds);
  const open = grounds.open.map(({ id: claim, text }) => ({ claim, text }));
  return fact('decision.taken', {
    number: view.taken.length + 1,
    text: words('the decision', wish.text),
    follows,
    ...(option === undefined ? {} : { option }),
    ...(review === undefined ? {} : { review: readDayAhead(review, today) }),
    ...optional({ by, note }),
    ...(version === undefined ? {} : { version }),
    ...(open.length === 0 ? {} : { open_claims: open }),
  });
}

function findOption(name: string, { options }: DecisionGrounds): string {
  const wanted = line(name).toLowerCase();
  const found = options.find(({ option }) => line(option).toLowerCase() === wanted)?.option;
  if (found !== undefined) return found;
  throw new UsageError(
    `--option ${line(name)}: no ballot names that option`,
    options.length === 0
      ? 'The run has no ballots: leave --option out.'
      : `The options are ${options.map(({ option }) => `"${line(option)}"`).join(', ')}.`,
  );
}

/** A text in one clean line. @throws UsageError where nothing can be read of it, or it is too long */
function words(what: string, text: string): string {
  const clean = line(text);
  if (!/[\p{L}\p{N}]/u.test(clean)) throw new UsageError(`${what} has no words`);
  if (clean.length > MOST_WORDS)
    throw new UsageError(
      `${what} has ${clean.length} characters; the most are ${MOST_WORDS}`,
      'Shorten it.',
    );
  return clean;
}

/** Fields that may be left out, in one clean line each; those that are empty are left out. */
function optional<K extends string>(
  fields: Readonly<Record<K, string | undefined>>,
): Partial<Record<K, string>> {
  const entries = Object.entries<string | undefined>(fields).flatMap(([name, text]) =>
    text === undefined || line(text) === '' ? [] : [[name, words(name, text)] as const],
  );
  return Object.fromEntries(entries) as Partial<Record<K, string>>;
}
