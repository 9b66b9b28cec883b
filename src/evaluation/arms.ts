/**
 * The arms of an evaluation: a model alone, a vote over many of its answers, or a panel; and which arms are
 * compared.
 */
import { UsageError } from '../kernel/errors.ts';

/** An arm of a panel. Votes are no such arms: they are computed from samples of the model alone. */
interface Panel {
  /** The name as given: `board`, `rounds:brief`. */
  readonly name: string;
  /** The kind of panel: `board`. */
  readonly kind: string;
  /** The part after the colon; may be empty. */
  readonly detail: string;
}

export interface Arms {
  /** Whether the model alone is an arm. */
  readonly single: boolean;
  /** Whether the model with high effort is an arm. */
  readonly high: boolean;
  /** Whether there is a vote of equal cost for each panel. */
  readonly vote: boolean;
  readonly panels: readonly Panel[];
  /** The panel whose comparison with its vote is primary; absent if nothing is compared. */
  readonly primary?: string;
}

export const SINGLE = 'single';
export const HIGH = 'high';
export const VOTE = 'vote';
const ALONE: readonly string[] = [SINGLE, HIGH, VOTE];

export type Currency = 'usd' | 'tokens';

/** The number of samples whose vote costs as much as a panel in one currency. */
export interface Vote {
  readonly panel: string;
  readonly currency: Currency;
  readonly samples: number;
}

/** Returns the votes to compare a panel with, by currency; they share a name if they are the same. */
export function votesAgainst(
  panel: string,
  votes: readonly Vote[],
): Readonly<Partial<Record<Currency, { readonly name: string; readonly samples: number }>>> {
  const own = (currency: Currency): Vote | undefined =>
    votes.find((one) => one.panel === panel && one.currency === currency);
  const [usd, tokens] = [own('usd'), own('tokens')];
  const name = `${VOTE}/${panel}`;
  const isOne = usd === undefined || usd.samples === tokens?.samples;
  return {
    ...(usd === undefined ? {} : { usd: { name, samples: usd.samples } }),
    ...(tokens === undefined
      ? {}
      : { tokens: { name: isOne ? name : `${name}/tokens`, samples: tokens.samples } }),
  };
}

/** Parses arms such as `single,vote,board`. `kinds`: the kinds of panels. @throws UsageError */
export function parseArms(given: string, kinds: readonly string[], primary?: string): Arms {
  const names = given
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw new UsageError(`--arms ${given}: ${twice} is named twice`);
  const panels = names.filter((one) => !ALONE.includes(one)).map((one) => panelNamed(one, kinds));
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
    ...(chosen === undefined ? {} : { primary: chosen }),
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
