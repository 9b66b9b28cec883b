/**
 * Setup of every worker. With `TEST_COST=FILE`, on Linux, each file of tests appends a line to FILE. Its
 * columns are the seconds of processor time; of those, the worker's own in user and in system mode, and the
 * same two of the processes that it started; the worker's memory in MiB; and the path of the file. A busy
 * machine changes waits, but hardly these numbers.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const file = process.env.TEST_COST;

/** The seconds of this process in user and system mode, and those of all processes that it has started. */
type Spent = readonly [user: number, system: number, below: number, systemBelow: number];

function getSpent(): Spent {
  const [user, system, below, systemBelow] = readTimes('self');
  const [more, systemMore] = spentBelow('self');
  return [user, system, below + more, systemBelow + systemMore];
}

/**
 * Returns the seconds that all running processes below a process took, with those of their children that
 * have ended.
 */
function spentBelow(pid: string): readonly [user: number, system: number] {
  let [user, system] = [0, 0];
  for (const task of readdirSync(`/proc/${pid}/task`))
    for (const child of readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' '))
      try {
        if (child === '') continue;
        const [own, systemOwn, below, systemBelow] = readTimes(child);
        const [more, systemMore] = spentBelow(child);
        user += own + below + more;
        system += systemOwn + systemBelow + systemMore;
      } catch {
        // The child process has ended since the list of children was read, so that its times cannot be read.
      }
  return [user, system];
}

function readTimes(pid: string): Spent {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, below = 0, systemBelow = 0] = fields
    .slice(11, 15)
    .map((ticks) => Number(ticks) / 100);
  return [user, system, below, systemBelow];
}

if (file !== undefined) {
  const before = getSpent();
  const path = expect.getState().testPath ?? '';
  afterAll(() => {
    const parts = getSpent().map((seconds, at) => seconds - (before[at] ?? 0));
    const sum = parts.reduce((all, part) => all + part, 0);
    const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    const row = [sum, ...parts].map((part) => part.toFixed(2));
    const memory = Math.round(Number(kilobytes) / 1024);
    appendFileSync(file, `${[...row, memory, path].join('\t')}\n`);
  });
}
