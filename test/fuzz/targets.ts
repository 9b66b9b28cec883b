/** All fuzz targets. */
import { CLI_TARGETS } from './cli.fuzz.ts';
import { FIGURE_TARGETS } from './figures.fuzz.ts';
import type { FuzzTarget } from './fuzz.ts';
import { KERNEL_TARGETS } from './kernel.fuzz.ts';
import { KNOWLEDGE_TARGETS } from './knowledge.fuzz.ts';
import { MODEL_TARGETS } from './models.fuzz.ts';
import { NAME_TARGETS } from './names.fuzz.ts';
import { PROTOCOL_TARGETS } from './protocols.fuzz.ts';
import { RECORD_TARGETS } from './records.fuzz.ts';
import { STORE_TARGETS } from './store.fuzz.ts';
import { TEXT_TARGETS } from './text.fuzz.ts';

/** All fuzz targets, room by room. */
export const TARGETS: readonly FuzzTarget[] = [
  ...TEXT_TARGETS,
  ...FIGURE_TARGETS,
  ...MODEL_TARGETS,
  ...RECORD_TARGETS,
  ...PROTOCOL_TARGETS,
  ...KERNEL_TARGETS,
  ...KNOWLEDGE_TARGETS,
  ...STORE_TARGETS,
  ...CLI_TARGETS,
  ...NAME_TARGETS,
];
