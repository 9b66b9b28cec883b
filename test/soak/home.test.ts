/**
 * A day at the home screen in fast motion: one board after the other by the keyboard of one real process,
 * whose memory, open files and database are watched from outside.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../e2e/scene.ts';
import { Terminal } from '../e2e/terminal.ts';
import { LONG } from '../long.ts';

const BOARDS = LONG ? 200 : 4;
/** Boards after which caches are full and code is compiled. */
const WARM = LONG ? 60 : 2;
/** Boards over which the least memory counts: in between, garbage waits to be collected. */
const WINDOW = 40;

interface Sample {
  /** Bytes of memory that are resident. */
  readonly memory: number;
  readonly files: number;
  /** Bytes of the file, without what waits to be written into it. */
  readonly database: number;
}

function takeSample(pid: number, file: string): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    database: statSync(file).size,
  };
}

it.runIf(process.platform === 'linux')(
  `no further files stay open, and in the long form memory does not grow, while the home screen starts ${BOARDS} boards`,
  async () => {
    const home = makeFolder();
    const file = join(home, 'runs.db');
    const env = { HOME: home, DELIBERATE_DB: file, OLLAMA_HOST: 'http://127.0.0.1:1' };
    const terminal = new Terminal(['--rehearse', '--rehearse-speed', '1000'], {
      columns: 100,
      rows: 30,
      env,
    });
    const samples: Sample[] = [];
    for (let count = 1; count <= BOARDS; count += 1) {
      await terminal.until(/Ctrl-J new line/);
      terminal.press(`Is this board number ${count}?`);
      await terminal.until(new RegExp(`> Is this board number ${count}\\?`));
      terminal.press('\r');
      await terminal.until(/Synthesis v1[\s\S]*Done: 3 of 3/);
      terminal.press('q');
      await terminal.until(new RegExp(`Recent +✓ done.*board number ${count}\\?`));
      samples.push(takeSample(terminal.process.pid, file));
      // Move the focus back to the question box.
      terminal.press('\u001b');
      terminal.raw = '';
    }
    const [first, warm, last] = [samples[0], samples[WARM - 1], samples.at(-1)];
    if (first === undefined || warm === undefined || last === undefined)
      throw new Error('nothing was sampled');
    if (LONG) console.log(JSON.stringify({ warm, last }));
    expect(last.files).toBeLessThanOrEqual(warm.files);
    if (!LONG) return;
    const getLeastMemory = (from: number): number =>
      Math.min(...samples.slice(from, from + WINDOW).map(({ memory }) => memory));
    expect(getLeastMemory(BOARDS - WINDOW) / getLeastMemory(WARM)).toBeLessThan(1.1);
    const middle = samples[BOARDS / 2 - 1] ?? warm;
    const growth = (last.database - middle.database) / (middle.database - first.database);
    expect(growth).toBeLessThan(1.25);
  },
  LONG ? 1_800_000 : 60_000,
);
