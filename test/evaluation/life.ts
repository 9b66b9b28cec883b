/** `life.ts ARGUMENTS…`: one life of the program, from the sources: what is said on standard output is JSON lines. */
import { main } from '../../src/cli/main.ts';

process.exitCode = await main(process.argv.slice(2));
