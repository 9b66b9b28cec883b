/** Measures how fast the program starts, compared with bare Node and with the smallest Ink program. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { build } from 'rolldown';
import { computeMedian, makeRow, measurePair, PROGRAM, type Row, runMeasured } from './measure.ts';

const RUNS = 11;

const MINIMAL = `import { render, Text } from 'ink';
import { createElement } from 'react';
render(createElement(Text, null, 'READY'), { alternateScreen: true });
setTimeout(() => undefined, 60_000);
`;

/** The smallest program that reads the database; it is run in the project's folder. */
const SMALLEST_READER = `const Database = require('better-sqlite3');
console.log(new Database(process.env.DELIBERATE_DB).prepare('SELECT count(*) FROM runs').pluck().get());`;

/** Measures the start of the program. Returns rows for the table of `npm run bench`. */
export async function benchStartup(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    // The first run of each program is not measured, because it may create the database.
    const env = { HOME: folder, DELIBERATE_DB: join(folder, 'runs.db') };
    const bare = await overBareNode(env);
    const source = join(folder, 'minimal.mjs');
    const built = join(folder, 'built', 'minimal.js');
    writeFileSync(source, MINIMAL);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(
      fileURLToPath(new URL('../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    );
    // Bundle the smallest Ink program, too, because `deliberate` is bundled, and a bundle starts faster.
    await build({
      input: source,
      platform: 'node',
      external: ['react-devtools-core'],
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
      output: { dir: join(folder, 'built'), format: 'esm' },
    });
    const board = [PROGRAM, 'board', '--rehearse', 'READY or not?'];
    const frames: Readonly<Record<string, Frame>> = {
      ink: { args: [built], shows: /READY/ },
      board: { args: board, shows: /READY/ },
      seats: { args: board, shows: /READY[\s\S]*(?:CRITIC|Critic)/ },
      home: { args: [PROGRAM], shows: /What is to be decided/ },
      offer: { args: [PROGRAM], shows: /What is to be decided[\s\S]*Synthesizer/ },
    };
    const taken = new Map<string, number[]>(Object.keys(frames).map((name) => [name, []]));
    for (let run = 0; run <= RUNS; run++)
      for (const [name, frame] of Object.entries(frames)) {
        const ms = await firstFrame(frame, env);
        if (run > 0) taken.get(name)?.push(ms);
      }
    const getRatio = (name: string): number =>
      computeMedian((taken.get(name) ?? []).map((ms, run) => ms / (taken.get('ink')?.[run] ?? 1)));
    return [
      ...bare,
      makeRow('board, first frame over a minimal Ink program', getRatio('board'), 0.6),
      makeRow('board, with its seats', getRatio('seats'), 1.3),
      makeRow('home, first frame over a minimal Ink program', getRatio('home'), 0.6),
      makeRow('home, with what it offers', getRatio('offer'), 1.3),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function overBareNode(env: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const args of [['--version'], ['--help'], ['list']]) {
    const { ratio } = await measurePair(
      RUNS,
      () => runMeasured([PROGRAM, ...args], env),
      () => runMeasured(['-e', '0'], env),
    );
    rows.push(makeRow(`${args.join(' ')} over bare Node`, ratio('wallMs'), 1.5));
  }
  const runBareNode = () => runMeasured(['-e', '0'], env);
  const reader = await measurePair(
    RUNS,
    () => runMeasured(['-e', SMALLEST_READER], env),
    runBareNode,
  );
  const least = reader.ratio('wallMs').toFixed(2);
  const what = 'of which the smallest program that reads the database';
  return [...rows, { what, measured: least, target: '', met: undefined }];
}

interface Frame {
  readonly args: readonly string[];
  /** Matches a complete frame. */
  readonly shows: RegExp;
}

/** Returns the milliseconds until the frame is on the terminal. */
function firstFrame({ args, shows }: Frame, env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, [...args], {
      cols: 120,
      rows: 40,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
    });
    let seen = '';
    const listening = child.onData((data) => {
      seen += data;
      // The window's title contains the question, and arrives before a frame is complete.
      const [, ...onScreen] = seen.split('\u001b[?1049h');
      const [, ...completeFrames] = onScreen.join('').split('\u001b[?2026l').reverse();
      if (!shows.test(completeFrames.join(''))) return;
      listening.dispose();
      resolve(performance.now() - started);
      child.kill('SIGKILL');
    });
  });
}
