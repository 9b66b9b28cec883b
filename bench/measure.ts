/**
 * Runs whole processes and measures them, always two in turn, because only ratios are comparable between
 * machines.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a process took, and what it printed. */
export interface Taken {
  /** Milliseconds from the start of the process to its end. */
  readonly wallMs: number;
  /** Milliseconds of processor time. */
  readonly cpuMs: number;
  /** The most memory that the process used at a time, in megabytes. */
  readonly peakMb: number;
  /** The standard output. */
  readonly out: string;
}

const USAGE = new URL('./usage.mjs', import.meta.url).href;

/** The path of `bin/deliberate.js`, which starts the built program. */
export const PROGRAM: string = fileURLToPath(new URL('../bin/deliberate.js', import.meta.url));

/**
 * Runs `node ARGS` to its end. Resolves to what the process took, and rejects if its exit code is not 0.
 * @param env variables to add to the process's environment, which otherwise has only PATH and an unusable HOME
 */
export function runMeasured(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, ['--import', USAGE, ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    let out = '';
    let usage = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.stdio[3]?.on('data', (bytes: Buffer) => {
      usage += bytes.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const wallMs = performance.now() - started;
      if (code !== 0) reject(new Error(`${args.join(' ')} ended with ${code}: ${err}`));
      else resolve({ wallMs, out, ...(JSON.parse(usage) as { cpuMs: number; peakMb: number }) });
    });
  });
}

/** Returns the middle value of numbers, or the mean of the two in the middle; NaN if there are none. */
export function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/**
 * Runs two commands in turn, A B A B …, `runs` times each, after one unmeasured run of each. `ratio` of the
 * result divides each run of A by the run of B after it, and returns the median of the quotients.
 */
export async function measurePair(
  runs: number,
  a: () => Promise<Taken>,
  b: () => Promise<Taken>,
): Promise<{ a: Taken[]; b: Taken[]; ratio: (of: 'wallMs' | 'cpuMs' | 'peakMb') => number }> {
  await a();
  await b();
  const left: Taken[] = [];
  const right: Taken[] = [];
  for (let run = 0; run < runs; run++) {
    left.push(await a());
    right.push(await b());
  }
  return {
    a: left,
    b: right,
    ratio: (of) =>
      computeMedian(left.map((run, index) => run[of] / (right[index]?.[of] ?? Number.NaN))),
  };
}

/** A row of the table that `npm run bench` prints. */
export interface Row {
  readonly what: string;
  /** The measured value, with its unit. */
  readonly measured: string;
  /** The target, such as `<= 5 ms`; empty if there is none. */
  readonly target: string;
  /** Whether the value meets the target; undefined without a target. */
  readonly met: boolean | undefined;
}

/**
 * Makes a row for a value that should be at most `target`.
 * @param unit is appended to both numbers
 * @param digits how many decimal places the measured value is shown with
 */
export function makeRow(what: string, value: number, target: number, unit = '', digits = 2): Row {
  return {
    what,
    measured: `${value.toFixed(digits)}${unit}`,
    target: `<= ${target}${unit}`,
    met: value <= target,
  };
}

/** Makes a row for a share from 0 to 1 that should be at least `target`, shown in per cent. */
export function atLeast(what: string, share: number, target: number): Row {
  return {
    what,
    measured: `${(share * 100).toFixed(1)} %`,
    target: `>= ${target * 100} %`,
    met: share >= target,
  };
}

/** Makes a row for a share from 0 to 1 that should be at most `target`, shown in per cent. */
export function atMost(what: string, share: number, target: number): Row {
  return makeRow(what, share * 100, target * 100, ' %', 1);
}

/** Formats rows as a table of plain text, with a line of headings. A missed target is marked `NO`. */
export function formatRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ what }) => what.length));
  return [
    `${'what'.padEnd(width)}  measured      target        met`,
    ...rows.map(
      ({ what, measured, target, met }) =>
        `${what.padEnd(width)}  ${measured.padEnd(12)}  ${target.padEnd(12)}  ${met === undefined ? '' : met ? 'yes' : 'NO'}`,
    ),
  ].join('\n');
}
