/** The signs of valuations, which are read without color and are the same in tables and in the graph. */
import type { Tone } from './parts.ts';

/** The sign that is shown with each status, so that the status does not depend on color alone. */
export const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✓',
  bad: '✗',
  mixed: '◐',
  open: '○',
  gone: '–',
};
