/** The path of this program, to start another process of it. */
import { fileURLToPath } from 'node:url';

/** The program's start file. Sources and build are at the same depth, so the path holds for both. */
export const PROGRAM = fileURLToPath(new URL('../../bin/deliberate.js', import.meta.url));
