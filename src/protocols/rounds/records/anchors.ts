/**
 * Looks up the places that evidence cites: `artifacts/round_3/critic.md#attack-2` is a place in a
 * text, and a verdict only counts if the place exists. A citation never leads out of the folder.
 *
 * Texts come from models and other people, so every step takes linear time.
 */

import { linesInParts, type Part } from '../../../text/documents/parts.ts';
import { splitLines, textLines } from '../../../text/lines.ts';
import { getRecordId, parseObject, readLines } from './jsonl.ts';
import { attachmentPath, DOCUMENTS_FILE, SOURCES_FILE, sourcePath } from './layout.ts';
import { makeAnchor, Slugs } from './slug.ts';
import { documentSchema, type Folder, sourceSchema } from './types.ts';

type Resolution =
  | {
      readonly state: 'ok';
      readonly path: string;
      readonly anchor: string;
      /** The first and the last cited line, counted from 1 in the file. */
      readonly lines?: readonly [number, number];
    }
  /** There is no such file. `outside` is true if the path would leave the folder. */
  | { readonly state: 'no-file'; readonly path: string; readonly outside: boolean }
  | {
      readonly state: 'no-anchor';
      readonly path: string;
      readonly anchor: string;
      /** At most three anchors of the file that begin with the cited anchor. */
      readonly near: readonly string[];
    };

/**
 * Returns a function that looks up the place that a citation names in a folder of records. The
 * headings of a file are read only once.
 */
export function createResolver(folder: Folder): (ref: string) => Resolution {
  const read = new Map<string, { lines: number; anchors?: ReadonlySet<string> }>();
  let sources: ReadonlyMap<string, SourcePlace> | undefined;
  let documents: ReadonlyMap<string, readonly Part[]> | undefined;
  return (ref) => {
    const { path, anchor } = splitRef(ref);
    const named = insidePath(path);
    if (named === undefined) return { state: 'no-file', path, outside: true };
    sources ??= sourcesIn(folder);
    const source = sources.get(named);
    const inside = source === undefined ? named : sourcePath(named);
    const text = folder.get(inside);
    if (text === undefined) return { state: 'no-file', path: inside, outside: false };
    if (anchor === '') return { state: 'ok', path: inside, anchor };
    const file = read.get(inside) ?? { lines: linesIn(inside, text).length };
    read.set(inside, file);
    documents ??= partsIn(folder);
    const parts = source === undefined ? documents.get(inside) : source.parts;
    const lines =
      parts === undefined
        ? linesOfAnchor(anchor, file.lines, source?.from)
        : linesOfParts(anchor, parts, file.lines, source?.from);
    // Headings are only parsed if the anchor is not a line, because most citations are of lines.
    if (lines !== undefined) return { state: 'ok', path: inside, anchor, lines };
    if (source !== undefined) return { state: 'no-anchor', path: named, anchor, near: [] };
    file.anchors ??= anchorsIn(inside, text);
    if (file.anchors.has(anchor)) return { state: 'ok', path: inside, anchor };
    return {
      state: 'no-anchor',
      path: inside,
      anchor,
      near: findAlikeAnchors(anchor, file.anchors),
    };
  };
}

/** The number of a tool result's first line, and its pages, slides or sheets. */
interface SourcePlace {
  readonly from: number;
  readonly parts?: readonly Part[] | undefined;
}

/** Returns the places of all tool results, by the id of the result. */
function sourcesIn(folder: Folder): ReadonlyMap<string, SourcePlace> {
  const { lines } = readLines(SOURCES_FILE, folder.get(SOURCES_FILE) ?? '', sourceSchema);
  return new Map(lines.map(({ value: { id, from, parts } }) => [id, { from, parts }]));
}

/**
 * Returns the pages or sheets of the documents that are divided into such parts, by the path of the
 * document's text.
 */
function partsIn(folder: Folder): ReadonlyMap<string, readonly Part[]> {
  const { lines } = readLines(DOCUMENTS_FILE, folder.get(DOCUMENTS_FILE) ?? '', documentSchema);
  return new Map(
    lines.flatMap(({ value: { name, parts = [] } }) =>
      parts.length === 0 ? [] : [[attachmentPath(name), parts]],
    ),
  );
}

/**
 * Returns the lines of a file that an anchor with a page, slide or sheet names, or undefined if the file lacks them.
 * `from` is the number of the file's first line.
 */
