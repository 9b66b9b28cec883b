/** This program as another process of it is started. */
import { fileURLToPath } from 'node:url';

/** Its first file. Sources and build lie equally deep. */
export const PROGRAM = fileURLToPath(new URL('../../bin/deliberate.js', import.meta.url));
