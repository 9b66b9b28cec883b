/**
 * Asks a model which options of a vote are the same choice, unless their wording already shows
 * this. A model that has not read the options pairs them at random, or pairs them all. To detect
 * this, an invented option is added that has nothing to do with any real question. If an answer
 * pairs the invented option, none of its pairs counts.
 */
import * as z from 'zod';
import { shuffleItems } from '../../../kernel/chance.ts';

/**
 * Returns the schema of a model's answer that says which options mean the same choice. The answer
 * is a list of pairs of ids.
 * @param ids the ids under which the options are shown: `O1`, `O2`, …
 */
export function comparisonSchema(ids: readonly string[]) {
  const id = z.enum(ids as [string, ...string[]]);
  return z.object({ same: z.array(z.object({ option: id, as: id })) });
}

/**
 * Returns the instructions for finding options that mean the same choice.
 * @param when the rule by which two options are the same choice
 */
export function comparisonTask(
  when = 'whoever carried out the one would have carried out the other',
): string {
  return `These are options that people put on a ballot about the question, each in words of its own. Which of them are the same choice? List a pair only where ${when}; a condition or a date that changes what is done makes it another choice. Most options are different, and an empty list is a good answer.`;
}

/** An option on a ballot, with the sentence that explains it. */
interface BallotEntry {
  readonly option: string;
  readonly position: string;
}

const PLANTS: readonly BallotEntry[] = [
  { option: 'Repaint the meeting room', position: 'Repaint the meeting room in a lighter colour.' },
  { option: 'Hold the summer party in May', position: 'Hold the summer party on a Friday in May.' },
  {
    option: 'Order new chairs for the canteen',
    position: 'Order twelve new chairs for the canteen.',
  },
  { option: 'Put plants in the hallway', position: 'Put two large plants in the hallway.' },
  {
    option: 'Print the address on envelopes',
    position: 'Print our address on the back of envelopes.',
  },
];

/**
 * The options that a model compares, and a function that reads its answer. Among the options may be
 * one that the program invented, to test whether the model really reads them.
 */
export interface Comparison<Entry extends BallotEntry> {
  /** The options as the model sees them, each with its id. */
  readonly shown: readonly (BallotEntry & { readonly id: string })[];
  /** The ids of the shown options. */
  readonly ids: readonly string[];
  /**
   * Converts a model's answer to pairs of entries that mean the same choice. Returns undefined if
   * the answer says that the invented option means the same as another one.
   */
  readPairs(
    same: readonly { readonly option: string; readonly as: string }[],
  ): [Entry, Entry][] | undefined;
}

/**
 * Prepares options from ballots for a model, which is then asked which of them mean the same choice. Each option gets
 * an id. If `planted` is true, an invented option is added, which shows whether the model really reads the options.
 * @param entries the options, two or more with different wording
 * @param seed determines the invented option and its position; with the same seed, a resumed run
 * gets the same prompt
 * @param planted whether to add an invented option, if one has no word in common with the others
 */
export function compareEntries<Entry extends BallotEntry>(
  entries: readonly Entry[],
  seed: number,
  planted: boolean,
): Comparison<Entry> {
  const plant = planted ? findPlant(entries, seed) : undefined;
  const order: readonly (Entry | BallotEntry)[] =
    plant === undefined ? entries : shuffleItems([...entries, plant], seed, 'planted option');
  const shown = order.map(({ option, position }, at) => ({ id: `O${at + 1}`, option, position }));
  const ids = shown.map(({ id }) => id);
  const findEntry = (id: string): Entry | undefined =>
    entries.find((entry) => entry === order[ids.indexOf(id)]);
  return {
    shown,
    ids,
    readPairs: (same) => {
      const pairs: [Entry, Entry][] = [];
      for (const { option, as } of same) {
        if (option === as) continue;
        const [one, other] = [findEntry(option), findEntry(as)];
        if (one === undefined || other === undefined) return undefined;
        pairs.push([one, other]);
      }
      return pairs;
    },
  };
}

/**
 * Returns an invented option that has no longer word in common with any entry. Returns undefined in
 * the rare case that there is no such option.
 */
function findPlant(entries: readonly BallotEntry[], seed: number): BallotEntry | undefined {
  const said = new Set(entries.flatMap(({ option, position }) => wordsOf(`${option} ${position}`)));
  return shuffleItems(PLANTS, seed, 'plant').find(
    ({ position }) => !wordsOf(position).some((word) => said.has(word)),
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
}
