/**
 * Compares a seat's votes under the no-peer control: its blind vote, its vote when asked again
 * without the others' words, and its last vote with all records.
 */

/**
 * Whether and why a seat's last vote differs from its first one, as found by asking the seat again
 * without the others.
 */
export interface VoteShift {
  readonly seat: string;
  /**
   * The kind of change.
   * - `unchanged`: the vote is the same
   * - `unstable`: the seat votes differently from the first time when asked alone again
   * - `persuaded`: the seat names records as its reason
   * - `conformed`: the seat names no record and votes like more than half of the others
   * - `unexplained`: none of these
   */
  readonly label: 'unchanged' | 'unstable' | 'persuaded' | 'conformed' | 'unexplained';
  /** The options that the seat chose, and what the label rests on. */
  readonly why: string;
}

/**
 * A seat's vote. `peers` is true if the seat knew the panel's records, `again` if the seat was
 * asked again without them.
 */
interface Stance {
  readonly seat: string;
  readonly peers: boolean;
  readonly again: boolean;
}

/**
 * Matches citations of places, claims and verdicts. Decisions do not count, because they are only
 * the panel's own words.
 */
const CITED = /\b[CV]-\d+-\d+\b|artifacts\/round_\d+\/[a-z]+\.md#[\w-]+/g;

/**
 * Returns the claims, verdicts and places in artifacts that a vote gives as its reasons, in its list
 * or in its text. Those that do not exist are left out.
 * @param position the explanation of the vote
 * @param listed the ids in the vote's list
 * @param exists returns whether there is a record with this id
 */
export function findCitedRecords(
  position: string,
  listed: readonly string[],
  exists: (ref: string) => boolean,
): string[] {
  const named = [...listed, position].flatMap((text) => text.match(CITED) ?? []);
  return [...new Set(named)].filter((ref) => exists(ref));
}

/** The three votes of a seat that are compared to find out why it changed its option. */
export interface Comparison {
  /** The option of the blind vote, before the first round. */
  readonly first: string;
  /** The option when the seat was asked again without the others' records. */
  readonly alone: string;
  /** The option of the last vote, with all records. */
  readonly peers: string;
  /** The existing records that the last vote cites. */
  readonly cites: readonly string[];
  /** The options of the other seats' last votes. */
  readonly others: readonly string[];
}

/**
 * Determines whether and why a seat's last vote differs from its first one. Options are compared letter by
 * letter, so the caller must give options with the same meaning the same text.
 */
export function compareStances({
  first,
  alone,
  peers,
  cites,
  others,
}: Comparison): Pick<VoteShift, 'label' | 'why'> {
  const quoteOption = (option: string): string => `"${option}"`;
  if (alone !== first)
    return {
      label: 'unstable',
      why: `alone, it first chose ${quoteOption(first)} and then ${quoteOption(alone)}: a change says nothing of its peers`,
    };
  if (peers === first)
    return { label: 'unchanged', why: `it chose ${quoteOption(first)} throughout` };
  const change = `alone it chose ${quoteOption(first)} twice, with the record ${quoteOption(peers)}`;
  if (cites.length > 0)
    return { label: 'persuaded', why: `${change}, and cites ${cites.join(', ')}` };
  const agreeing = others.filter((option) => option === peers).length;
  return agreeing * 2 > others.length
    ? {
        label: 'conformed',
        why: `${change}, as ${agreeing} of ${others.length} others do, and cites nothing that was tested`,
      }
    : {
        label: 'unexplained',
        why: `${change}, which is not where most others stand, and cites nothing that was tested`,
      };
}

/**
 * Finds a seat's vote among the votes (`stances`) of a round. Returns undefined if there is none.
 * @param kind which of the seat's votes: with the panel's records (`peers`), or without them, for the
 * first time or `again`
 */
export function findStance<S extends Stance>(
  { stances }: { readonly stances: readonly S[] },
  seat: string,
  kind: Pick<Stance, 'peers' | 'again'>,
): S | undefined {
  return stances.find(
    (stance) => stance.seat === seat && stance.peers === kind.peers && stance.again === kind.again,
  );
}