function linesOfParts(
  anchor: string,
  parts: readonly Part[],
  lines: number,
  from = 1,
): readonly [number, number] | undefined {
  const found = linesInParts(anchor, parts, lines + from - 1);
  if ('why' in found) return undefined;
  const [first, last] = [found[0] - from + 1, found[1] - from + 1];
  return first >= 1 && last <= lines ? [first, last] : undefined;
}

/** Returns citations in the form of `normalizeRef`, each only once. The order is kept. */
export function deduplicateRefs(refs: readonly string[]): string[] {
  return [...new Set(refs.map(normalizeRef))];
}

/**
 * Returns a citation in its normal form, so that equal citations have equal texts. A path that
 * leads out of the folder is returned unchanged.
 */
export function normalizeRef(ref: string): string {
  const { path, anchor } = splitRef(ref);
  const inside = insidePath(path) ?? path;
  return anchor === '' ? inside : `${inside}#${anchor}`;
}

/**
 * Returns the anchors in a Markdown text, in order: headings, under the names that GitHub gives
 * them, and explicit ids (`{#id}`, `<a id="…">`).
 */
export function findAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { anchor } of placesIn(text)) anchors.add(anchor);
  return anchors;
}

/** The sections in which a seat judges its own work. */
const GRADES: ReadonlySet<string> = new Set(['verdict', 'self-score', 'goal-reached']);

/**
 * Returns a function that tells whether a verdict may cite an anchor of an artifact as evidence. It returns false for
 * the title, for parts in which the seat grades its own work, for lines that contain nothing else, and for anchors
 * that the text does not have.
 */
export function createEvidenceCheck(text: string): (anchor: string) => boolean {
  const lineOf = new Map<string, number>();
  const silent = new Set<number>();
  const lines = linesIn('', text);
  let titled = false;
  let grades = 0;
  for (const { anchor, line, level } of placesIn(text)) {
    if (!lineOf.has(anchor)) lineOf.set(anchor, line);
    if (level === 0) continue;
    for (let at = grades; grades > 0 && at < line; at += 1) silent.add(at);
    grades = GRADES.has(anchor) ? line : 0;
    if (!titled && level === 1) silent.add(line);
    titled = true;
  }
  for (let at = grades; grades > 0 && at <= lines.length; at += 1) silent.add(at);
  /** For each line, the line itself or the next line that is evidence: not empty, no title, no self-grade. */
  const next: number[] = new Array(lines.length + 2).fill(Infinity);
  for (let at = lines.length; at > 0; at -= 1)
    next[at] = silent.has(at) || lines[at - 1]?.trim() === '' ? (next[at + 1] ?? Infinity) : at;
  return (anchor) => {
    const range = linesOfAnchor(anchor, lines.length);
    if (range !== undefined) return (next[range[0]] ?? Infinity) <= range[1];
    const line = lineOf.get(anchor);
    return line !== undefined && !silent.has(line);
  };
}

interface Anchor {
  readonly anchor: string;
  /** The line number, from 1. */
  readonly line: number;
  /** The heading's level, 1 to 6, or 0 for an explicit id. */
  readonly level: number;
}

function* placesIn(text: string): Generator<Anchor> {
  const slugs = new Slugs();
  let fence = '';
  let before = '';
  for (const [index, raw] of splitLines(text).entries()) {
    const line = raw.trim();
    if (fence !== '') {
      if (line.startsWith(fence) && isRunOf(line, fence.charAt(0))) fence = '';
      continue;
    }
    fence = fenceOf(line);
    if (fence !== '') {
      before = '';
      continue;
    }
    for (const id of ownIds(line)) yield { anchor: id, line: index + 1, level: 0 };
    const heading = headingOf(line, before);
    if (heading !== undefined) {
      const slug = slugs.next(makeAnchor(heading.text.replace(BRACED_ID, '')));
      if (slug !== '') yield { anchor: slug, line: index + 1, level: heading.level };
    }
    before = heading === undefined ? line : '';
  }
}

/** Splits a citation into its path and its anchor. The anchor is empty if the citation has none. */
export function splitRef(ref: string): { path: string; anchor: string } {
  const trimmed = ref.trim();
  const hash = trimmed.indexOf('#');
  if (hash < 0) return { path: trimmed, anchor: '' };
  return { path: trimmed.slice(0, hash).trim(), anchor: trimmed.slice(hash + 1).trim() };
}

