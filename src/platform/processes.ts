/**
 * Programs that are started and ended with all that they started. On Unix a group of processes is; Windows
 * has none, and `taskkill` goes from parent to child: what a program leaves behind there when it has ended
 * by itself is not found.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { ofWindows } from './programs.ts';
import { SYSTEM, type System } from './system.ts';

/** Options for `spawn`, so that `endTree` ends all of it, and Ctrl-C at the terminal does not. */
export function ofItsOwn(system: System = SYSTEM): {
  readonly detached: boolean;
  readonly windowsHide: boolean;
} {
  // Detached on Windows means a console window of its own.
  return { detached: system !== 'windows', windowsHide: true };
}

/** What cannot be kept from programs on a system, as a sentence for whoever lets some run; undefined: nothing. */
export function unguarded(system: System = SYSTEM): string | undefined {
  return system === 'windows'
    ? 'on Windows, commands of a team run with your rights, and what one leaves running is not ended: not when it ends, and not when this program is killed'
    : undefined;
}

/**
 * Asks a program started with `ofItsOwn` and all that it started to end, or ends them. Windows knows no
 * asking: there SIGTERM ends as well. Does nothing where nothing of it is left, or it was never started.
 *
 * @throws the system's error where it may not be ended
 */
export function endTree(
  child: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>,
  signal: 'SIGTERM' | 'SIGKILL',
): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined) return;
  if (SYSTEM === 'windows') {
    // The number may be another program's by now.
    if (exitCode !== null || signalCode !== null) return;
    const taskkill = ofWindows('taskkill.exe', process.env);
    spawnSync(taskkill, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
