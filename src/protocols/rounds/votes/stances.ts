/** What became of a seat's stance under the no-peer control: alone, once more alone, and with the record. */

/** What became of a seat's first stance under the no-peer control. */
export interface Shift {
  readonly seat: string;
  readonly label: 'unchanged' | 'unstable' | 'persuaded' | 'conformed' | 'unexplained';
  readonly why: string;
}

/** Where a seat stands: with the panel's record or without, first or when asked once more. */
interface Stance {
  readonly seat: string;
  readonly peers: boolean;
  readonly again: boolean;
}

/** A place, claim or verdict named in a text. Decisions are the panel's own word and no evidence. */
const CITED = /\b[CV]-\d+-\d+\b|artifacts\/round_\d+\/[a-z]+\.md#[\w-]+/g;

/** What a stance names as its reason, in its list or in its words, as far as it exists. */
export function citesOf(
  position: string,
  listed: readonly string[],
  exists: (ref: string) => boolean,
): string[] {
  const named = [...listed, position].flatMap((text) => text.match(CITED) ?? []);
  return [...new Set(named)].filter((ref) => exists(ref));
}

export interface Comparison {
  /** Blind, before anybody spoke; alone, when asked once more; and with the panel's record. */
  readonly first: string;
  readonly alone: string;
  readonly peers: string;
  /** What its last answer cites and what exists. */
  readonly cites: readonly string[];
  /** Where the other seats stand with the record. */
  readonly others: readonly string[];
}

/** What became of a first stance. Options are compared as they are: group them before. */
export function compareStances({
  first,
  alone,
  peers,
  cites,
  others,
}: Comparison): Pick<Shift, 'label' | 'why'> {
  const quoted = (option: string): string => `"${option}"`;
  if (alone !== first)
    return {
      label: 'unstable',
      why: `alone, it first chose ${quoted(first)} and then ${quoted(alone)}: a change says nothing of its peers`,
    };
  if (peers === first) return { label: 'unchanged', why: `it chose ${quoted(first)} throughout` };
  const change = `alone it chose ${quoted(first)} twice, with the record ${quoted(peers)}`;
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

/** A round's stance by that seat, of that kind. */
export function stanceOf<S extends Stance>(
  { stances }: { readonly stances: readonly S[] },
  seat: string,
  kind: Pick<Stance, 'peers' | 'again'>,
): S | undefined {
  return stances.find(
    (one) => one.seat === seat && one.peers === kind.peers && one.again === kind.again,
  );
}
