/**
 * Reads a set from a person's own file in JSON Lines, one item per line. Problems are reported with their
 * lines.
 */
import * as z from 'zod';
import { UsageError } from '../../kernel/errors.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { readTarget } from '../answers.ts';
import type { Item, ItemSet } from './item.ts';

const makeTextSchema = (most: number) => z.string().trim().min(1, 'expected some text').max(most);

const itemSchema = z.strictObject({
  id: z.union([makeTextSchema(200), z.number()]).transform(String),
  input: makeTextSchema(200_000),
  target: z.union([makeTextSchema(2_000), z.number()]).transform(String),
  choices: z.array(makeTextSchema(200)).min(2).max(50).optional(),
  kind: z.enum(['number', 'choice', 'text', 'flaw']).default('text'),
  meta: z
    .looseObject({
      unit: makeTextSchema(200).optional(),
      variant: z.enum(['flaw', 'decoy', 'clean']).optional(),
    })
    .default({}),
});

/** The most items; more could not be paid for, and such a file is probably no set. */
const MOST_ITEMS = 100_000;
const MOST_TOLD = 5;

/**
 * Parses a file of items. `file` is its name for messages.
 * @throws UsageError that lists the first problems, each with the file and the line, or says that the file
 *   has no item or too many
 */
export function readSet(file: string, content: string): ItemSet {
  const items: Item[] = [];
  const problems: string[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, row] of content.split(/\r?\n/).entries()) {
    if (row.trim() === '') continue;
    const number = index + 1;
    const read = readItem(row);
    if (typeof read === 'string') problems.push(`${file}:${number}: ${read}`);
    else {
      const before = lineOf.get(read.id);
      if (before !== undefined)
        problems.push(`${file}:${number}: the id ${read.id} is that of line ${before} too`);
      lineOf.set(read.id, number);
      items.push(read);
    }
    if (problems.length >= MOST_TOLD || items.length > MOST_ITEMS) break;
  }
  if (problems.length > 0)
    throw new UsageError(
      problems.join('\n'),
      'A line is {"id", "input", "target"}, and where it has them "choices", "kind" and "meta".',
    );
  if (items.length === 0) throw new UsageError(`${file}: there is no item in it`);
  if (items.length > MOST_ITEMS)
    throw new UsageError(`${file}: there are more than ${MOST_ITEMS} items in it`);
  return { name: file, items };
}

function readItem(row: string): Item | string {
  let json: unknown;
  try {
    json = JSON.parse(row);
  } catch (error) {
    return `no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { data, error } = itemSchema.safeParse(json);
  if (data === undefined) {
    const [issue] = error.issues;
    const at = issue?.path.join('.') ?? '';
    return `${at === '' ? '' : `${at}: `}${issue?.message ?? 'not understood'}`;
  }
  const { choices, ...rest } = data;
  const item: Item = { ...rest, ...withoutUndefined({ choices }) };
  if (item.kind === 'choice' && choices === undefined)
    return 'choices: an item of kind choice has some';
  // Without a valid target, every answer to the item would count as wrong.
  if (readTarget(item) === null)
    return `target: ${JSON.stringify(item.target)} is no answer of kind ${item.kind}`;
  const twin = choices?.find((choice) => readTarget({ ...item, target: choice }) !== choice);
  if (item.kind === 'choice' && twin !== undefined)
    return `choices: ${JSON.stringify(twin)} cannot be told from another one, or given as an answer`;
  return item;
}
