/**
 * Splits a document into headings and chunks of text that fit into a prompt. Every character is in exactly
 * one piece, so that lines and quotations are reliable. Pure.
 */
import {
  closesFence,
  type FenceOpening,
  readFence,
  readHeading,
  readIndent,
  readMarkers,
  readQuote,
  withoutClosingHashes,
} from '../text/markdown/block-syntax.ts';

/** The most tokens of a chunk, counted as by `estimateTokens`. */
export const CHUNK_TOKENS = 400;
/** The smallest part of a full chunk at which a cut is made, to avoid tiny chunks. */
const LEAST_SHARE = 0.25;
/** The most characters of a heading; a whole paragraph above a line of `===` counts as one too. */
const LONGEST_TITLE = 200;

interface Piece {
  readonly kind: 'front' | 'heading' | 'text';
  /** Offsets into the document; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Titles of the headings above it, the outermost first; a heading's own title is the last. */
  readonly heading: readonly string[];
}

/**
 * A piece of a document that is indexed: its text without surrounding white space, and its lines
 * counted from 1.
 */
export interface Chunk {
  /** The headings above the chunk, the topmost first. */
  readonly heading: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Line {
  readonly start: number;
  /** The offset after its line end. */
  readonly end: number;
  /** The text without the line end. */
  readonly text: string;
}

const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;

/**
 * Splits a document into chunks, without its frontmatter. `markdown` is false for plain text, which
 * has neither headings nor frontmatter. A heading is a chunk itself only if nothing follows below it.
 */
export function chunksIn(document: string, markdown = true): Chunk[] {
  const all = markdown ? splitMarkdown(document) : splitPlain(document);
  // Leave out pieces of blank lines, so that a heading with nothing else below it becomes a chunk itself.
  const pieces = all.filter(({ start, end }) => document.slice(start, end).trim() !== '');
  const lines = linesIn(document);
  return pieces.flatMap((piece, index) => {
    if (piece.kind === 'front' || (piece.kind === 'heading' && !standsAlone(pieces, index)))
      return [];
    const alignPosition = document.slice(piece.start, piece.end);
    const text = alignPosition.trim();
    if (text === '') return [];
    const start = piece.start + alignPosition.indexOf(text);
    const heading = piece.kind === 'heading' ? piece.heading.slice(0, -1) : piece.heading;
    const from = lineAt(lines, start);
    return [{ heading, from, to: lineAt(lines, start + text.length - 1), text }];
  });
}

/** Returns whether a heading has nothing below it, so that it is a chunk itself. */
function standsAlone(pieces: readonly Piece[], index: number): boolean {
  const depth = pieces[index]?.heading.length ?? 0;
  const next = pieces[index + 1];
  return next === undefined || (next.kind === 'heading' && next.heading.length <= depth);
}

function splitPlain(document: string): Piece[] {
  const lines = linesIn(document);
  const breaks = lines.flatMap(({ start }, index) => (isBreak(lines, index) ? [start] : []));
  return cutText(document, 0, document.length, breaks, []);
}

/**
 * Splits a Markdown document into pieces that together are the whole text: its frontmatter, its
 * headings, and pieces of text of at most `CHUNK_TOKENS`.
 */
export function splitMarkdown(document: string): Piece[] {
  const lines = linesIn(document);
  const pieces: Piece[] = [];
  const breaks: number[] = [];
  let above: { level: number; title: string }[] = [];
  let start = 0;
  const listTitles = (): string[] => above.map(({ title }) => title);
  const endText = (end: number): void => {
    // Blank lines alone become a piece too, so that every character is in a piece.
    pieces.push(...cutText(document, start, end, breaks, listTitles()));
    start = end;
  };
  const addHeading = (first: Line, last: Line, level: number, title: string): void => {
    endText(first.start);
    above = above.filter((heading) => heading.level < level);
    above.push({ level, title: title.replace(/\s+/g, ' ').slice(0, LONGEST_TITLE) });
    pieces.push({ kind: 'heading', start: first.start, end: last.end, heading: listTitles() });
    start = last.end;
  };

  const front = frontOf(lines);
  if (front > 0) {
    const end = lines[front - 1]?.end ?? 0;
    pieces.push({ kind: 'front', start: 0, end, heading: [] });
    start = end;
  }
  let fence: FenceOpening | undefined;
  let isComment = false;
  /**
   * The index of the first line of the current paragraph; undefined outside of paragraphs. A paragraph becomes a
   * heading if a line of `===` or `---` follows.
   */
  let paragraph: number | undefined;
  /** Whether the current line belongs to a list or quotation, which lasts until a blank line. */
  let isNested = false;
  for (let index = front; index < lines.length; index += 1) {
    const line = lines[index] as Line;
    const { columns, start: at } = readIndent(line.text);
    const body = line.text.slice(at);
    if (fence !== undefined) {
      if (columns < 4 && closesFence(body, fence)) fence = undefined;
      continue;
    }
    if (isComment) {
      isComment = !body.includes('-->');
      continue;
    }
    if (body.trim() === '') {
      paragraph = undefined;
      isNested = false;
      continue;
    }
    if (isBreak(lines, index)) breaks.push(line.start);
    if (columns >= 4) continue;
    fence = readFence(body);
    isComment = body.startsWith('<!--') && !body.includes('-->');
    const title = readHeading(body);
    if (title !== undefined) {
      addHeading(line, line, /^#+/.exec(body)?.[0].length ?? 1, withoutClosingHashes(title));
    } else if (paragraph !== undefined && SETEXT.test(line.text)) {
      const first = lines[paragraph] as Line;
      addHeading(
        first,
        line,
        body.startsWith('=') ? 1 : 2,
        document.slice(first.start, line.start).trim(),
      );
    } else if (fence === undefined && !isComment && !isNested) {
      isNested = readMarkers(body).markers.length > 0 || readQuote(body, 1, false).depth > 0;
      if (!isNested) {
        paragraph ??= index;
        continue;
      }
    }
    paragraph = undefined;
  }
  endText(document.length);
  return pieces;
}

/** Returns whether a line with text follows a blank one. */
function isBreak(lines: readonly Line[], index: number): boolean {
  return lines[index]?.text.trim() !== '' && index > 0 && lines[index - 1]?.text.trim() === '';
}

/** Returns the text of a document's frontmatter; undefined if it has none. */
export function frontmatterIn(document: string): string | undefined {
  if (!/^\ufeff?---/.test(document)) return undefined;
  const lines = linesIn(document);
  const front = frontOf(lines);
  return front === 0 ? undefined : document.slice(lines[1]?.start, lines[front - 1]?.start);
}

/** Returns the number of lines of the frontmatter with its two rules; 0 if there is none. */
function frontOf(lines: readonly Line[]): number {
  if (lines[0]?.text.replace(/^\ufeff/, '').trimEnd() !== '---') return 0;
  return lines.findIndex(({ text }, index) => index > 0 && text.trimEnd() === '---') + 1;
}

function linesIn(document: string): Line[] {
  const lines: Line[] = [];
  for (const match of document.matchAll(/([^\r\n]*)(\r\n?|\n|$)/g)) {
    const [all, text = '', end] = match;
    if (all === '') continue;
    lines.push({ start: match.index, end: match.index + all.length, text });
    if (end === '') break;
  }
  return lines;
}

/** Returns the number of the line that contains an offset, from 1. */
function lineAt(lines: readonly Line[], offset: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/**
 * Cuts a text into pieces of at most `CHUNK_TOKENS`: between paragraphs if possible, else between lines,
 * sentences or words. `breaks`: the offsets of paragraphs, in order; fences contain none.
 */
function cutText(
  document: string,
  start: number,
  end: number,
  breaks: readonly number[],
  heading: readonly string[],
): Piece[] {
  const pieces: Piece[] = [];
  let at = start;
  let next = lowerBound(breaks, start);
  while (at < end) {
    const most = findLargestEnd(document, at, end);
    let cut = most;
    if (most < end) {
      const least = at + Math.ceil((most - at) * LEAST_SHARE);
      let paragraph: number | undefined;
      for (; (breaks[next] ?? end) <= most; next += 1) paragraph = breaks[next];
      cut =
        paragraph !== undefined && paragraph >= least
          ? paragraph
          : (lastCut(document, least, most) ?? moveToBoundary(document, most));
    }
    pieces.push({ kind: 'text', start: at, end: cut, heading });
    at = cut;
    next = lowerBound(breaks, at, Math.max(0, next - 1));
  }
  return pieces;
}

/** Returns the last good position to cut in a range: after a line, a sentence or a word. */
function lastCut(document: string, least: number, most: number): number | undefined {
  const range = document.slice(least, most);
  for (const mark of ['\n', '. ', ' ']) {
    const found = range.lastIndexOf(mark);
    if (found >= 0) return least + found + mark.length;
  }
  return undefined;
}

/** Returns the largest end of a chunk that begins at `at`. */
function findLargestEnd(document: string, at: number, end: number): number {
  let room = CHUNK_TOKENS;
  for (let index = at; index < end; index += 1) {
    // A character outside of ASCII counts more, with the same weight that `estimateTokens` gives it.
    room -= document.charCodeAt(index) > 0x7f ? 1 / 1.4 : 1 / 4;
    if (room < 0) return Math.max(index, at + 2);
  }
  return end;
}

/** Moves a position out of the middle of a surrogate pair or of a line end. */
function moveToBoundary(document: string, at: number): number {
  const unit = document.charCodeAt(at);
  return (unit >= 0xdc00 && unit <= 0xdfff) || unit === 0x0a ? at - 1 : at;
}

/** Returns the first index from `from` on whose value is at least `wanted`. */
function lowerBound(values: readonly number[], wanted: number, from = 0): number {
  let low = from;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
