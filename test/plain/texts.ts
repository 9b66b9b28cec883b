/** How the runs of a test read: by their protocol, as the program has it. */

import { COMMON_TEXT } from '../../src/plain/protocol-text.ts';
import { text as agents } from '../../src/protocols/agents/view/plain.ts';
import { text as board } from '../../src/protocols/board/view/plain.ts';
import { text as plan } from '../../src/protocols/plan/view/plain.ts';
import { text as rounds } from '../../src/protocols/rounds/view/plain.ts';

export { agents, board, plan, rounds };
/** Of every protocol, and of one that is not here. */
export const EVERY = { agents, board, plan, rounds, none: COMMON_TEXT };
