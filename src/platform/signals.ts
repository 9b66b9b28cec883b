/** What asks a program to end that is no signal of Unix. */
import { SYSTEM, type System } from './system.ts';

/** The exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * Takes Ctrl-Break on Windows as Ctrl-C is taken: whoever listens for that is told, and where nobody does the
 * program ends. A console window that is closed comes as SIGHUP already.
 */
export function heedBreak(system: System = SYSTEM, of: NodeJS.Process = process): void {
  if (system !== 'windows') return;
  of.on('SIGBREAK', () => {
    if (!of.emit('SIGINT', 'SIGINT')) of.exit(INTERRUPTED);
  });
}
