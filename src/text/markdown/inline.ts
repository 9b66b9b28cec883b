/**
 * Parses inline Markdown of one line: emphasis, code, links, escapes. It follows CommonMark's delimiter
 * rules, which keep `2 * 3 * 4`, `a ** b` and snake_case_name unchanged, with a few differences that
 * emphasis.ts documents. Marks without a partner stay visible.
 *
 * Lines have at most `MAX_LINE` characters (see column-buffer.ts), so the searches for open delimiters are
 * bounded, also for hostile input.
 */

import { CODE, DIM } from '../rows/row.ts';
import { closeMarkRun, type MarkRun, openToEnd, type Range, readMarkRun } from './emphasis.ts';

/** A piece of visible text with the style bits of row.ts. */
interface Segment {
  readonly text: string;
  readonly bits: number;
}

interface Piece {
  text: string;
  bits: number;
  run: MarkRun | undefined;
}

interface Link {
  readonly close: number;
  readonly end: number;
  readonly target: string;
}

/** The result of a scan; the source positions serve `findCut`. */
interface Scan {
  readonly pieces: Piece[];
  /** Source ranges that must not be cut: code spans, links, pairs of emphasis marks. */
  readonly ranges: Range[];
  /** Marks that later text might still close. */
  readonly pending: number[];
}

const SPECIAL = /[\\`*_~[]/;
const NEXT_SPECIAL = /[\\`*_~[\]]/g;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
/** The deepest nesting of parentheses in a link target; real addresses have less. */
const MAX_PARENTHESES = 8;

/**
 * Parses inline Markdown into segments with styles. `base` is added to the style of every segment.
 * With `unfinished`, the text is the end of a stream: open marks count as closed at its end, and
 * marks at the very end, which may be incomplete, are hidden.
 */
