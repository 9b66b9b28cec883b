/**
 * Who works on a run. A lease names a process by its machine, its number and its birth, so that it is
 * over at the moment the process is gone, whatever the clock says and however long the process sleeps.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When the process was started, in words of the operating system: a number used again has another. */
  readonly born: string;
}

export function thisProcess(): Owner {
  return { host: hostname(), pid: process.pid, born: bornOf(process.pid) ?? '' };
}

/** False only where the process is surely gone. A process on another machine counts as alive. */
export function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  const born = bornOf(owner.pid);
  return born === undefined || owner.born === '' || born === owner.born;
}

/** Undefined where it cannot be told. */
function bornOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command, in brackets, may hold anything; the start time is the 20th field after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // Killed, and only waiting for its parent to take note: nobody's birth.
      if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
      return `${boot}:${fields[19]}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // No /proc and no ps: the process number alone has to do.
    return undefined;
  }
}
