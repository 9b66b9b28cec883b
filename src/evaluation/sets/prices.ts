/**
 * Generates puzzles of unit prices: offers of a product in packs of several sizes with rebates, and a
 * needed amount. Exactly one offer is the cheapest; ties are discarded. All prices are whole cents.
 */
import { RandomDraw } from './draw.ts';
import type { Item } from './item.ts';

interface Offer {
  readonly grams: number;
  /** The price of a pack in cents. */
  readonly cents: number;
  readonly rebate:
    | { readonly kind: 'none' }
    /** Every n-th pack is free. */
    | { readonly kind: 'free'; readonly every: number }
    /** A discount in percent on every pack, from a number of packs on. */
    | { readonly kind: 'from'; readonly packs: number; readonly percent: number }
    /** A delivery charge in cents, paid once. */
    | { readonly kind: 'delivery'; readonly cents: number };
}

const GOODS = ['rice', 'flour', 'coffee', 'nails', 'birdseed', 'oats', 'gravel', 'sugar'] as const;
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;
/** Every rebate is a multiple of this many percent. */
const REBATE_STEP = 5;
/** The price of a pack is a multiple of this many cents, so that `REBATE_STEP` percent of it are whole cents. */
const PRICE_STEP = 100 / REBATE_STEP;

/** Returns the cost in cents of at least the needed grams, in whole packs of one offer. */
function costOf({ grams, cents, rebate }: Offer, needed: number): number {
  const packs = Math.ceil(needed / grams);
  switch (rebate.kind) {
    case 'none':
      return packs * cents;
    case 'free':
      return (packs - Math.floor(packs / rebate.every)) * cents;
    case 'from':
      return packs >= rebate.packs ? (packs * cents * (100 - rebate.percent)) / 100 : packs * cents;
    case 'delivery':
      return packs * cents + rebate.cents;
  }
}

/**
 * Generates a puzzle about which of several offers is cheapest. At `level` 1 to 5 it has three to
 * seven offers, more of them with a rebate at higher levels.
 */
export function pricesItem(seed: number, index: number, level: number): Item {
  for (let attempt = 0; ; attempt += 1) {
    const draw = new RandomDraw('prices', seed, index, level, attempt);
    const good = draw.pick(GOODS);
    const needed = draw.between(12, 60) * 100;
    const offers = Array.from({ length: Math.min(level + 2, LETTERS.length) }, () =>
      drawOffer(draw, level),
    );
    const costs = offers.map((offer) => costOf(offer, needed));
    const least = Math.min(...costs);
    const best = costs.indexOf(least);
    // A puzzle is too easy if the offer with the cheapest pack costs least in all. Above level 1, a puzzle is also
    // too easy if the offer with the lowest price per gram costs least in all.
    const [byPack, byGram] = [
      offers.map(({ cents }) => cents),
      offers.map(({ cents, grams }) => cents / grams),
    ].map((each) => each.indexOf(Math.min(...each)));
    const isTied = costs.filter((cost) => cost === least).length > 1;
    if (isTied || best === byPack || (level > 1 && best === byGram)) continue;
    return {
      id: `prices-${level}-${seed}-${index}`,
      input: [
        `You need at least ${needed} g of ${good}. You buy whole packs, and all of them from the same offer.`,
        offers.map((offer, at) => `${LETTERS[at]}: ${formatOffer(offer)}`).join('\n'),
        'Which offer costs the least in all?',
      ].join('\n\n'),
      target: LETTERS[best] ?? '',
      choices: LETTERS.slice(0, offers.length),
      kind: 'choice',
      meta: { source: 'prices', level, needed, offers },
    };
  }
}

function drawOffer(draw: RandomDraw, level: number): Offer {
  const grams = draw.between(4, 30) * 50;
  const centsFor100Grams = draw.between(64, 96);
  const steps = Math.round((grams * centsFor100Grams) / (100 * PRICE_STEP));
  const cents = Math.max(1, steps) * PRICE_STEP;
  const isPlain = draw.between(0, 5) > level;
  return { grams, cents, rebate: isPlain ? { kind: 'none' } : drawRebate(draw) };
}

function drawRebate(draw: RandomDraw): Offer['rebate'] {
  switch (draw.between(0, 2)) {
    case 0:
      return { kind: 'free', every: draw.between(3, 6) };
    case 1:
      return { kind: 'from', packs: draw.between(3, 8), percent: draw.between(1, 4) * REBATE_STEP };
    default:
      return { kind: 'delivery', cents: draw.between(2, 12) * 50 };
  }
}

function formatOffer({ grams, cents, rebate }: Offer): string {
  const pack = `${grams} g for ${formatDollars(cents)} a pack`;
  switch (rebate.kind) {
    case 'none':
      return `${pack}.`;
    case 'free':
      return `${pack}; every ${rebate.every}th pack is free.`.replace('3th', '3rd');
    case 'from':
      return `${pack}; ${rebate.percent} % off all packs if you take ${rebate.packs} or more.`;
    case 'delivery':
      return `${pack}, and ${formatDollars(rebate.cents)} once for delivery.`;
  }
}

function formatDollars(cents: number): string {
  return `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
