/**
 * The limits of structured answers. Most answers need a fifth of them; the limits stop models that
 * do not end.
 */
import { entryOf } from '../../../kernel/entry.ts';
import type { Limits } from '../../../kernel/model.ts';
import { ENTRANCE_LIMITS } from '../../entrance/task.ts';

/** The most characters of one text: about 250 words. No task asks for more than 150 words. */
const TEXT = 1_600;
/** The most characters of a position or an option: about 60 words. */
const LINE = 400;

const ARTIFACT = { tokens: 8_000, text: TEXT, items: 24, words: { least: 0, most: 600 } } as const;

const LIMITS: Readonly<Record<string, Limits>> = {
  'artifact/action': {
    ...ARTIFACT,
    counts: { traces: { least: 2, most: 2 }, steps: { least: 6, most: 10 } },
  },
  'artifact/guardian': ARTIFACT,
  'artifact/observer': { ...ARTIFACT, counts: { steps: { least: 8, most: 15 } } },
  'artifact/critic': { ...ARTIFACT, counts: { attack_steps: { least: 5, most: 10 } } },
  check: { tokens: 3_000, text: TEXT, items: 40 },
  exam: ENTRANCE_LIMITS,
  // One answer of the reader judges up to 24 claims and three controls, and quotes passages for each.
  reading: { tokens: 12_000, text: TEXT, items: 32 },
  'second-look': { tokens: 4_000, text: TEXT, items: 32 },
  // The verifier gives at most one entry for each pair of a verdict and an open claim.
  bearings: { tokens: 10_000, text: TEXT, items: 120 },
  assessment: { tokens: 4_000, text: TEXT, items: 24 },
  drift: { tokens: 2_000, text: TEXT },
  prediction: { tokens: 2_000, text: TEXT },
  signature: { tokens: 3_000, text: TEXT, items: 10 },
  stance: { tokens: 1_200, text: LINE, items: 24 },
  'stance-alone': { tokens: 1_200, text: LINE, items: 24 },
  options: { tokens: 2_000, text: TEXT, items: 24 },
};

/**
 * Returns the limits of a structured answer (tokens, characters of a text, entries of a list),
 * so that a model cannot go on without end. Returns undefined if the task has no limits.
 * @param kind the name of the task, such as `check`
 */
export function getLimits(kind: string): Limits | undefined {
  return entryOf(LIMITS, kind);
}
