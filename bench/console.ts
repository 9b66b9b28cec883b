/**
 * What drawing costs: CPU, bytes to the terminal and delay of the event loop while seats stream, in a
 * real pseudo-terminal of 200×50. `npx node bench/console.ts`
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { build } from 'esbuild';
import type { Load, Measured } from './console-load.tsx';

const COLUMNS = 200;
const ROWS = 50;

const root = join(import.meta.dirname, '..');
// Below node_modules, so that the bundle finds the packages it leaves out.
const folder = join(root, 'node_modules', '.cache', 'bench');
mkdirSync(folder, { recursive: true });
const script = join(folder, 'console-load.mjs');
await build({
  entryPoints: [join(import.meta.dirname, 'console-load.tsx')],
  outfile: script,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  jsx: 'automatic',
  logLevel: 'error',
});
const scratch = mkdtempSync(join(tmpdir(), 'console-load-'));

async function measure(load: Omit<Load, 'result'>): Promise<Measured & { bytes: number }> {
  const result = join(scratch, `${load.seats}-${load.before}.json`);
  const pty = spawn(process.execPath, [script, ...(process.env.PROFILE ? [] : [])], {
    cols: COLUMNS,
    rows: ROWS,
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      CONSOLE_LOAD: JSON.stringify({ ...load, result } satisfies Load),
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
  return { ...(JSON.parse(readFileSync(result, 'utf8')) as Measured), bytes };
}

const seconds = Number(process.env.SECONDS ?? 10);
console.log(`console, ${COLUMNS}x${ROWS}, 50 tokens/s a seat, ${seconds} s each`);
console.log('seats  said before  CPU ms/s  kB/s  loop p99 ms');
for (const [seats, before] of [
  [3, 500],
  [6, 500],
  [8, 500],
  [8, 50_000],
] as const) {
  const measured = await measure({ seats, before, tokensPerSecond: 50, seconds });
  const figures = [
    String(seats).padStart(5),
    `${before} tokens`.padStart(12),
    measured.cpuMsPerSecond.toFixed(0).padStart(9),
    (measured.bytes / 1000 / measured.seconds).toFixed(0).padStart(5),
    measured.loopP99Ms.toFixed(1).padStart(12),
  ];
  console.log(figures.join(' '));
}
rmSync(scratch, { recursive: true });
