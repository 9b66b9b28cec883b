/** What answers the items: a model alone, many of its answers, or a panel; and which is held against which. */
import { UsageError } from '../kernel/errors.ts';

/** An arm that is asked. Votes are not: they are counted from samples of the model alone. */
interface Panel {
  /** As it was named: `board`, `rounds:brief`. */
  readonly name: string;
  /** Who makes it: `board`. */
  readonly kind: string;
  /** What follows the colon; may be empty. */
  readonly detail: string;
}

export interface Arms {
  /** The model once, in its own name. */
  readonly single: boolean;
  /** The same model, told to think harder. */
  readonly high: boolean;
  /** For each panel a vote that costs as much. */
  readonly vote: boolean;
  readonly panels: readonly Panel[];
  /** Whose comparison with its vote is the question; absent where nothing is held against anything. */
  readonly primary?: string;
}

export const SINGLE = 'single';
export const HIGH = 'high';
export const VOTE = 'vote';
const ALONE: readonly string[] = [SINGLE, HIGH, VOTE];

export type Currency = 'usd' | 'tokens';

/** How many samples vote against a panel, matched in one currency. */
export interface Vote {
  readonly panel: string;
  readonly currency: Currency;
  readonly samples: number;
}

/** The votes that a panel is held against, by currency; one name where it is the same vote in both. */
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

/** `single,vote,board`. `kinds`: of panels. @throws UsageError */
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
