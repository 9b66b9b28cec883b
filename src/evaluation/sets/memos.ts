/**
 * Design memos of numbered sentences. For each there is a sentence with which the design cannot work, and a
 * decoy that only sounds so; a model sees the memo with one of them, or with neither.
 */
import * as z from 'zod';
import type { Item, ItemSet } from './item.ts';

const planted = z.strictObject({
  /** The number of the memo's sentence that the planted sentence replaces; 1 is the first. */
  at: z.number().int().positive(),
  /** The planted sentence. */
  text: z.string(),
  /** Why the planted sentence makes the design impossible, or why it only seems to. No model sees this. */
  why: z.string(),
});

/** The schema of a design memo with a planted flaw and a decoy. */
export const memoSchema = z.strictObject({
  id: z.string(),
  field: z.string(),
  title: z.string(),
  /** The sentences of the clean memo. */
  sentences: z.array(z.string()).min(6),
  flaw: planted,
  decoy: planted,
});
/**
 * A design memo with a sentence that makes the design impossible (the flaw) and one that only seems
 * to (the decoy).
 */
export type Memo = z.infer<typeof memoSchema>;

/** The variants of a memo: with the flaw, with the decoy, or with neither. */
export const VARIANTS = ['flaw', 'decoy', 'clean'] as const;
type Variant = (typeof VARIANTS)[number];

/** Returns the sentences of one variant of a memo. */
export function sentencesOf(memo: Memo, variant: Variant): string[] {
  const change = variant === 'clean' ? undefined : memo[variant];
  return memo.sentences.map((sentence, index) =>
    change?.at === index + 1 ? change.text : sentence,
  );
}

function memoItem(memo: Memo, variant: Variant): Item {
  return {
    id: `${memo.id}-${variant}`,
    input: [
      `Design memo: ${memo.title}`,
      sentencesOf(memo, variant)
        .map((sentence, index) => `S${index + 1}. ${sentence}`)
        .join('\n'),
      'Does this memo hold a fatal flaw: something that the memo itself shows cannot work, so that the design fails at what it is for? Costs, risks and open choices are not fatal. Where two sentences cannot both hold, the flaw is the later one. At most one sentence is fatal.',
    ].join('\n\n'),
    target: variant === 'flaw' ? `FATAL: S${memo.flaw.at}` : 'FATAL: NONE',
    kind: 'flaw',
    meta: { source: 'memos', unit: memo.id, variant, field: memo.field },
  };
}

/** Makes a set with three items for each memo, one for each variant. */
export function memoSet(memos: readonly Memo[]): ItemSet {
  return {
    name: 'flaws',
    items: memos.flatMap((memo) => VARIANTS.map((variant) => memoItem(memo, variant))),
  };
}
