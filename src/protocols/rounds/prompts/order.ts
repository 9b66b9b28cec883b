/**
 * How a prompt is put together: what most requests have in common stands first, so that providers find
 * it in their cache, and what is to be done last.
 */
import type { MessagePart, Quoted } from '../../../kernel/model.ts';
import { quote } from '../../common/fence.ts';

/**
 * Which order and words a run asks by: asked in others, all that it has would be asked again. Absent in
 * runs whose prompts stood in another order; 3 and 4 have other words.
 */
export type PromptEdition = 2 | 3 | 4 | undefined;

/** Whether a run asks by the words of an edition, or of a later one; the same of the rules it is held under. */
export function isSince(number: number | undefined, first: 3 | 4 | 5 | 6): boolean {
  return number !== undefined && number >= first;
}

/** What a seat is told and asked in this round, by who else is told the same. */
export interface Material {
  /** Blocks that are put before other seats too. */
  readonly heard?: readonly Quoted[];
  /** What is asked of every role alike, beside its task. */
  readonly rules?: string;
  /** Blocks that are put before this seat alone. */
  readonly pieces?: readonly Quoted[];
  readonly task: string;
}

/** What stands before it: the question, what came of earlier rounds, and who the seat is. */
interface Frame {
  readonly shared: string;
  readonly record: readonly Quoted[];
  readonly brief: string;
  /** The nonce of all blocks. */
  readonly id: string;
}

/** The blocks of this round, in the order in which they stand in the prompt. */
export function blocksIn({ heard = [], pieces = [] }: Material, edition: PromptEdition): Quoted[] {
  return edition === undefined ? [...pieces, ...heard] : [...heard, ...pieces];
}

export function partsOf(
  { shared, record, brief, id }: Frame,
  material: Material,
  edition: PromptEdition,
): MessagePart[] {
  const { heard = [], rules = '', pieces = [], task } = material;
  const quoted = (tag: 'record' | 'piece', blocks: readonly Quoted[]): MessagePart[] =>
    blocks.map(({ from, text }, index) => ({
      text: quote(tag, id, from, text),
      stable: index === blocks.length - 1,
    }));
  const said = (text: string): MessagePart[] => (text === '' ? [] : [{ text }]);
  const start = [{ text: shared, stable: true }, ...quoted('record', record)];
  if (edition === undefined) {
    const blocks = quoted('piece', blocksIn(material, edition)).map(({ text }) => text);
    return [
      ...start,
      ...(blocks.length === 0 ? [] : [{ text: blocks.join('\n\n'), stable: true }]),
      { text: [brief, task, rules].filter((text) => text !== '').join('\n\n') },
    ];
  }
  return [
    ...start,
    ...quoted('piece', heard),
    ...(rules === '' ? [] : [{ text: `${OF_ALL}\n\n${rules}`, stable: true }]),
    ...said(brief),
    ...quoted('piece', pieces),
    { text: task },
  ];
}

const OF_ALL = 'Asked of every role alike, together with the task that stands at the end:';
