/**
 * The order of a prompt's parts. Text that many requests share comes first, so that providers can
 * cache it; the task comes last.
 */
import type { MessagePart, Quoted } from '../../../kernel/model.ts';
import { encloseInTags } from '../../common/prompts/fence.ts';

/**
 * The edition of a run's prompts. Edition 2 changed the order of a prompt's parts, editions 3 and 4
 * changed the wording. Runs that are older than edition 2 have undefined. A run keeps its edition,
 * because a changed prompt would have to be sent and paid for again.
 */
export type PromptEdition = 2 | 3 | 4 | undefined;

/**
 * Returns whether a run has edition `first` of its prompts or rules, or a later edition.
 * @param edition the run's edition; undefined in runs that are older than edition 2
 */
export function isSince(edition: number | undefined, first: 3 | 4 | 5 | 6 | 7): boolean {
  return edition !== undefined && edition >= first;
}

/** The part of a prompt that differs from round to round and from task to task. */
export interface Material {
  /** Blocks that other seats see, too. */
  readonly heard?: readonly Quoted[];
  /** Instructions for every role, in addition to the role's task. */
  readonly rules?: string;
  /** Blocks that only this seat sees. */
  readonly pieces?: readonly Quoted[];
  readonly task: string;
}

/** The part of a prompt before the round: the question, earlier rounds, and the seat's brief. */
interface Frame {
  readonly shared: string;
  readonly record: readonly Quoted[];
  readonly brief: string;
  /** The random part of the tags around all blocks. */
  readonly id: string;
}

/**
 * Returns the quoted blocks of a prompt in their order: first those that other seats see, too, then those that only
 * one seat sees. Before edition 2 of the prompts, the order was the opposite.
 */
export function orderBlocks(
  { heard = [], pieces = [] }: Material,
  edition: PromptEdition,
): Quoted[] {
  return edition === undefined ? [...pieces, ...heard] : [...heard, ...pieces];
}

/**
 * Returns all parts of a prompt in order. Parts that many prompts have in common come first, so
 * that providers can cache them.
 */
export function orderParts(
  { shared, record, brief, id }: Frame,
  material: Material,
  edition: PromptEdition,
): MessagePart[] {
  const { heard = [], rules = '', pieces = [], task } = material;
  const encloseBlocks = (tag: 'record' | 'piece', blocks: readonly Quoted[]): MessagePart[] =>
    blocks.map(({ from, text }, index) => ({
      text: encloseInTags(tag, id, from, text),
      stable: index === blocks.length - 1,
    }));
  const toMessageParts = (text: string): MessagePart[] => (text === '' ? [] : [{ text }]);
  const start = [{ text: shared, stable: true }, ...encloseBlocks('record', record)];
  if (edition === undefined) {
    const blocks = encloseBlocks('piece', orderBlocks(material, edition)).map(({ text }) => text);
    return [
      ...start,
      ...(blocks.length === 0 ? [] : [{ text: blocks.join('\n\n'), stable: true }]),
      { text: [brief, task, rules].filter((text) => text !== '').join('\n\n') },
    ];
  }
  return [
    ...start,
    ...encloseBlocks('piece', heard),
    ...(rules === '' ? [] : [{ text: `${OF_ALL}\n\n${rules}`, stable: true }]),
    ...toMessageParts(brief),
    ...encloseBlocks('piece', pieces),
    { text: task },
  ];
}

const OF_ALL = 'Asked of every role alike, together with the task that stands at the end:';
