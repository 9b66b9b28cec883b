/** The path of this program, to start another process of it. */
import { fileURLToPath } from 'node:url';

/** The path of the program's start file. Valid in the sources and in the built program. */
export const PROGRAM = fileURLToPath(new URL('../../bin/deliberate.js', import.meta.url));