/**
 * Normalizes a path within the folder. Returns undefined if the path may lead out of the folder, as with `..`, a
 * backslash, a leading slash, or the scheme of a URL.
 */
function insidePath(path: string): string | undefined {
  if (path.startsWith('/') || path.includes('\\') || /^[a-z][a-z0-9+.-]*:/i.test(path))
    return undefined;
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  return steps.includes('..') ? undefined : steps.join('/');
}

/**
 * Returns the anchors of a file. In a JSONL file they are the ids of its records:
 * `state/decisions.jsonl#D-2-1`.
 */
function anchorsIn(path: string, text: string): ReadonlySet<string> {
  if (!path.endsWith('.jsonl')) return findAnchors(text);
  const ids = splitLines(text.replace(/^\uFEFF/, '')).map((line) => getRecordId(parseObject(line)));
  return new Set(ids.filter((id) => id !== ''));
}

/**
 * Returns the lines of a file. Records are read line by line; other texts are divided as prompts
 * number them.
 */
function linesIn(path: string, text: string): string[] {
  return path.endsWith('.jsonl') ? splitLines(text) : textLines(text);
}

/**
 * Returns the lines for `L10`, `L10-L20` or `L10-20`, if the file has them. `from` is the number of
 * its first line.
 */
function linesOfAnchor(
  anchor: string,
  lines: number,
  from = 1,
): readonly [number, number] | undefined {
  const match = /^L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(anchor);
  if (match === null) return undefined;
  const first = Number(match[1]) - from + 1;
  const last = Number(match[2] ?? match[1]) - from + 1;
  return first >= 1 && first <= last && last <= lines ? [first, last] : undefined;
}

function findAlikeAnchors(anchor: string, anchors: ReadonlySet<string>): string[] {
  const wanted = anchor.toLowerCase();
  const alike: string[] = [];
  for (const candidate of anchors) {
    if (candidate.toLowerCase().startsWith(wanted)) alike.push(candidate);
    if (alike.length === 3) break;
  }
  return alike;
}

const BRACED_ID = /\{#([\p{L}\p{N}_:.-]+)\}/gu;
const TAG = /<[a-z][a-z0-9]*\s([^<>]*)>/gi;
const TAG_ID = /\b(?:id|name)=(?:"([^"\s]+)"|'([^'\s]+)')/gi;

function* ownIds(line: string): Generator<string> {
  if (line.includes('{#')) for (const match of line.matchAll(BRACED_ID)) yield match[1] ?? '';
  if (!line.includes('<')) return;
  for (const tag of line.matchAll(TAG))
    for (const match of (tag[1] ?? '').matchAll(TAG_ID)) yield match[1] ?? match[2] ?? '';
}

/**
 * Returns the text and level of a heading, if a line is a heading (`## Attack 2`) or underlines the
 * line before. Otherwise returns undefined.
 */
function headingOf(line: string, before: string): { text: string; level: number } | undefined {
  let level = 0;
  while (line.charAt(level) === '#') level += 1;
  if (level === 0) {
    const underline = line !== '' && (isRunOf(line, '=') || isRunOf(line, '-'));
    // The header row of a table is not a heading, although the dashes below it look like an underline.
    return underline && before !== '' && !before.includes('|')
      ? { text: before, level: line.startsWith('=') ? 1 : 2 }
      : undefined;
  }
  if (level > 6 || !/^\s?$/.test(line.charAt(level))) return undefined;
  let end = line.length;
  while (end > level && line.charAt(end - 1) === '#') end -= 1;
  // In `## C#` the last hash belongs to the text, because no space precedes it.
  const closed = end < line.length && /\s/.test(line.charAt(end - 1));
  return { text: line.slice(level, closed ? end : line.length).trim(), level };
}

/** Returns the characters that open a code block, or an empty text if the line opens none. */
function fenceOf(line: string): string {
  const mark = line.charAt(0);
  if (mark !== '`' && mark !== '~') return '';
  let length = 0;
  while (line.charAt(length) === mark) length += 1;
  if (length < 3 || (mark === '`' && line.includes('`', length))) return '';
  return mark.repeat(length);
}

function isRunOf(line: string, mark: string): boolean {
  for (const char of line) if (char !== mark) return false;
  return true;
}
