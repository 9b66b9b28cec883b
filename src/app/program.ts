/** The path of this program, to start another process of it. */
import { fileURLToPath } from 'node:url';

/** The path of the program's start file, both from the sources and from the build. */
export const PROGRAM = fileURLToPath(new URL('../../bin/deliberate.js', import.meta.url));
