/** Handles requests to end the program: signals, and what Windows has instead of them. */
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

/**
 * Calls `interrupt` on Ctrl-C, and `end` when the system or a closed terminal ends the program.
 * @returns a function that removes the handlers
 */
export function handleSignals(interrupt: () => void, end: () => void): () => void {
  const handlers = { SIGINT: interrupt, SIGTERM: end, SIGHUP: end };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, handlers[name]);
  return () => {
    for (const name of names) process.off(name, handlers[name]);
  };
}
