/**
 * The arms of an evaluation: a model alone, a vote over many of its answers, or a panel; and which arms are
 * compared.
 */
import { UsageError } from '../kernel/errors.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

/** An arm of a panel. Votes are no such arms: they are computed from samples of the model alone. */
interface Panel {
  /** The name as given: `board`, `rounds:brief`. */
  readonly name: string;
  /** The kind of panel: `board`. */
  readonly kind: string;
  /** The part after the colon; may be empty. */
  readonly detail: string;
}

/** The arms (ways of asking) that an evaluation compares. */
export interface Arms {
  /** Whether the model is asked alone. */
  readonly single: boolean;
  /** Whether the model is asked alone with high thinking effort. */
  readonly high: boolean;
  /**
   * Whether each panel is compared with a vote. For a vote the model is asked so often that this
   * costs about as much as the panel, and its most frequent answer counts.
   */
  readonly vote: boolean;
  /** The panels (several seats under a protocol) that are asked. */
  readonly panels: readonly Panel[];
  /** The panel whose comparison with its vote is the main one; absent without votes. */
  readonly primary?: string;
}

/** The name of the arm that asks the model once. */
export const SINGLE = 'single';
/** The name of the arm that asks the model once with high thinking effort. */
export const HIGH = 'high';
/** The name of the arm that takes a vote among samples of the model. */
export const VOTE = 'vote';
const ALONE: readonly string[] = [SINGLE, HIGH, VOTE];

/** What the cost of a panel and a vote is measured in. */
export type Currency = 'usd' | 'tokens';

/** A vote (the most frequent answer of several samples) that costs about as much as a panel. */
export interface Vote {
  /** The name of the panel. */
  readonly panel: string;
  /** In which currency the vote costs as much as the panel. */
  readonly currency: Currency;
  /** The number of samples for each item. */
  readonly samples: number;
}

/**
 * Returns the votes with which a panel is compared: one that costs as many dollars, and one that
 * costs as many tokens. A vote that is not in `votes` is absent. Votes with the same number of samples
 * share a name.
 */
export function votesAgainst(
  panel: string,
  votes: readonly Vote[],
): Readonly<Partial<Record<Currency, { readonly name: string; readonly samples: number }>>> {
  const findVote = (currency: Currency): Vote | undefined =>
    votes.find((vote) => vote.panel === panel && vote.currency === currency);
  const [usd, tokens] = [findVote('usd'), findVote('tokens')];
  const name = `${VOTE}/${panel}`;
  const isOne = usd === undefined || usd.samples === tokens?.samples;
  return {
    ...(usd === undefined ? {} : { usd: { name, samples: usd.samples } }),
    ...(tokens === undefined
      ? {}
      : { tokens: { name: isOne ? name : `${name}/tokens`, samples: tokens.samples } }),
  };
}

/**
 * Parses a list of arms (ways of asking that an evaluation compares) such as `single,vote,board`.
 * `kinds` are the possible kinds of panels. `primary` is the panel whose comparison with its vote is
 * the main one; by default the first.
 * @throws UsageError if no arm is named, an arm is unknown or named twice, a vote is named without a
 *   panel, or `primary` is not among the panels or has no vote
 */
export function parseArms(given: string, kinds: readonly string[], primary?: string): Arms {
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`--arms ${given}: ${twice} is named twice`);
  const panels = names
    .filter((name) => !ALONE.includes(name))
    .map((name) => panelNamed(name, kinds));
  const vote = names.includes(VOTE);
  if (names.length === 0) throw new UsageError('--arms names no arm', armsThereAre(kinds));
  if (vote && panels.length === 0)
    throw new UsageError(
      '--arms: vote needs a panel whose cost it can match',
      'Name one: --arms single,vote,board',
    );
  const chosen = primary ?? (vote ? panels[0]?.name : undefined);
  if (primary !== undefined && !panels.some(({ name }) => name === primary))
    throw new UsageError(`--primary ${primary}: no such panel in --arms ${given}`);
  if (primary !== undefined && !vote)
    throw new UsageError(
      '--primary compares a panel with its vote, but --arms has no vote',
      `Use --arms ${[...names, VOTE].join(',')}.`,
    );
  return {
    single: names.includes(SINGLE),
    high: names.includes(HIGH),
    vote,
    panels,
    ...withoutUndefined({ primary: chosen }),
  };
}

function panelNamed(name: string, kinds: readonly string[]): Panel {
  const colon = name.indexOf(':');
  const [kind, detail] = colon < 0 ? [name, ''] : [name.slice(0, colon), name.slice(colon + 1)];
  if (!kinds.includes(kind)) throw new UsageError(`unknown arm ${name}`, armsThereAre(kinds));
  return { name, kind, detail };
}

function armsThereAre(kinds: readonly string[]): string {
  return `The arms are ${[...ALONE, ...kinds].join(', ')}; a colon picks a variant: rounds:brief.`;
}
