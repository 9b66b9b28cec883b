/**
 * Every process that a command has started, also those that left its process group. They are known by
 * their parents, by the group, and by a mark in the environment that children inherit.
 *
 * A process that empties its environment, leaves the group and loses its parent between two looks is
 * not found: only a process namespace, which `bwrap` gives, holds those as well. Where there is no
 * /proc, marks cannot be read and parents and the group have to do.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endTree } from '../platform/processes.ts';
import { SYSTEM } from '../platform/system.ts';

/** The variable that marks what a run has started. Its value begins with the run's own mark. */
export const MARK = 'DELIBERATE_WORK';

export interface Member {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** With the number it names one process and no later one. */
  readonly born: string;
  readonly name: string;
}

/** Between SIGTERM and SIGKILL. */
export const GRACE_MS = 1_500;
/** Who forks faster than it is killed is killed again, so often. */
const ROUNDS = 200;

export class Family {
  readonly #root: number;
  readonly #mark: string;
  readonly #known = new Set<string>();
  /** Looked at and found to be strangers: a stranger's children are none of ours. */
  readonly #strangers = new Set<string>();

  /** @param root the command's own process, which leads its group. */
  constructor(root: number, mark: string) {
    this.#root = root;
    this.#mark = mark;
  }

  /** Who of it is alive. */
  look(): Member[] {
    const all = listProcesses();
    const members = new Map<number, Member>();
    const rest = new Set(all);
    for (let found = true; found; ) {
      found = false;
      for (const one of rest) {
        const isOurs =
          one.pid === this.#root ||
          one.group === this.#root ||
          members.has(one.parent) ||
          this.#known.has(keyOf(one)) ||
          this.#isMarked(one);
        if (!isOurs) continue;
        members.set(one.pid, one);
        this.#known.add(keyOf(one));
        rest.delete(one);
        found = true;
      }
    }
    for (const one of rest) this.#strangers.add(keyOf(one));
    return [...members.values()];
  }

  #isMarked(one: Member): boolean {
    return !this.#strangers.has(keyOf(one)) && hasMark(one.pid, this.#mark);
  }

  /** Asks all of it to end, and sees to it. `spare`: who is not asked, since others end with it. */
  async end(spare: (member: Member) => boolean = () => false): Promise<void> {
    for (const { pid } of this.look().filter((one) => !spare(one))) send(pid, 'SIGTERM');
    const until = performance.now() + GRACE_MS;
    while (performance.now() < until && this.look().length > 0) await sleep(50);
    await killAll(() => this.look());
  }
}

/**
 * The counterpart of `Family` for Windows, where listing processes is slow. Living processes are not
 * counted; all of them are ended from parent to child, as long as the command's own process is alive.
 */
export class Descendants {
  readonly #root: ChildProcess;

  constructor(root: ChildProcess) {
    this.#root = root;
  }

  look(): Member[] {
    return [];
  }

  async end(): Promise<void> {
    endTree(this.#root, 'SIGKILL');
    if (this.#root.exitCode === null && this.#root.signalCode === null)
      await Promise.race([once(this.#root, 'exit'), sleep(GRACE_MS)]);
  }
}

/** Ends what carries the mark of a run that nobody works on any more. Says how many there were. */
export async function endMarked(mark: string): Promise<number> {
  const marked = (): Member[] =>
    listProcesses().filter(({ pid }) => pid !== process.pid && hasMark(pid, mark));
  const found = marked();
  if (found.length > 0) await killAll(marked);
  return found.length;
}

async function killAll(look: () => Member[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const members = look();
    if (members.length === 0) return;
    for (const { pid } of members) send(pid, 'SIGKILL');
    await sleep(Math.min(10 + round, 50));
  }
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It is gone, or it was never ours to end.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Returns the process of that number, if it runs. */
export function findProcess(pid: number): Member | undefined {
  return listProcesses().find((member) => member.pid === pid);
}

function keyOf({ pid, born }: Member): string {
  return `${pid} ${born}`;
}

/** Exactly that mark, or one that goes on with a dash: a run's mark stands for all its commands. */
function hasMark(pid: number, mark: string): boolean {
  if (SYSTEM !== 'linux') return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .some((one) => one === `${MARK}=${mark}` || one.startsWith(`${MARK}=${mark}-`));
  } catch {
    // Somebody else's process, or it ended meanwhile.
    return false;
  }
}

/** Those that run: a process that has ended and waits for its parent to take note is none. */
function listProcesses(): Member[] {
  if (SYSTEM === 'windows') return [];
  if (SYSTEM !== 'linux') return askPs();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        // The command, in brackets, may hold anything.
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
        // It ended while the list was read.
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
