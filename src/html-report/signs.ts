/** The sign of each tone: read without color, and the same in tables and in the graph. */
import type { Tone } from './parts.ts';

export const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✓',
  bad: '✗',
  mixed: '◐',
  open: '○',
  gone: '–',
};
