/**
 * The notation for the stand-in's texts: plain data with placeholders and choices, and the class that fills it
 * in. Arrays and objects are filled in part by part.
 * Placeholders in a text: `{subject}` and `{question}` of the topic · `{0}` `{1}` `{2}` its words, which repeat
 * if there are few · `{a}` `{b}` `{c}` words drawn for the whole answer · `{word}` and `{n}` a word and a
 * number drawn for each item of `chooseSome`, and `{at}` the item's index · `{2-14}` a number from 2 to 14 ·
 * `{soon|late}` one of these · any name that `fillPlaceholders` defines.
 */
import type { Chance } from './chance.ts';
import type { Topic } from './topic.ts';

/**
 * A template for texts of the stand-in, with placeholders and choices; or a list or an object of
 * such templates.
 */
export type Template = string | number | readonly Template[] | { readonly [key: string]: Template };

/**
 * Makes a template from which one of the given texts is chosen at random. Texts with an undefined
 * placeholder are never chosen.
 */
export const chooseOne = (of: readonly Template[]): Template => ({ $any: of });
/**
 * Makes a template from which several of the given texts are chosen at random. They keep the order
 * of the list.
 * @param count the number of texts, or a range of numbers
 */
export const chooseSome = (
  count: number | readonly [number, number],
  of: readonly Template[],
): Template => ({
  $some: of,
  count,
});
/** Makes a template for a random whole number from `low` to `high`, both included. */
export const chooseNumber = (low: number, high: number): Template => ({ $from: low, to: high });
/**
 * Makes a template that joins lines to one text.
 * @param count how many of the lines are used, chosen at random and in their order; default: all
 */
export const joinTemplates = (of: readonly Template[], count = of.length): Template => ({
  $lines: chooseSome(count, of),
});
/** Makes a template from `say` that fills in the placeholders named in `values` with the values given there. */
export const fillPlaceholders = (
  values: Readonly<Record<string, Template>>,
  say: Template,
): Template => ({
  $having: values,
  say,
});
/**
 * Converts texts of the form `first → second` to objects with two fields.
 * @param first the name of the first field
 * @param second the name of the second field
 */
export function splitPairs(first: string, second: string, of: readonly string[]): Template[] {
  return of.map((pair) => {
    const [left = '', right = ''] = pair.split(' → ');
    return { [first]: left, [second]: right };
  });
}

const PLACE = /\{([^{}]+)\}/g;

/**
 * Fills in the placeholders of templates and makes their random choices, for one answer of the
 * stand-in.
 */
export class TemplateFiller {
  readonly #chance: Chance;
  readonly #words: Topic['words'];
  #values: ReadonlyMap<string, string>;

  /**
   * Creates the object for one answer.
   * @param values the values of placeholders besides those of the topic
   */
  constructor(topic: Topic, chance: Chance, values: Readonly<Record<string, string>> = {}) {
    const { subject, question, words } = topic;
    this.#chance = chance;
    this.#words = words;
    const inTurn = [0, 1, 2].map((at) => [at, words[at % words.length] ?? words[0]]);
    const [a = words[0], b = a, c = b] = chance.some(words, 3);
    const known = { ...Object.fromEntries(inTurn), subject, question, a, b, c };
    this.#values = new Map(Object.entries({ ...known, ...this.#drawn(), ...values }));
  }

  /** Returns a template with all placeholders filled in and all choices made. */
  fill(words: Template): unknown {
    if (typeof words === 'string') return this.#text(words);
    if (typeof words === 'number') return words;
    if (isList(words)) return words.map((template) => this.fill(template));
    const { $any, $some, $lines, $from, $having } = words;
    if (isList($any)) return this.#one($any);
    if (isList($some)) return this.#some($some, words.count ?? $some.length);
    if ($lines !== undefined) return [this.fill($lines)].flat().join('\n');
    if ($from !== undefined) return this.#chance.between(Number($from), Number(words.to));
    if ($having !== undefined) return this.#with(this.fill($having), words.say ?? '');
    return Object.fromEntries(
      Object.entries(words).map(([key, template]) => [key, this.fill(template)]),
    );
  }

  /** Returns a template, filled in, in which the placeholder `{word}` has the given value. */
  about(words: Template, word: string): unknown {
    return this.#with({ ...this.#drawn(), word }, words);
  }

  #one(of: readonly Template[]): unknown {
    const [first = '', ...rest] = of.filter(
      (template) => typeof template !== 'string' || this.#knows(template),
    );
    return this.fill(this.#chance.pick([first, ...rest]));
  }

  #some(of: readonly Template[], count: Template): unknown[] {
    const [low, high] = isList(count) ? count : [count, count];
    const wanted = this.#chance.between(Number(low), Number(high));
    const kept = new Set(this.#chance.some(of, wanted));
    return of
      .filter((template) => kept.has(template))
      .map((template, index) => this.#with({ ...this.#drawn(), at: String(index + 1) }, template));
  }

  #with(values: unknown, words: Template): unknown {
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

function isList(words: Template | undefined): words is readonly Template[] {
  return Array.isArray(words);
}
