/**
 * Finds every process that a command has started, including those that left its process group. They are
 * identified by their parents, by the group, and by a mark in the environment that children inherit.
 *
 * A process that empties its environment, leaves the group and loses its parent between two checks is not
 * found; only a process namespace, which `bwrap` provides, contains such processes. Without /proc marks
 * cannot be read, and only parents and the group are used.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endTree } from '../platform/processes.ts';
import { SYSTEM } from '../platform/system.ts';

/**
 * The environment variable that marks the processes of a run, so that they can be found. Its value
 * begins with the mark of the run.
 */
export const MARK = 'DELIBERATE_WORK';

/** A running process, as the system lists it. */
export interface Member {
  /** The process number. */
  readonly pid: number;
  /** The process number of its parent. */
  readonly parent: number;
  /** The number of its process group. */
  readonly group: number;
  /** The start time of the process. Together with `pid` it identifies one process. */
  readonly born: string;
  /** The name of its program, as the system shortens it. */
  readonly name: string;
}

/** Milliseconds between SIGTERM and SIGKILL. */
export const GRACE_MS = 1_500;
/** How often killing is repeated, for processes that fork while they are being killed. */
const ROUNDS = 200;

/**
 * All processes that one command has started, on Linux and macOS. A process belongs to the command if its
 * parent does, if it is in the command's group or if its environment has the command's mark.
 */
export class Family {
  readonly #root: number;
  readonly #mark: string;
  readonly #known = new Set<string>();
  /** Processes that were found not to belong to the command. Their marks are not read again. */
  readonly #strangers = new Set<string>();

  /**
   * @param root the number of the command's own process, which leads its group
   * @param mark the mark in the environment of the command's processes
   */
  constructor(root: number, mark: string) {
    this.#root = root;
    this.#mark = mark;
  }

  /** Returns the processes of the command that are alive now. */
  look(): Member[] {
    const all = listProcesses();
    const members = new Map<number, Member>();
    const rest = new Set(all);
    for (let found = true; found; ) {
      found = false;
      for (const member of rest) {
        const isOurs =
          member.pid === this.#root ||
          member.group === this.#root ||
          members.has(member.parent) ||
          this.#known.has(keyOf(member)) ||
          this.#isMarked(member);
        if (!isOurs) continue;
        members.set(member.pid, member);
        this.#known.add(keyOf(member));
        rest.delete(member);
        found = true;
      }
    }
    for (const member of rest) this.#strangers.add(keyOf(member));
    return [...members.values()];
  }

  #isMarked(member: Member): boolean {
    return !this.#strangers.has(keyOf(member)) && hasMark(member.pid, this.#mark);
  }

  /**
   * Sends SIGTERM to all processes of the command, and SIGKILL to those that are left after 1.5 seconds.
   * @param spare selects processes that get no SIGTERM, such as a sandbox's program: its end would kill every
   * process in the sandbox at once
   */
  async end(spare: (member: Member) => boolean = () => false): Promise<void> {
    for (const { pid } of this.look().filter((member) => !spare(member)))
      sendSignal(pid, 'SIGTERM');
    const until = performance.now() + GRACE_MS;
    while (performance.now() < until && this.look().length > 0) await sleep(50);
    await killAll(() => this.look());
  }
}

/**
 * All processes that one command has started, on Windows, where listing processes is slow. The
 * processes are ended from parent to child, for which the command's own process must be alive.
 */
export class Descendants {
  readonly #root: ChildProcess;

  constructor(root: ChildProcess) {
    this.#root = root;
  }

  /** Returns an empty list, since processes are not listed on Windows. */
  look(): Member[] {
    return [];
  }

  /** Ends all processes of the command. */
  async end(): Promise<void> {
    endTree(this.#root, 'SIGKILL');
    if (this.#root.exitCode === null && this.#root.signalCode === null)
      await Promise.race([once(this.#root, 'exit'), sleep(GRACE_MS)]);
  }
}

/**
 * Kills all processes whose environment variable `MARK` is the given mark of a run or begins with it and a dash,
 * and returns how many there were. Finds none on systems other than Linux. Call it only when no process of this
 * program works on the marked run any more.
 */
export async function endMarked(mark: string): Promise<number> {
  const listMarked = (): Member[] =>
    listProcesses().filter(({ pid }) => pid !== process.pid && hasMark(pid, mark));
  const found = listMarked();
  if (found.length > 0) await killAll(listMarked);
  return found.length;
}

async function killAll(look: () => Member[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const members = look();
    if (members.length === 0) return;
    for (const { pid } of members) sendSignal(pid, 'SIGKILL');
    await sleep(Math.min(10 + round, 50));
  }
}

function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Ignore the error if the process has ended or belongs to another user.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Returns the running process with this number; undefined if there is none, and always on Windows. */
export function findProcess(pid: number): Member | undefined {
  return listProcesses().find((member) => member.pid === pid);
}

function keyOf({ pid, born }: Member): string {
  return `${pid} ${born}`;
}

/**
 * Returns whether a process has exactly this mark, or the mark followed by a dash: a run's mark matches all
 * its commands.
 */
function hasMark(pid: number, mark: string): boolean {
  if (SYSTEM !== 'linux') return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .some(
        (variable) => variable === `${MARK}=${mark}` || variable.startsWith(`${MARK}=${mark}-`),
      );
  } catch {
    // The environment cannot be read: the process belongs to another user, or it has ended.
    return false;
  }
}

/** Returns the running processes, without zombies. */
function listProcesses(): Member[] {
  if (SYSTEM === 'windows') return [];
  if (SYSTEM !== 'linux') return askPs();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        // The name of the command, in parentheses, may contain any character, also parentheses.
        const end = stat.lastIndexOf(')');
        const [state, parent, group, ...more] = stat.slice(end + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        return [
          {
            pid: Number(name),
            parent: Number(parent),
            group: Number(group),
            born: more[16] ?? '',
            name: stat.slice(stat.indexOf('(') + 1, end),
          },
        ];
      } catch {
        // Skip a process that has ended since the list of processes was read.
        return [];
      }
    });
}

function askPs(): Member[] {
  const said = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,ucomm='], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return [...said.matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S+) +(\S+ +\S+ +\S+ +\S+ +\S+) +(.*)$/gm)]
    .filter(([, , , , state]) => !state?.startsWith('Z'))
    .map(([, pid, parent, group, , born = '', name = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      born,
      name,
    }));
}
