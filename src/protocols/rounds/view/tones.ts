/** The colors of claims and checks in the console. */

import type { Theme, Tone } from '../../../console/terminal/theme.ts';
import type { FactOf } from '../facts.ts';
import type { ClaimStatus } from '../records/types.ts';

type Verification = FactOf<'verification.recorded'>;

const STATUS_TONES: Readonly<Partial<Record<ClaimStatus, Tone>>> = {
  tested_confirmed: 'green',
  tested_refuted: 'red',
  partially_refuted: 'yellow',
  tested_unclear: 'yellow',
};
const RESULT_TONES: Readonly<Partial<Record<Verification['result'], Tone>>> = {
  BROKEN: 'red',
  ROBUST: 'green',
  UNCLEAR: 'yellow',
};

/** Returns a text in the color of a claim's status. */
export function toneStatus(theme: Theme, status: ClaimStatus, text: string): string {
  const tone = STATUS_TONES[status];
  return tone === undefined ? theme.dim(text) : theme.tone(tone, text);
}

/** Returns a text in the color of a verdict's result. */
export function toneResult(theme: Theme, result: Verification['result'], text: string): string {
  const tone = RESULT_TONES[result];
  return tone === undefined ? theme.dim(text) : theme.bold(theme.tone(tone, text));
}
