/**
 * Finds out from wording alone whether two texts cannot mean the same, whatever a model says. In doubt it keeps
 * them apart: an option under two names visibly splits its votes, but an option merged with its opposite is
 * lost.
 */
import { sanitiseText } from '../text/sanitise.ts';
import { plainWords } from '../text/words/quotation.ts';
import { readNumbers } from './numbers.ts';

/**
 * Words that negate a sentence, English and German; "don't" is read as "do not". Two of them in one text cancel
 * each other.
 */
const DENIES: ReadonlySet<string> = new Set(
  [
    'not no never none neither nor nothing nobody nowhere without cannot non against avoid reject refuse unless except',
    'dont cant wont isnt arent doesnt didnt shouldnt wouldnt couldnt mustnt',
    'nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder gegen nein',
  ]
    .join(' ')
    .split(' '),
);

/** Pairs of opposite words: texts that differ in such a pair ask for opposites. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['yes', 'no'],
  ['ja', 'nein'],
  ['with', 'without'],
  ['mit', 'ohne'],
  ['for', 'against'],
  ['für', 'gegen'],
  ['accept', 'reject'],
  ['add', 'remove'],
  ['allow', 'forbid'],
  ['approve', 'reject'],
  ['before', 'after'],
  ['vor', 'nach'],
  ['build', 'buy'],
  ['centralize', 'decentralize'],
  ['enable', 'disable'],
  ['fewer', 'more'],
  ['less', 'more'],
  ['mehr', 'weniger'],
  ['faster', 'slower'],
  ['first', 'last'],
  ['high', 'low'],
  ['increase', 'decrease'],
  ['increase', 'reduce'],
  ['raise', 'lower'],
  ['internal', 'external'],
  ['join', 'split'],
  ['merge', 'split'],
  ['keep', 'drop'],
  ['keep', 'remove'],
  ['keep', 'replace'],
  ['manual', 'automatic'],
  ['now', 'later'],
  ['on', 'off'],
  ['open', 'close'],
  ['public', 'private'],
  ['start', 'stop'],
  ['stay', 'leave'],
  ['synchronous', 'asynchronous'],
  ['up', 'down'],
];

/**
 * Words of direction: if the same words are in another order around one of these, they may mean the reverse.
 */
const DIRECTIONS: ReadonlySet<string> = new Set(
  'from to into with by before after over than instead of rather until on von zu nach vor durch mit statt'.split(
    ' ',
  ),
);

/**
 * Why two texts cannot mean the same. `other figures`: they contain different numbers. `opposed`: one of them
 * negates the other, or they contain opposite words. `other direction`: they have the same words in another
 * order, with a word of direction such as "from" or "than" among them.
 */
export type Opposition = 'other figures' | 'opposed' | 'other direction';

/**
 * Returns the reason why two texts cannot mean the same. Returns undefined if no reason is found,
 * which does not prove that they mean the same.
 */
export function findOpposition(text: string, other: string): Opposition | undefined {
  const [left, right] = [readWording(text), readWording(other)];
  if (left.numbers !== right.numbers) return 'other figures';
  if (left.denies !== right.denies) return 'opposed';
  if (OPPOSITES.some(([a, b]) => isEither(left, right, a, b) || isEither(left, right, b, a)))
    return 'opposed';
  const same = left.words.toSorted().join(' ') === right.words.toSorted().join(' ');
  const turned = left.words.join(' ') !== right.words.join(' ');
  if (same && turned && left.words.some((word) => DIRECTIONS.has(word))) return 'other direction';
  return undefined;
}

interface Wording {
  readonly words: readonly string[];
  readonly denies: boolean;
  /** The numbers in order, whether in digits or words: `16`, `2|10`. */
  readonly numbers: string;
}

function readWording(text: string): Wording {
  const plain = sanitiseText(text).replace(/n['’`´]t(?!\p{L})/giu, ' not');
  const words = plainWords(plain);
  return {
    words,
    denies: words.filter((word) => DENIES.has(word)).length % 2 === 1,
    numbers: readNumbers(plain.normalize('NFKC'))
      .map(({ value, percent }) => (percent ? `${value}%` : `${value}`))
      .join('|'),
  };
}

function isEither(left: Wording, right: Wording, word: string, other: string): boolean {
  const hasOnly = ({ words }: Wording, has: string, lacks: string) =>
    words.includes(has) && !words.includes(lacks);
  return hasOnly(left, word, other) && hasOnly(right, other, word);
}
