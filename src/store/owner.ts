/**
 * Records which process works on a run. A lease identifies a process by its machine, its number and its
 * start time, so that the lease ends when the process ends, whatever the clock says and however long the
 * process sleeps.
 *
 * The machine is identified by its boot and not by its name, as laptops and containers change their names.
 * A process number is unique only within a process namespace, so the namespace is part of a lease as well.
 * Leases of earlier versions contain only the name, the number and the start time. On Windows, instead of a
 * start time a lease has the path of a file that its process holds open as long as it lives
 * (`platform/alive.ts`).
 */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { createLifeSign, isLifeSign, readLifeSign } from '../platform/alive.ts';
import { SYSTEM, type System } from '../platform/system.ts';
import { parseJson } from '../text/json.ts';
import { DamagedRow } from './database.ts';

/** The process that works on a run; no other process may write the run's log. */
export interface Owner {
  readonly host: string;
  /** The process number. */
  readonly pid: number;
  /**
   * The start time of the process, in a form that depends on the operating system. Together with
   * the number, it tells processes apart that got the same number one after the other. On Windows, it is
   * the path of a file that the process holds open as long as it lives.
   */
  readonly born: string;
  /** The id of the machine's boot, which changes at every start of the machine. */
  readonly boot?: string | undefined;
  /**
   * The hash of the machine's id, which stays the same after every boot. The id itself is kept from
   * readers of the database.
   */
  readonly machine?: string | undefined;
  /** On Linux: the process namespace of `pid`. */
  readonly space?: string | undefined;
}

const NAMED = ['boot', 'machine', 'space'] as const;

/**
 * Parses a stored owner.
 * @throws DamagedRow if the text is no owner
 */
export function readOwner(text: string): Owner {
  const owner = parseJson(text);
  if (!isOwner(owner)) throw new DamagedRow('the owner of a run cannot be read');
  return owner;
}

function isOwner(given: unknown): given is Owner {
  if (typeof given !== 'object' || given === null) return false;
  const { host, pid, born, ...more }: Partial<Record<keyof Owner, unknown>> = given;
  return (
    typeof host === 'string' &&
    Number.isSafeInteger(pid) &&
    typeof born === 'string' &&
    NAMED.every((name) => more[name] === undefined || typeof more[name] === 'string')
  );
}

/** Whether the owner's process is alive; `unknown` if this machine cannot tell, as for another machine. */
type OwnerState = 'working' | 'gone' | 'unknown';

type Machine = Pick<Owner, 'host' | 'boot' | 'machine' | 'space'>;

/**
 * The id that Linux gives the outermost process namespace (PROC_PID_INIT_INO), in which every process is
 * visible.
 */
const WHOLE_MACHINE = 'pid:[4026531836]';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

let known: Machine | undefined;

/** Returns this machine's identity. It is read once, except for the host name, which may change. */
function thisMachine(): Machine {
  known ??= { host: '', boot: bootId(), machine: machineId(), space: spaceOf() };
  return { ...known, host: hostname() };
}

/** Returns this process in the form of an owner. */
export function describeThisProcess(): Owner {
  return { ...thisMachine(), pid: process.pid, born: startTimeOf('self') ?? '' };
}

/**
 * Returns whether the owner's process is alive (`working`) or has ended (`gone`); `unknown` if this machine cannot
 * tell, as for a process of another machine. `place` and `system` are those of this machine, except in tests.
 */
export function checkOwner(
  owner: Owner,
  place: Machine = thisMachine(),
  system: System = SYSTEM,
): OwnerState {
  // Windows and its Linux subsystem share a host name, but neither sees the processes of the other.
  if (isLifeSign(owner.born) !== (system === 'windows')) return 'unknown';
  if (isLifeSign(owner.born))
    return owner.host === place.host ? readLifeSign(owner.born, aliveFolder()) : 'unknown';
  const boot = owner.boot ?? bootIn(owner.born);
  const sameName = owner.host === place.host;
  if (boot === undefined || place.boot === undefined)
    return sameName ? checkByNumber(owner) : 'unknown';
  if (boot !== place.boot) {
    const sameMachine =
      owner.machine === undefined || place.machine === undefined
        ? sameName
        : owner.machine === place.machine;
    // The machine was started again after the process began, so the process has ended.
    return sameMachine ? 'gone' : 'unknown';
  }
  const sameSpace = owner.space === undefined ? sameName : owner.space === place.space;
  return sameSpace ? checkByNumber(owner) : checkAcrossNamespaces(owner, place);
}

