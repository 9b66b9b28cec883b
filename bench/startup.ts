/** How soon the program is there: against bare Node, and against the smallest Ink program. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { build } from 'esbuild';
import { median, PROGRAM, pair, type Row, row, take } from './measure.ts';

const RUNS = 11;

const MINIMAL = `import { render, Text } from 'ink';
import { createElement } from 'react';
render(createElement(Text, null, 'READY'), { alternateScreen: true });
setTimeout(() => undefined, 60_000);
`;

export async function benchStartup(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const version = await pair(
      RUNS,
      () => take([PROGRAM, '--version']),
      () => take(['-e', '0']),
    );
    const source = join(folder, 'minimal.mjs');
    const built = join(folder, 'built', 'minimal.js');
    writeFileSync(source, MINIMAL);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(
      fileURLToPath(new URL('../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    );
    // Built as the program itself is, so that only what it does is compared.
    await build({
      entryPoints: [source],
      outdir: join(folder, 'built'),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      external: ['react-devtools-core'],
      define: { 'process.env.NODE_ENV': '"production"' },
      banner: {
        js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);",
      },
    });
    const ours: number[] = [];
    const minimal: number[] = [];
    const board = [PROGRAM, 'board', '--rehearse', 'READY or not?'];
    for (let run = 0; run <= RUNS; run++) {
      // The database is there from the unmeasured run on, as it is for everybody but on the first day.
      const a = await firstFrame(board, { DELIBERATE_DB: join(folder, 'runs.db') });
      const b = await firstFrame([built], {});
      if (run === 0) continue;
      ours.push(a);
      minimal.push(b);
    }
    return [
      row('--version over bare Node', version.ratio('wallMs'), 1.5),
      row(
        'first frame over a minimal Ink program',
        median(ours.map((one, index) => one / (minimal[index] ?? 1))),
        1.3,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds until READY stands on the terminal. */
function firstFrame(args: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, {
      cols: 120,
      rows: 40,
      env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), TERM: 'xterm-256color', ...env },
    });
    let seen = '';
    const listening = child.onData((data) => {
      seen += data;
      // The window's title names the question, too: what counts is the drawn frame.
      if (!/\[\?1049h[\s\S]*READY/.test(seen)) return;
      listening.dispose();
      resolve(performance.now() - started);
      child.kill('SIGKILL');
    });
  });
}
