/**
 * Who works on a run. A lease names a process by its machine, its number and its birth, so that it is
 * over at the moment the process is gone, whatever the clock says and however long the process sleeps.
 *
 * The machine is known by its boot and not by its name: laptops and containers change their names. A
 * process number means something only among the processes that share a namespace, so that is part of a
 * lease as well. Leases of earlier versions have the name, the number and the birth alone. On Windows, the
 * birth is the path of a file that its process holds open as long as it lives (`platform/alive.ts`).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { giveSign, isSign, readSign } from '../platform/alive.ts';
import { SYSTEM, type System } from '../platform/system.ts';
import { DamagedRow } from './damaged.ts';

export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When the process was started, in words of the operating system: a number used again has another. */
  readonly born: string;
  /** The boot of the machine: another one after every start. */
  readonly boot?: string | undefined;
  /** The machine over all its boots, hashed: its id is no business of whoever reads the database. */
  readonly machine?: string | undefined;
  /** Linux: the namespace in which `pid` is a process's number. */
  readonly space?: string | undefined;
}

const NAMED = ['boot', 'machine', 'space'] as const;

/** The owner as a row keeps it. @throws DamagedRow */
export function readOwner(text: string): Owner {
  let owner: unknown;
  try {
    owner = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
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

/** `unknown`: nobody here can tell, as on another machine. */
type Standing = 'working' | 'gone' | 'unknown';

type Machine = Pick<Owner, 'host' | 'boot' | 'machine' | 'space'>;

/** Linux numbers the namespace that holds all others so (PROC_PID_INIT_INO): every process is seen there. */
const WHOLE_MACHINE = 'pid:[4026531836]';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

let known: Machine | undefined;

/** Asked for once: none of it changes while the process lives, but for the name. */
function here(): Machine {
  known ??= { host: '', boot: bootId(), machine: machineId(), space: spaceOf() };
  return { ...known, host: hostname() };
}

export function thisProcess(): Owner {
  return { ...here(), pid: process.pid, born: bornOf('self') ?? '' };
}

/** What became of the owner, as far as it can be told from `place`, which is here. */
export function standingOf(
  owner: Owner,
  place: Machine = here(),
  system: System = SYSTEM,
): Standing {
  // Windows and its Linux subsystem share a host name, but cannot see each other's processes.
  if (isSign(owner.born) !== (system === 'windows')) return 'unknown';
  if (isSign(owner.born))
    return owner.host === place.host ? readSign(owner.born, signsFolder()) : 'unknown';
  const boot = owner.boot ?? bootIn(owner.born);
  const sameName = owner.host === place.host;
  if (boot === undefined || place.boot === undefined)
    return sameName ? standingHere(owner) : 'unknown';
  if (boot !== place.boot) {
    const sameMachine =
      owner.machine === undefined || place.machine === undefined
        ? sameName
        : owner.machine === place.machine;
    // Started anew since: nothing of it is left.
    return sameMachine ? 'gone' : 'unknown';
  }
  const sameSpace = owner.space === undefined ? sameName : owner.space === place.space;
  return sameSpace ? standingHere(owner) : standingAnywhere(owner, place);
}

/** By the number, which means the same process here as in the lease. */
function standingHere(owner: Owner): Standing {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return 'gone';
  }
  const born = bornOf(owner.pid);
  // A process has the number, and whether it is that one nobody knows.
  if (born === undefined || owner.born === '') return 'unknown';
  return born === owner.born ? 'working' : 'gone';
}

/** In a namespace of its own: only whoever sees all processes of the machine can tell. */
function standingAnywhere(owner: Owner, place: Machine): Standing {
  if (place.space !== WHOLE_MACHINE) return 'unknown';
  try {
    // Where others' processes are hidden, that of root is.
    readFileSync('/proc/1/stat');
    const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const found = numbers.some(
      (pid) => bornOf(Number(pid)) === owner.born && numberWithin(pid) === owner.pid,
    );
    return found ? 'working' : 'gone';
  } catch {
    return 'unknown';
  }
}

/** The number that a process has in its own namespace. */
function numberWithin(pid: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^NSpid:.*?(\d+)$/m.exec(status)?.[1] ?? pid);
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}

/** Undefined where it cannot be told. */
function bornOf(pid: number | 'self'): string | undefined {
  try {
    if (SYSTEM === 'windows') return ownSign();
    if (SYSTEM === 'linux') {
      // A /proc from outside of this namespace has other processes under these numbers.
      if (pid !== 'self' && readlinkSync('/proc/self') !== String(process.pid)) return undefined;
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command, in brackets, may hold anything; the start time is the 20th field after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // Killed, and only waiting for its parent to take note: nobody's birth.
      if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
      return `${boot}:${fields[19]}`;
    }
    return said('ps', ['-o', 'lstart=', '-p', String(pid === 'self' ? process.pid : pid)]);
  } catch {
    // No /proc and no ps: the process number alone has to do.
    return undefined;
  }
}

let sign: string | undefined;

/** Returns this process's sign of life on Windows, made when the process takes its first run. */
function ownSign(): string {
  const name = `${process.pid}-${builtin('node:crypto').randomUUID()}`;
  sign ??= giveSign(signsFolder(), name);
  return sign;
}

/**
 * Returns the folder of all signs of this account. The environment cannot move it, so that all programs
 * agree.
 */
function signsFolder(): string {
  return join(userInfo().homedir, 'AppData', 'Local', 'deliberate', 'state', 'alive');
}

/** The boot that a birth on Linux begins with. */
function bootIn(born: string): string | undefined {
  const boot = born.slice(0, Math.max(0, born.indexOf(':')));
  return UUID.test(boot) ? boot : undefined;
}

function bootId(): string | undefined {
  if (SYSTEM === 'windows') return undefined;
  return told(() =>
    SYSTEM === 'linux'
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
      : said('sysctl', ['-n', 'kern.bootsessionuuid']),
  );
}

function machineId(): string | undefined {
  if (SYSTEM === 'windows') return undefined;
  const id = told(() =>
    SYSTEM === 'linux'
      ? readFileSync('/etc/machine-id', 'utf8')
      : /"IOPlatformUUID" = "([^"]+)"/.exec(
          said('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
        )?.[1],
  );
  // `uninitialized` stands in images that have not been started yet.
  return id === undefined || !/^[0-9a-f-]{32,36}$/i.test(id)
    ? undefined
    : builtin('node:crypto').hash('sha256', `deliberate ${id}`).slice(0, 32);
}

function spaceOf(): string | undefined {
  return told(() => (SYSTEM === 'linux' ? readlinkSync('/proc/self/ns/pid') : undefined));
}

/** Undefined where the system does not say, or says nothing. */
function told(ask: () => string | undefined): string | undefined {
  try {
    return ask()?.trim() || undefined;
  } catch {
    return undefined;
  }
}

function said(command: string, args: readonly string[]): string {
  const { execFileSync } = builtin('node:child_process');
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** Loaded when it is asked for: who only lists runs waits for neither, and asks of few who holds them. */
const builtin = process.getBuiltinModule;
