/**
 * Measures what drawing costs: processor time, bytes to the terminal, and delay of the event loop while seats
 * stream, in a real pseudo-terminal of 200×50. `npx node bench/console.ts [SECONDS]`
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { build } from 'rolldown';
import type { DrawCost, Load } from './console-load.tsx';
import { computeMedian, makeRow, type Row } from './measure.ts';

const COLUMNS = 200;
const ROWS = 50;
const TOKENS_PER_SECOND = 50;
const SEATS = 8;
/** Tokens that every seat has written before the measurement begins: few, and very many. */
const FEW = 500;
const MANY = 50_000;

const ROOT = join(import.meta.dirname, '..');

/**
 * Measures what it costs the console to draw streaming seats. Returns rows for the table of `npm run bench`.
 * @param seconds how long each of the four measurements takes
 */
export async function benchConsole(seconds = 10): Promise<Row[]> {
  const script = await bundleLoad();
  // Measure first and last with few tokens a seat, and twice in between with many: the machine's speed may change
  // during the four measurements.
  const few = [await measureLoad(script, SEATS, FEW, seconds)];
  const many = [
    await measureLoad(script, SEATS, MANY, seconds),
    await measureLoad(script, SEATS, MANY, seconds),
  ];
  few.push(await measureLoad(script, SEATS, FEW, seconds));
  const getMedianCpu = (of: readonly Drawn[]): number =>
    computeMedian(of.map((sample) => sample.cpuMsPerSecond));
  const where = `console, ${SEATS} seats at ${TOKENS_PER_SECOND} tokens/s`;
  return [
    makeRow(`${where}: CPU a second`, getMedianCpu(few), 200, ' ms', 0),
    makeRow(
      `${where}: to the terminal`,
      computeMedian(few.map((sample) => sample.kilobytesPerSecond)),
      60,
      ' kB/s',
      0,
    ),
    makeRow(
      `${where}: event loop p99`,
      computeMedian(few.map((sample) => sample.loopP99Ms)),
      15,
      ' ms',
      1,
    ),
    makeRow(
      `console, CPU after ${MANY} tokens a seat / after ${FEW}`,
      getMedianCpu(many) / getMedianCpu(few),
      1.1,
      'x',
    ),
  ];
}

interface Drawn extends DrawCost {
  readonly kilobytesPerSecond: number;
}

async function measureLoad(
  script: string,
  seats: number,
  before: number,
  seconds: number,
): Promise<Drawn> {
  const scratch = mkdtempSync(join(tmpdir(), 'console-load-'));
  const result = join(scratch, 'measured.json');
  const load = { seats, before, tokensPerSecond: TOKENS_PER_SECOND, seconds, result };
  const bytes = await countDrawnBytes(script, load);
  const measured = JSON.parse(readFileSync(result, 'utf8')) as DrawCost;
  rmSync(scratch, { recursive: true });
  return { ...measured, kilobytesPerSecond: bytes / 1000 / measured.seconds };
}

async function bundleLoad(): Promise<string> {
  // The folder is below node_modules, so that the bundle finds its external packages.
  const folder = join(ROOT, 'node_modules', '.cache', 'bench');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, 'console-load.mjs');
  await build({
    input: join(import.meta.dirname, 'console-load.tsx'),
    platform: 'node',
    external: /^[^./]/,
    output: { file: outfile, format: 'esm', codeSplitting: false },
  });
  return outfile;
}

/** Runs the load in a terminal, and counts the bytes between its two marks. */
async function countDrawnBytes(script: string, load: Load): Promise<number> {
  const pty = spawn(process.execPath, [script], {
    cols: COLUMNS,
    rows: ROWS,
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      CONSOLE_LOAD: JSON.stringify(load),
    },
  });
  let bytes = 0;
  let counting = false;
  let tail = '';
  pty.onData((data) => {
    tail = (tail + data).slice(-4000);
    if (data.includes('\u001b]9;begin')) counting = true;
    if (counting) bytes += Buffer.byteLength(data);
    if (data.includes('\u001b]9;end')) counting = false;
  });
  const code = await new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => resolve(exitCode)),
  );
  if (code !== 0) throw new Error(`the console ended with ${code}:\n${tail}`);
  return bytes;
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 10);
  const script = await bundleLoad();
  console.log(
    `console, ${COLUMNS}x${ROWS}, ${TOKENS_PER_SECOND} tokens/s a seat, ${seconds} s each`,
  );
  console.log('seats   said before  CPU ms/s   kB/s  loop p99 ms');
  for (const [seats, before] of [
    [3, FEW],
    [6, FEW],
    [SEATS, FEW],
    [SEATS, MANY],
  ] as const) {
    const sample = await measureLoad(script, seats, before, seconds);
    console.log(
      [
        String(seats).padStart(5),
        `${before} tokens`.padStart(13),
        sample.cpuMsPerSecond.toFixed(0).padStart(9),
        sample.kilobytesPerSecond.toFixed(0).padStart(6),
        sample.loopP99Ms.toFixed(1).padStart(12),
      ].join(' '),
    );
  }
}
