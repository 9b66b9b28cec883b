/**
 * Groups texts with the same meaning. A model only names pairs; the program derives the groups and refuses
 * pairs that must not be joined.
 */
import * as z from 'zod';
import { groupItems, type RefusedPair } from '../../figures/grouping.ts';
import { shuffleItems } from '../../kernel/chance.ts';
import type { Decision, Grouping, GroupOptions, Item } from '../define.ts';
import { SDK } from '../facts.ts';
import { NoAnswer } from '../no-answer.ts';
import { quote } from '../quoting.ts';
import type { Edit } from './gate.ts';
import type { Recording } from './ledger.ts';

interface GroupingParts {
  readonly ask: (key: string, prompt: string, schema: z.ZodType) => Promise<unknown>;
  readonly gate: <V>(key: string, prompt: string, edit: Edit<V>) => Promise<Decision<V>>;
  readonly record: Recording;
  readonly seed: number;
}

type Pairs = readonly (readonly [string, string])[];
type By = 'person' | 'twice' | 'wording';

/**
 * Groups items with the same meaning. With `gate`, a person confirms the groups. Without it, or if no person
 * answers, items are joined if their wording is equal or if two calls to the model both name them as a pair; if
 * a call fails, only if their wording is equal.
 */
export async function runGrouping(
  parts: GroupingParts,
  key: string,
  items: readonly Item[],
  { of, gate = false }: GroupOptions,
): Promise<Grouping> {
  const groupAndRecord = (
    proposals: readonly Pairs[],
    by: By,
    isUngrouped = false,
  ): Promise<Grouping> => {
    const { groups, refused } = groupItems(items, proposals);
    return recordGrouping(
      parts,
      key,
      items,
      of,
      { groups, refused: refused.map(tellRefused), isUngrouped },
      by,
    );
  };
  if (!items.every(({ id, text }) => typeof id === 'string' && typeof text === 'string'))
    throw new TypeError(`group ${key}: items are { id, text }`);
  if (items.length < 2) return groupAndRecord([], 'wording');
  const first = await askPairs(parts, `${key}/same`, items, of);
  if (gate) {
    const { groups, refused } = groupItems(items, first === undefined ? [] : [first]);
    const told = refused.map((pair) => `Not joined: ${tellRefused(pair)}`).join('\n');
    const seen = await parts.gate(
      `${key}/gate`,
      [`Which of these ${of} are the same? A group a line, ids joined by +.`, told]
        .join('\n')
        .trim(),
      { draft: groupsText(groups, items), read: (text) => readGroups(text, items) },
    );
    if (seen.isPersons)
      return recordGrouping(
        parts,
        key,
        items,
        of,
        { groups: seen.value, refused: [], isUngrouped: false },
        'person',
      );
  }
  if (first === undefined) return groupAndRecord([], 'wording', true);
  if (first.length === 0) return groupAndRecord([], 'wording');
  const order = shuffleItems(items, parts.seed, key);
  const second = await askPairs(parts, `${key}/same-again`, order, of);
  return second === undefined
    ? groupAndRecord([], 'wording', true)
    : groupAndRecord([first, second], 'twice');
}

const WHY: Readonly<Record<RefusedPair['why'], string>> = {
  opposed: 'one denies what the other says',
  'other figures': 'they name different figures',
  'other direction': 'they go in different directions',
  chain: 'they were joined only by way of a third',
  once: 'only one of two calls joined them',
};

/** Formats a refused pair: `O1 and O3: one denies what the other says`. */
function tellRefused({ ids, why }: RefusedPair): string {
  return `${ids.join(' and ')}: ${WHY[why]}`;
}

async function recordGrouping(
  { record }: GroupingParts,
  key: string,
  items: readonly Item[],
  of: string,
  grouping: Grouping,
  by: By,
): Promise<Grouping> {
  const { groups, refused } = grouping;
  await record(key, [
    SDK.make('items.grouped', {
      step: key,
      of,
      items: items.map(({ id, text }) => ({ id, text })),
      groups: groups.map((group) => [...group]),
      refused: [...refused],
      by,
    }),
  ]);
  return grouping;
}

/** Asks for the pairs; undefined if the call failed. */
async function askPairs(
  { ask }: GroupingParts,
  key: string,
  items: readonly Item[],
  of: string,
): Promise<Pairs | undefined> {
  const [first = '', ...others] = items.map(({ id }) => id);
  const id = z.enum([first, ...others]);
  const schema = z.object({ same: z.array(z.object({ one: id, other: id })).max(MOST_PAIRS) });
  const prompt = [
    `Below are ${of}, each under an id. Name every pair that says the same thing: whoever takes one of them has taken the other.`,
    'Two that differ in a figure, a version, a direction or a condition are not the same, and neither are a whole and a part of it. Where you doubt it, leave the pair out. For three that are the same, name all three pairs. There may be none.',
    quote(...items.map(({ id, text }) => ({ from: id, text }))),
  ].join('\n\n');
  try {
    const { same } = schema.parse(await ask(key, prompt, schema));
    return same.flatMap(({ one, other }): (readonly [string, string])[] =>
      one === other ? [] : [[one, other]],
    );
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** The number of pairs among twenty texts that all mean the same. */
const MOST_PAIRS = 190;

/** Formats one group per line: `O1 + O4: Keep the monolith`. */
function groupsText(groups: readonly (readonly string[])[], items: readonly Item[]): string {
  const texts = new Map(items.map(({ id, text }) => [id, text]));
  return groups
    .map((ids) => `${ids.join(' + ')}: ${ids.map((id) => texts.get(id)).join(' / ')}`)
    .join('\n');
}

/** Parses groups. @throws Error that says what is wrong with which line */
function readGroups(text: string, items: readonly Item[]): string[][] {
  const left = new Set(items.map(({ id }) => id));
  const groups = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const ids = (line.split(':', 1)[0] ?? '').split('+').map((id) => id.trim());
      for (const id of ids)
        if (!left.delete(id)) throw new Error(`"${id}" is no id, or stands there twice`);
      return ids;
    });
  return [...groups, ...[...left].map((id) => [id])];
}
