/**
 * The notation for the stand-in's texts: plain data with placeholders and choices, and the class that fills it
 * in. Arrays and objects are filled in part by part.
 * Placeholders in a text: `{subject}` and `{question}` of the topic · `{0}` `{1}` `{2}` its words, which repeat
 * if there are few · `{a}` `{b}` `{c}` words drawn for the whole answer · `{word}` and `{n}` a word and a
 * number drawn for each item of `some`, and `{at}` the item's index · `{2-14}` a number from 2 to 14 ·
 * `{soon|late}` one of these · any name that `having` defines.
 */
import type { Chance } from './chance.ts';
import type { Topic } from './topic.ts';

export type Words = string | number | readonly Words[] | { readonly [key: string]: Words };

/** Chooses one of the texts. Texts with an undefined placeholder are never chosen. */
export const any = (of: readonly Words[]): Words => ({ $any: of });
/** Chooses so many of the texts (a number or a range), in the order in which they are listed. */
export const some = (count: number | readonly [number, number], of: readonly Words[]): Words => ({
  $some: of,
  count,
});
/** Chooses a whole number, both ends included. */
export const from = (low: number, high: number): Words => ({ $from: low, to: high });
/** Joins lines to one text: all, or so many of them. */
export const lines = (of: readonly Words[], count = of.length): Words => ({
  $lines: some(count, of),
});
/** Defines names for placeholders in a text. */
export const having = (values: Readonly<Record<string, Words>>, say: Words): Words => ({
  $having: values,
  say,
});
/** Makes an object with two fields from each text of the form `first → second`. */
export function pairs(first: string, second: string, of: readonly string[]): Words[] {
  return of.map((one) => {
    const [left = '', right = ''] = one.split(' → ');
    return { [first]: left, [second]: right };
  });
}

const PLACE = /\{([^{}]+)\}/g;

export class Filling {
  readonly #chance: Chance;
  readonly #words: Topic['words'];
  #values: ReadonlyMap<string, string>;

  /** @param values values of names besides the topic's */
  constructor(topic: Topic, chance: Chance, values: Readonly<Record<string, string>> = {}) {
    const { subject, question, words } = topic;
    this.#chance = chance;
    this.#words = words;
    const inTurn = [0, 1, 2].map((at) => [at, words[at % words.length] ?? words[0]]);
    const [a = words[0], b = a, c = b] = chance.some(words, 3);
    const known = { ...Object.fromEntries(inTurn), subject, question, a, b, c };
    this.#values = new Map(Object.entries({ ...known, ...this.#drawn(), ...values }));
  }

  fill(words: Words): unknown {
    if (typeof words === 'string') return this.#text(words);
    if (typeof words === 'number') return words;
    if (isList(words)) return words.map((one) => this.fill(one));
    const { $any, $some, $lines, $from, $having } = words;
    if (isList($any)) return this.#one($any);
    if (isList($some)) return this.#some($some, words.count ?? $some.length);
    if ($lines !== undefined) return [this.fill($lines)].flat().join('\n');
    if ($from !== undefined) return this.#chance.between(Number($from), Number(words.to));
    if ($having !== undefined) return this.#with(this.fill($having), words.say ?? '');
    return Object.fromEntries(Object.entries(words).map(([key, one]) => [key, this.fill(one)]));
  }

  /** Fills in words about a given word. */
  about(words: Words, word: string): unknown {
    return this.#with({ ...this.#drawn(), word }, words);
  }

  #one(of: readonly Words[]): unknown {
    const [first = '', ...rest] = of.filter((one) => typeof one !== 'string' || this.#knows(one));
    return this.fill(this.#chance.pick([first, ...rest]));
  }

  #some(of: readonly Words[], count: Words): unknown[] {
    const [low, high] = isList(count) ? count : [count, count];
    const wanted = this.#chance.between(Number(low), Number(high));
    const kept = new Set(this.#chance.some(of, wanted));
    return of
      .filter((one) => kept.has(one))
      .map((one, index) => this.#with({ ...this.#drawn(), at: String(index + 1) }, one));
  }

  #with(values: unknown, words: Words): unknown {
    const before = this.#values;
    this.#values = new Map([...before, ...Object.entries<string>(Object(values))]);
    const made = this.fill(words);
    this.#values = before;
    return made;
  }

  #drawn(): { word: string; n: string } {
    return { word: this.#chance.pick(this.#words), n: String(this.#chance.between(2, 9)) };
  }

  #text(words: string): string {
    return words.replace(PLACE, (_place, name: string) => {
      const known = this.#values.get(name);
      if (known !== undefined) return known;
      const [first = '', ...more] = name.split('|');
      if (more.length > 0) return this.#chance.pick([first, ...more]);
      const [low = 0, high = low] = name.split('-').map(Number);
      return String(this.#chance.between(low, high));
    });
  }

  #knows(words: string): boolean {
    const names = [...words.matchAll(PLACE)].map(([, name = '']) => name);
    return names.every((name) => this.#values.has(name) || /[|-]/.test(name));
  }
}

function isList(words: Words | undefined): words is readonly Words[] {
  return Array.isArray(words);
}
