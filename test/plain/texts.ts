/** How the runs of a test read: by their protocol, as the program has it. */

import { text as agents } from '../../src/protocols/agents/view/plain.ts';
import { text as board } from '../../src/protocols/board/view/plain.ts';
import { text as rounds } from '../../src/protocols/rounds/view/plain.ts';

export { agents, board, rounds };
