/**
 * Draws docs/console.svg: the real program, on a real pseudo-terminal, rehearsing. `npm run picture`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm, { type IBufferCell } from '@xterm/headless';

const COLUMNS = 120;
const ROWS = 34;
const CELL = { width: 8.4, height: 18 } as const;
/** The sixteen colours of a dark terminal, then its background and foreground. */
const PALETTE =
  '#1c1f26 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf #5c6370 #ef7f88 #a9d48a #f0cb86 #72c0ff #d789ee #67c7d3 #ffffff'.split(
    ' ',
  );
const BACKGROUND = '#16181d';
const FOREGROUND = '#d7dae0';

const program = fileURLToPath(new URL('../bin/deliberate.js', import.meta.url));
const question = 'Should we split the monolith before the next hiring round?';
const folder = mkdtempSync(join(tmpdir(), 'deliberate-picture-'));
const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
const child = spawn(
  process.execPath,
  [program, 'board', '--rehearse', '--rehearse-speed', '8', '--seed', '7', question],
  {
    cols: COLUMNS,
    rows: ROWS,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      DELIBERATE_DB: join(folder, 'picture.db'),
    },
  },
);
child.onData((data) => screen.write(data));
await settled(/Synthesis v1/);
child.write('q');
writeFileSync(new URL('./console.svg', import.meta.url), svg());
child.kill();
rmSync(folder, { recursive: true, force: true });

async function settled(wanted: RegExp): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const text = lines().join('\n');
    if (wanted.test(text) && /✓ done|done/.test(text.split('\n')[0] ?? '')) return;
  }
  throw new Error(`the console never showed ${wanted}:\n${lines().join('\n')}`);
}

function lines(): string[] {
  return Array.from(
    { length: ROWS },
    (_row, y) =>
      screen.buffer.active.getLine(screen.buffer.active.viewportY + y)?.translateToString(true) ??
      '',
  );
}

function svg(): string {
  const width = Math.ceil(COLUMNS * CELL.width + 24);
  const height = ROWS * CELL.height + 24;
  const parts: string[] = [];
  for (let y = 0; y < ROWS; y++) parts.push(...row(y));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The console of deliberate">
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
<g transform="translate(12 12)" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${parts.join('\n')}
</g>
</svg>
`;
}

/** Cells of one look next to each other become one piece of text, with its background behind it. */
function row(y: number): string[] {
  const line = screen.buffer.active.getLine(screen.buffer.active.viewportY + y);
  if (line === undefined) return [];
  const out: string[] = [];
  let run = { text: '', look: '', x: 0 };
  const end = (): void => {
    if (run.text.trim() !== '' || run.look.includes('fill-back')) out.push(draw(run, y));
  };
  for (let x = 0; x < COLUMNS; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    if (look !== run.look) {
      end();
      run = { text: '', look, x };
    }
    run.text += cell.getChars() || ' ';
  }
  end();
  return out;
}

function draw({ text, look, x }: { text: string; look: string; x: number }, y: number): string {
  const [fore = FOREGROUND, back = '', style = ''] = look.split('|');
  const left = (x * CELL.width).toFixed(1);
  const behind = back.startsWith('fill-back:')
    ? `<rect x="${left}" y="${y * CELL.height}" width="${(text.length * CELL.width).toFixed(1)}" height="${CELL.height}" fill="${back.slice(10)}"/>`
    : '';
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `${behind}<text x="${left}" y="${y * CELL.height + 14}" fill="${fore}"${style} textLength="${(text.length * CELL.width).toFixed(1)}">${safe}</text>`;
}

function lookOf(cell: IBufferCell): string {
  const colour = (mode: boolean, palette: boolean, value: number): string | undefined =>
    mode ? `#${value.toString(16).padStart(6, '0')}` : palette ? indexed(value) : undefined;
  let fore = colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()) ?? FOREGROUND;
  let back = colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  if (cell.isInverse()) [fore, back] = [back ?? BACKGROUND, fore];
  const style = `${cell.isBold() ? ' font-weight="bold"' : ''}${cell.isItalic() ? ' font-style="italic"' : ''}${cell.isDim() ? ' opacity="0.6"' : ''}`;
  return `${fore}|${back === undefined ? '' : `fill-back:${back}`}|${style}`;
}

/** xterm's 256 colours: sixteen named ones, a cube, a ramp of greys. */
function indexed(value: number): string {
  const named = PALETTE[value];
  if (named !== undefined) return named;
  if (value >= 232) {
    const grey = (8 + (value - 232) * 10).toString(16).padStart(2, '0');
    return `#${grey}${grey}${grey}`;
  }
  const level = (one: number): string =>
    (one === 0 ? 0 : 55 + one * 40).toString(16).padStart(2, '0');
  const cube = value - 16;
  return `#${level(Math.floor(cube / 36))}${level(Math.floor(cube / 6) % 6)}${level(cube % 6)}`;
}