export function parseInline(text: string, base = 0, unfinished = false): Segment[] {
  const source = unfinished ? text.replace(/[*_~`\\]{1,3}$/, '') : text;
  if (source === '') return [];
  if (!SPECIAL.test(source)) return [{ text: source, bits: base }];
  const { pieces } = scanText(source, unfinished);
  return flattenPieces(pieces, base);
}

/**
 * Returns the index at which the next row may begin when a source line is laid out in parts. `text` is as much
 * of the line as one part may contain. The index is that of the last space outside of emphasis, code and
 * links. If this space is in the first half of `text`, the index is that of the last space of all. If there
 * is no space, the index is the length of `text`.
 */
export function findCut(text: string): number {
  const { ranges, pending } = scanText(text, false);
  let limit = text.length;
  for (const at of pending) limit = Math.min(limit, at);
  const depth = new Int16Array(text.length + 1);
  for (const [from, to] of ranges) {
    depth[from] = (depth[from] as number) + 1;
    depth[to] = (depth[to] as number) - 1;
  }
  let open = 0;
  let settled = 0;
  for (let at = 0; at < limit; at += 1) {
    open += depth[at] as number;
    if (open === 0 && text.charCodeAt(at) === 0x20) settled = at;
  }
  if (settled >= text.length / 2) return settled;
  const space = text.lastIndexOf(' ');
  return space > 0 ? space : text.length;
}

function scanText(text: string, unfinished: boolean): Scan {
  const found: Scan = { pieces: [], ranges: [], pending: [] };
  const code = text.includes('`') ? findCode(text) : undefined;
  const links = text.includes('](') ? findLinks(text, code) : undefined;
  const openers: MarkRun[] = [];
  const within: { link: Link; floor: number }[] = [];
  let at = 0;
  while (at < text.length) {
    NEXT_SPECIAL.lastIndex = at;
    const next = NEXT_SPECIAL.exec(text)?.index ?? text.length;
    if (next > at) addLiteral(found.pieces, text.slice(at, next));
    if (next === text.length) break;
    at = next;
    const char = text.charAt(at);
    if (char === '\\') {
      const escapes = ESCAPABLE.test(text.charAt(at + 1));
      addLiteral(found.pieces, escapes ? text.charAt(at + 1) : '\\');
      at += escapes ? 2 : 1;
    } else if (char === '`') {
      at = codeSpan(text, at, code, found, unfinished);
    } else if (char === '[') {
      const link = links?.get(at);
      if (link === undefined) addLiteral(found.pieces, '[');
      else {
        if (text.charAt(at - 1) === '!' && text.charAt(at - 2) !== '\\') dropBang(found.pieces);
        within.push({ link, floor: openers.length });
        found.ranges.push([at, link.end]);
      }
      at += 1;
    } else if (char === ']') {
      const top = within[within.length - 1];
      if (top?.link.close === at) {
        within.pop();
        // Emphasis that begins in the text of a link must not reach beyond this text.
        openers.length = top.floor;
        if (top.link.target !== text.slice(at - top.link.target.length, at)) {
          addLiteral(found.pieces, ` (${top.link.target})`, DIM);
        }
        at = top.link.end;
      } else {
        addLiteral(found.pieces, ']');
        at += 1;
      }
    } else {
      const run = readMarkRun(text, at);
      at += run.length;
      if (!run.canOpen && !run.canClose) {
        addLiteral(found.pieces, run.mark.repeat(run.length));
        continue;
      }
      found.pieces.push({ text: '', bits: 0, run });
      const floor = within[within.length - 1]?.floor ?? 0;
      if (run.canClose) closeMarkRun(run, openers, floor, found.ranges);
      if (run.canOpen && run.left > 0) openers.push(run);
    }
  }
  for (const run of openers) {
    found.pending.push(run.at);
    if (unfinished) openToEnd(run);
  }
  const bracket = text.lastIndexOf('[');
  if (bracket >= 0 && links?.get(bracket) === undefined && mayBecomeLink(text, bracket)) {
    found.pending.push(bracket);
  }
  return found;
}

/** Returns whether later text could still turn the last bracket into a link. */
function mayBecomeLink(text: string, bracket: number): boolean {
  const end = text.indexOf(']', bracket);
  if (end < 0 || end === text.length - 1) return true;
  return text.charAt(end + 1) === '(' && !/[\s)]/.test(text.slice(end + 2));
}

function addLiteral(pieces: Piece[], text: string, bits = 0): void {
  const last = pieces[pieces.length - 1];
  if (last !== undefined && last.run === undefined && last.bits === bits) last.text += text;
  else pieces.push({ text, bits, run: undefined });
}

/** Removes the exclamation mark of an image, which is shown like a link. */
function dropBang(pieces: Piece[]): void {
  const last = pieces[pieces.length - 1];
  if (last?.text.endsWith('!')) last.text = last.text.slice(0, -1);
}

/** Maps the start of each code span to the start of the run that closes it. */
function findCode(text: string): Map<number, number> {
  // Positions of sequences of backticks, grouped by the length of the sequence.
  const runs = new Map<number, number[]>();
  const spans = new Map<number, number>();
  for (const run of [...text.matchAll(/`+/g)].reverse()) {
    const same = runs.get(run[0].length);
    if (same === undefined) runs.set(run[0].length, [run.index]);
    else same.push(run.index);
  }
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at += 2;
    else if (char !== 0x60) at += 1;
    else {
      const length = runLength(text, at);
      const same = runs.get(length) ?? [];
      while (same.length > 0 && (same[same.length - 1] as number) < at + length) same.pop();
      const end = same[same.length - 1];
      if (end !== undefined) spans.set(at, end);
      at = end === undefined ? at + length : end + length;
    }
  }
  return spans;
}

function codeSpan(
  text: string,
  at: number,
  code: Map<number, number> | undefined,
  found: Scan,
  unfinished: boolean,
): number {
  const length = runLength(text, at);
  const end = code?.get(at);
  if (end !== undefined) {
    const inside = text.slice(at + length, end);
    const padded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
    addLiteral(found.pieces, padded ? inside.slice(1, -1) : inside, CODE);
    found.ranges.push([at, end + length]);
    return end + length;
  }
  if (unfinished) {
    addLiteral(found.pieces, text.slice(at + length), CODE);
    return text.length;
  }
  addLiteral(found.pieces, '`'.repeat(length));
  found.pending.push(at);
  return at + length;
}

/** Maps the position of each bracket that opens a link to the link. Inner links win, as in CommonMark. */
function findLinks(text: string, code: Map<number, number> | undefined): Map<number, Link> {
  const links = new Map<number, Link>();
  let brackets: number[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at += 2;
    else if (char === 0x60) {
      const end = code?.get(at);
      at = (end ?? at) + runLength(text, at);
    } else if (char === 0x5b) {
      brackets.push(at);
      at += 1;
    } else if (char === 0x5d) {
      const open = brackets.pop();
      const end = open === undefined || open === at - 1 ? 0 : targetEnd(text, at + 1);
      if (open !== undefined && end > 0) {
        links.set(open, { close: at, end, target: text.slice(at + 2, end - 1) });
        brackets = [];
      }
      at = end > 0 ? end : at + 1;
    } else at += 1;
  }
  return links;
}

/** Returns the end of the `(target)` that begins at `at`, or 0 if there is none. */
function targetEnd(text: string, at: number): number {
  if (text.charAt(at) !== '(') return 0;
  let depth = 0;
  let quoted = false;
  for (let next = at; next < text.length; next += 1) {
    const char = text.charAt(next);
    if (char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    // In a link, a space may only stand before a title in quotes.
    else if (char === ' ' && text.charAt(next + 1) !== '"') return 0;
    if (depth > MAX_PARENTHESES) return 0;
    if (depth === 0 && !quoted) return next === at + 1 ? 0 : next + 1;
  }
  return 0;
}

/** Turns the pieces into segments with styles. */
function flattenPieces(pieces: readonly Piece[], base: number): Segment[] {
  const segments: Segment[] = [];
  const open = new Map<number, number>();
  let bits = base;
  const emitText = (text: string, extra: number): void => {
    if (text === '') return;
    const last = segments[segments.length - 1];
    const all = bits | extra;
    if (last !== undefined && last.bits === all) {
      segments[segments.length - 1] = { text: last.text + text, bits: all };
    } else segments.push({ text, bits: all });
  };
  const changeBits = (changes: readonly number[], by: number): void => {
    for (const bit of changes) {
      const count = (open.get(bit) ?? 0) + by;
      open.set(bit, count);
      if ((base & bit) === 0) bits = count > 0 ? bits | bit : bits & ~bit;
    }
  };
  for (const { text, bits: extra, run } of pieces) {
    if (run === undefined) emitText(text, extra);
    else {
      changeBits(run.closes, -1);
      emitText(run.mark.repeat(run.left), 0);
      changeBits(run.opens, 1);
    }
  }
  return segments;
}

function runLength(text: string, at: number): number {
  let length = 1;
  while (text.charCodeAt(at + length) === 0x60) length += 1;
  return length;
}
