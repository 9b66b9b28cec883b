/**
 * Runs whole processes and measures them, always two in turn, because only ratios are comparable between
 * machines.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a process took: time, processor time, memory and output. */
export interface Taken {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly out: string;
}

const USAGE = new URL('./usage.mjs', import.meta.url).href;

/** The path of the program's file. */
export const PROGRAM: string = fileURLToPath(new URL('../bin/deliberate.js', import.meta.url));

/** Runs `node ARGS` to its end, and resolves to what the process took. */
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

/** Returns the middle value of numbers. */
export function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs two commands in turn, A B A B …, after one unmeasured run of each. */
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
  readonly measured: string;
  readonly target: string;
  readonly met: boolean | undefined;
}

/** Makes a row for a value that should be at most `target`. */
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

/** Formats the table, one line for each row. */
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