/** Checks the process by its number, for an owner in the same process namespace. */
function checkByNumber(owner: Owner): OwnerState {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return 'gone';
  }
  const born = startTimeOf(owner.pid);
  // A process with this number exists, but its start time cannot be compared with that of the owner. So it may be
  // another process.
  if (born === undefined || owner.born === '') return 'unknown';
  return born === owner.born ? 'working' : 'gone';
}

/** Checks an owner in another process namespace, which only the outermost namespace can see. */
function checkAcrossNamespaces(owner: Owner, place: Machine): OwnerState {
  if (place.space !== WHOLE_MACHINE) return 'unknown';
  try {
    // If the file of process 1 cannot be read, the system hides processes of other users. The owner's process
    // may be hidden too, so its state is `unknown`.
    readFileSync('/proc/1/stat');
    const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const found = numbers.some(
      (pid) => startTimeOf(Number(pid)) === owner.born && numberWithin(pid) === owner.pid,
    );
    return found ? 'working' : 'gone';
  } catch {
    return 'unknown';
  }
}

/** Returns the number that a process has in its own namespace. */
function numberWithin(pid: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^NSpid:.*?(\d+)$/m.exec(status)?.[1] ?? pid);
  } catch {
    // The process has ended since the list of processes was read, or its file cannot be read.
    return undefined;
  }
}

/** Returns the start time of a process; undefined if the system does not tell it. */
function startTimeOf(pid: number | 'self'): string | undefined {
  try {
    if (SYSTEM === 'windows') return ownAliveFile();
    if (SYSTEM === 'linux') {
      // If /proc shows another namespace than that of this process, the numbers in it mean other processes.
      if (pid !== 'self' && readlinkSync('/proc/self') !== String(process.pid)) return undefined;
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name of the command, in parentheses, may contain any character. The start time is the
      // 20th field after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie process has ended, so it can no longer be the owner.
      if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
      return `${boot}:${fields[19]}`;
    }
    return runCommand('ps', ['-o', 'lstart=', '-p', String(pid === 'self' ? process.pid : pid)]);
  } catch {
    // The process has ended, or the system does not tell when the process began.
    return undefined;
  }
}

let sign: string | undefined;

/**
 * Returns the path of the file that shows on Windows that this process is alive. The file is created when
 * the process takes its first run.
 */
function ownAliveFile(): string {
  const name = `${process.pid}-${builtin('node:crypto').randomUUID()}`;
  sign ??= createLifeSign(aliveFolder(), name);
  return sign;
}

/**
 * Returns the folder of these files, one per account. It does not depend on environment variables, so that
 * all programs use the same.
 */
function aliveFolder(): string {
  return join(userInfo().homedir, 'AppData', 'Local', 'deliberate', 'state', 'alive');
}

/** Returns the boot id with which a start time on Linux begins. */
function bootIn(born: string): string | undefined {
  const boot = born.slice(0, Math.max(0, born.indexOf(':')));
  return UUID.test(boot) ? boot : undefined;
}

function bootId(): string | undefined {
  if (SYSTEM === 'windows') return undefined;
  return readFromSystem(() =>
    SYSTEM === 'linux'
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
      : runCommand('sysctl', ['-n', 'kern.bootsessionuuid']),
  );
}

function machineId(): string | undefined {
  if (SYSTEM === 'windows') return undefined;
  const id = readFromSystem(() =>
    SYSTEM === 'linux'
      ? readFileSync('/etc/machine-id', 'utf8')
      : /"IOPlatformUUID" = "([^"]+)"/.exec(
          runCommand('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
        )?.[1],
  );
  // Before a system's first boot, its file `/etc/machine-id` holds the word `uninitialized`.
  return id === undefined || !/^[0-9a-f-]{32,36}$/i.test(id)
    ? undefined
    : builtin('node:crypto').hash('sha256', `deliberate ${id}`).slice(0, 32);
}

function spaceOf(): string | undefined {
  return readFromSystem(() => (SYSTEM === 'linux' ? readlinkSync('/proc/self/ns/pid') : undefined));
}

/** Returns the trimmed answer of `ask`; undefined if it throws or is empty. */
function readFromSystem(ask: () => string | undefined): string | undefined {
  try {
    return ask()?.trim() || undefined;
  } catch {
    return undefined;
  }
}

function runCommand(command: string, args: readonly string[]): string {
  const { execFileSync } = builtin('node:child_process');
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/**
 * Loads built-in modules when they are needed: commands that only list runs rarely check an owner and need
 * not wait for these modules.
 */
const builtin = process.getBuiltinModule;
