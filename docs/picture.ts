/**
 * Draws docs/{home,console,vote,versions}.svg from the real program in a rehearsal on a real pseudo-terminal.
 * `npm run picture`; `node docs/picture.ts FOLDER` writes them to another folder.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { svgOf } from './svg.ts';

const COLUMNS = 120;
const ROWS = 34;
const PATIENCE_MS = 60_000;
const QUESTION = 'Should we split the monolith before the next hiring round?';

const program = fileURLToPath(new URL('../bin/deliberate.js', import.meta.url));
const target = process.argv[2] ?? fileURLToPath(new URL('.', import.meta.url));
/** A home folder without models, configuration and runs. */
const home = mkdtempSync(join(tmpdir(), 'deliberate-picture-'));

try {
  await drawSession([], async ({ shows, press, draw }) => {
    await shows(/What is to be decided/);
    press(QUESTION);
    await shows(/calls/);
    draw('home', 'The home screen: a question, and who answers it');
  });
  await drawSession(['board', '--seed', '7', QUESTION], async ({ shows, press, draw }) => {
    await shows(/✓ done/);
    // Scroll all columns together, from their beginnings.
    press('\t=g');
    await shows(/more below \(PgDn\)[\s\S]*Synthesis v1/);
    draw('console', 'The console: three seats side by side, their synthesis below');
    press('v');
    await shows(/Who holds what/);
    press('jjj');
    await shows(/Enter goes to the quote/);
    draw('vote', 'The vote before debate, and who holds what');
    press('v');
    await shows(/\[1 Columns\]/);
    press('r');
    await shows(/Another synthesis/);
    press('What does waiting cost?');
    await shows(/waiting cost\?/);
    press('\r');
    await shows(/✓ done[\s\S]*Synthesis v2[\s\S]*v2 of 2/);
    press('|');
    await shows(/Synthesis v1 +Synthesis v2/);
    // Scroll down to the recommendations, where words are marked.
    press('G');
    await shows(/Recommendation {3,}Recommendation/);
    draw('versions', 'Two versions of the synthesis side by side');
  });
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The actions of a drawing: wait until the screen shows something, press keys, draw. */
interface Easel {
  shows(wanted: RegExp): Promise<void>;
  press(keys: string): void;
  draw(name: string, label: string): void;
}

async function drawSession(
  words: readonly string[],
  work: (easel: Easel) => Promise<void>,
): Promise<void> {
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const child = spawn(
    process.execPath,
    [program, ...words, '--rehearse', '--rehearse-speed', '8'],
    {
      cols: COLUMNS,
      rows: ROWS,
      cwd: home,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        TERM: 'xterm-256color',
        COLORTERM: 'truecolor',
        DELIBERATE_DB: join(home, 'picture.db'),
        OLLAMA_HOST: 'http://127.0.0.1:1',
      },
    },
  );
  child.onData((data) => screen.write(data));
  try {
    await work({
      shows: (wanted) => waitUntilShown(screen, wanted),
      press: (keys) => child.write(keys),
      draw: (name, label) => writeFileSync(join(target, `${name}.svg`), svgOf(screen, label)),
    });
  } finally {
    child.kill();
  }
}

/** Resolves when the screen shows `wanted` and does not change any more. */
async function waitUntilShown(screen: xterm.Terminal, wanted: RegExp): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (let last = ''; Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const text = textOf(screen);
    if (text === last && wanted.test(text)) return;
    last = text;
  }
  throw new Error(`the screen never showed ${wanted}:\n${textOf(screen)}`);
}

function textOf(screen: xterm.Terminal): string {
  const { active } = screen.buffer;
  return Array.from(
    { length: ROWS },
    (_row, y) => active.getLine(active.viewportY + y)?.translateToString(true) ?? '',
  ).join('\n');
}
