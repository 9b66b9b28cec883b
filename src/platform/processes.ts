/**
 * Starts programs in a way that they can be ended together with all that they started. On Unix a process
 * group does this. Windows has no groups, and `taskkill` goes from parent to child: what a program has left
 * running when it ended by itself is not found there.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { windowsProgram } from './programs.ts';
import { SYSTEM, type System } from './system.ts';

/**
 * Returns options for `spawn` that give a program a process group of its own. `endTree` can then
 * end it with everything it started, and Ctrl-C at the terminal does not reach it. On Windows, which has no process
 * groups, the options only keep a console window from opening.
 */
export function ownGroupOptions(system: System = SYSTEM): {
  readonly detached: boolean;
  readonly windowsHide: boolean;
} {
  // On Windows, `detached` would open a console window.
  return { detached: system !== 'windows', windowsHide: true };
}

/**
 * Returns a sentence on the protections that commands lack on this system, for people who let
 * commands run; undefined if none is missing.
 */
export function describeMissingProtection(system: System = SYSTEM): string | undefined {
  return system === 'windows'
    ? 'on Windows, commands of a team run with your rights, and what one leaves running is not ended: not when it ends, and not when this program is killed'
    : undefined;
}

/**
 * Ends a program that was started with `ownGroupOptions`, with everything that it started. SIGTERM asks
 * the processes to end, except on Windows, where it ends them like SIGKILL. Does nothing if no
 * process is left; on Windows also if the program itself has ended.
 *
 * @throws the system's error if the program may not be ended
 */
export function endTree(
  child: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>,
  signal: 'SIGTERM' | 'SIGKILL',
): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined) return;
  if (SYSTEM === 'windows') {
    // If the process has ended, its id may belong to another program by now, which must not be ended.
    if (exitCode !== null || signalCode !== null) return;
    const taskkill = windowsProgram('taskkill.exe', process.env);
    spawnSync(taskkill, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
