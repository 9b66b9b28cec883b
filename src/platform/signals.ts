/** Handles requests to end the program that are not signals of Unix. */
import { SYSTEM, type System } from './system.ts';

/** The exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * Makes Ctrl-Break on Windows act like Ctrl-C: emits SIGINT, and exits with code 130 if nothing
 * listens to it. A closed console window needs no such care, since it arrives as SIGHUP.
 */
export function handleCtrlBreak(system: System = SYSTEM, of: NodeJS.Process = process): void {
  if (system !== 'windows') return;
  of.on('SIGBREAK', () => {
    if (!of.emit('SIGINT', 'SIGINT')) of.exit(INTERRUPTED);
  });
}
