/** The plain texts of protocols, as the program prints them without a console. */

import { text as agents } from '../../src/protocols/agents/view/plain.ts';
import { text as board } from '../../src/protocols/board/view/plain.ts';
import { text as rounds } from '../../src/protocols/rounds/view/plain.ts';

export { agents, board, rounds };
