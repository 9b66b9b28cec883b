/** Everything that is fuzzed. */
import { CLI } from './cli.fuzz.ts';
import { FIGURES } from './figures.fuzz.ts';
import type { Fuzz } from './fuzz.ts';
import { KERNEL } from './kernel.fuzz.ts';
import { KNOWLEDGE } from './knowledge.fuzz.ts';
import { MODELS } from './models.fuzz.ts';
import { NAMES } from './names.fuzz.ts';
import { PROTOCOLS } from './protocols.fuzz.ts';
import { RECORDS } from './records.fuzz.ts';
import { STORE } from './store.fuzz.ts';
import { TEXT } from './text.fuzz.ts';

export const TARGETS: readonly Fuzz[] = [
  ...TEXT,
  ...FIGURES,
  ...MODELS,
  ...RECORDS,
  ...PROTOCOLS,
  ...KERNEL,
  ...KNOWLEDGE,
  ...STORE,
  ...CLI,
  ...NAMES,
];
