/** The signs of valuations, which are read without color and are the same in tables and in the graph. */
import type { Tone } from './parts.ts';

export const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✓',
  bad: '✗',
  mixed: '◐',
  open: '○',
  gone: '–',
};
