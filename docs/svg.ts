/** Draws a terminal's screen as an SVG, cell by cell with its colors. */
import type xterm from '@xterm/headless';
import type { IBufferCell } from '@xterm/headless';

const CELL = { width: 8.4, height: 18 } as const;
/** The sixteen colors of a dark terminal, then its background and foreground. */
const PALETTE =
  '#1c1f26 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf #5c6370 #ef7f88 #a9d48a #f0cb86 #72c0ff #d789ee #67c7d3 #ffffff'.split(
    ' ',
  );
const BACKGROUND = '#16181d';
const FOREGROUND = '#d7dae0';

/**
 * Draws the visible rows of a screen.
 * @param label a description for people who cannot see it
 */
export function svgOf(screen: xterm.Terminal, label: string): string {
  const width = Math.ceil(screen.cols * CELL.width + 24);
  const height = screen.rows * CELL.height + 24;
  const parts: string[] = [];
  for (let y = 0; y < screen.rows; y++) parts.push(...drawRow(screen, y));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
<g transform="translate(12 12)" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${parts.join('\n')}
</g>
</svg>
`;
}

/** Draws a row. Adjacent cells with the same style become one text, with its background behind it. */
function drawRow(screen: xterm.Terminal, y: number): string[] {
  const line = screen.buffer.active.getLine(screen.buffer.active.viewportY + y);
  if (line === undefined) return [];
  const out: string[] = [];
  let run = { text: '', look: '', x: 0 };
  const endRun = (): void => {
    if (run.text.trim() !== '' || run.look.includes('fill-back')) out.push(drawText(run, y));
  };
  for (let x = 0; x < screen.cols; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    if (look !== run.look) {
      endRun();
      run = { text: '', look, x };
    }
    run.text += cell.getChars() || ' ';
  }
  endRun();
  return out;
}

function drawText({ text, look, x }: { text: string; look: string; x: number }, y: number): string {
  const [fore = FOREGROUND, back = '', style = ''] = look.split('|');
  const left = (x * CELL.width).toFixed(1);
  const behind = back.startsWith('fill-back:')
    ? `<rect x="${left}" y="${y * CELL.height}" width="${(text.length * CELL.width).toFixed(1)}" height="${CELL.height}" fill="${back.slice(10)}"/>`
    : '';
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `${behind}<text x="${left}" y="${y * CELL.height + 14}" fill="${fore}"${style} textLength="${(text.length * CELL.width).toFixed(1)}">${safe}</text>`;
}

function lookOf(cell: IBufferCell): string {
  const toColour = (mode: boolean, palette: boolean, value: number): string | undefined =>
    mode ? `#${value.toString(16).padStart(6, '0')}` : palette ? toIndexedColour(value) : undefined;
  let fore = toColour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()) ?? FOREGROUND;
  let back = toColour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  if (cell.isInverse()) [fore, back] = [back ?? BACKGROUND, fore];
  const style = `${cell.isBold() ? ' font-weight="bold"' : ''}${cell.isItalic() ? ' font-style="italic"' : ''}${cell.isDim() ? ' opacity="0.6"' : ''}`;
  return `${fore}|${back === undefined ? '' : `fill-back:${back}`}|${style}`;
}

/** Returns one of xterm's 256 colors: sixteen named ones, a cube, and greys. */
function toIndexedColour(value: number): string {
  const named = PALETTE[value];
  if (named !== undefined) return named;
  if (value >= 232) {
    const grey = (8 + (value - 232) * 10).toString(16).padStart(2, '0');
    return `#${grey}${grey}${grey}`;
  }
  const formatLevel = (step: number): string =>
    (step === 0 ? 0 : 55 + step * 40).toString(16).padStart(2, '0');
  const cube = value - 16;
  return `#${formatLevel(Math.floor(cube / 36))}${formatLevel(Math.floor(cube / 6) % 6)}${formatLevel(cube % 6)}`;
}
