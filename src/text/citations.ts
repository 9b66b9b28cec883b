/**
 * Finds citations of attachments in a text: `attachments/design.md#L10-L20`, and the other forms that
 * people and models write. Each is checked against the attachment's lines. Texts are untrusted: the search
 * takes one pass for all names and does not throw.
 */
import { type Attachment, partsOf } from './documents/attachment.ts';
import { linesInParts, rangeLabel } from './documents/parts.ts';
import { toLine } from './line.ts';
import { textLines } from './lines.ts';
import { formatCount } from './numbers.ts';
import { withoutUndefined } from './without-undefined.ts';

/** A citation of lines of an attached document. */
export interface Citation {
  /** The citation in normalised form: `attachments/design.md#L10-L20`, `attachments/design.md#L10`. */
  readonly ref: string;
  /** The index of its first character in the citing text. */
  readonly start: number;
  /** The index after its last character in the citing text. */
  readonly end: number;
  /** The attachment's name, or the name as it is written if there is no such attachment. */
  readonly name: string;
  /**
   * The first cited line, counted from 1 through the whole text. In an invalid citation it need not exist, and
   * can be 0.
   */
  readonly from: number;
  /** The last cited line. In an invalid citation it need not exist, and can be 0. */
  readonly to: number;
  /** Whether the cited lines exist. */
  readonly ok: boolean;
  /** Why the citation is invalid, as part of a sentence; absent if it is valid. */
  readonly why?: string;
}

/** A range: `10`, `10-20`, `10-L20`. A column as in `L10C5` is ignored. */
const RANGE = String.raw`(\d{1,15})(?:C\d+)?(?:\s?[-–—]\s?L?(\d{1,15})(?:C\d+)?)?`;

/** The forms of the lines after a name, which may have closing marks before them. */
const TAIL = [
  `#L?${RANGE}`,
  `:L?${RANGE}`,
  String.raw`[,;]?\s?[([]?L${RANGE}`,
  String.raw`[,;]?\s?[([]?(?:at\s)?lines?\s${RANGE.replace('[-–—]', '(?:[-–—]|to|through)')}`,
].join('|');
const CLOSING = '[`*_"\'\\])]{0,3}';

/** The name of a page, slide or sheet, such as `p3`. */
const PART = String.raw`[\p{L}\p{N}\p{M}_]{1,70}?`;
/** A range in a document with pages: `p3L10-L12`, `p3L40-p4L2`, and other forms. */
const PART_RANGE = String.raw`${PART}L\d{1,9}(?:\s?[-–—]\s?(?:${PART}L|L)?\d{1,9})?(?![\p{L}\p{N}_])`;
const PART_TAIL = [
  String.raw`#(?<exact>${PART_RANGE}|[\p{L}\p{N}\p{M}_]{1,70})`,
  String.raw`(?::|[,;]?\s?[([]?)(?<after>${PART_RANGE})`,
  String.raw`[,;]?\s?[([]?(?:at\s|on\s)?(?<kind>pages?|pp?\.|slides?|sheet)\s?(?<part>[\p{L}\p{N}\p{M}_]{1,60})(?:[,;]?\s(?:lines?|ll?\.)\s(?<from>\d{1,9})(?:\s?(?:[-–—]|to|through)\s?(?<to>\d{1,9}))?)?`,
].join('|');

/** A complete citation of a name that is not attached. */
const STRICT = new RegExp(
  String.raw`(?<![\w/.-])attachments/([^\s#<>"'\x60()\[\]]{1,300})#(?:L?${RANGE}|(${PART_RANGE}))`,
  'giu',
);

/** Returns every citation in a text, valid or not, in the order of the text. */
export function citationsIn(text: string, attachments: readonly Attachment[]): Citation[] {
  const known = attachmentsByName(attachments);
  const found: Citation[] = [];
  const inParts = [...known]
    .filter(([, attachment]) => partsOf(attachment).length > 0)
    .map(([name]) => name);
  const inLines = [...known]
    .filter(([, attachment]) => partsOf(attachment).length === 0)
    .map(([name]) => name);
  for (const match of findNames(text, inParts, PART_TAIL, 'giu')) {
    const attachment = known.get(match[1] ?? '') ?? known.get((match[1] ?? '').toLowerCase());
    const range = rangeIn(match.groups ?? {});
    if (attachment !== undefined && isRange(range, attachment))
      found.push(citationInParts(match, attachment, range));
  }
  // The search above finds citations by page; the two searches below find citations by line. A passage may match
  // several forms, so skip one that an earlier search has found.
  const isTaken = (start: number, end: number): boolean =>
    found.some((citation) => citation.start < end && start < citation.end);
  for (const match of findNames(text, inLines, TAIL, 'gi')) {
    const [all, written = '', ...numbers] = match;
    const attachment = known.get(written) ?? known.get(written.toLowerCase());
    const [from, to] = numbers.filter((number) => number !== undefined).map(Number);
    if (attachment === undefined || from === undefined) continue;
    if (isTaken(match.index, match.index + all.length)) continue;
    found.push(makeCitation(match.index, all, attachment.name, from, to ?? from, attachment));
  }
  for (const match of text.matchAll(STRICT)) {
    const [all, name = '', from, to, range] = match;
    if (isTaken(match.index, match.index + all.length)) continue;
    const attachment = known.get(name);
    if (attachment !== undefined && partsOf(attachment).length > 0)
      found.push(citationInParts(match, attachment, `L${from}`));
    else if (range === undefined)
      found.push(makeCitation(match.index, all, name, Number(from), Number(to ?? from), undefined));
    else {
      const ref = `attachments/${name}#${range}`;
      const why = `there is no attachment ${name}`;
      const place = { start: match.index, end: match.index + all.length };
      found.push({ ref, ...place, name, from: 0, to: 0, ok: false, why });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The most citations that `listMissingLines` names. */
const MAX_LISTED = 5;

/**
 * Lists the invalid citations in a text, each once and with the reason. At most five are named, and the
 * others counted. Returns "" if there are none, or if nothing is attached.
 */
export function listMissingLines(text: string, attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return '';
  const missing = new Set(
    citationsIn(text, attachments).flatMap(({ ref, ok, why = '' }) =>
      ok ? [] : [toLine(`${ref} (${why})`)],
    ),
  );
  const more = missing.size - MAX_LISTED;
  const listed = [...missing].slice(0, MAX_LISTED).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}

/** Finds each of the names that is followed by `tail`. A longer name is preferred to its beginning. */
function findNames(
  text: string,
  names: readonly string[],
  tail: string,
  flags: string,
): Iterable<RegExpExecArray> {
  if (names.length === 0) return [];
  const longest = [...names].sort((a, b) => b.length - a.length).map(escapePattern);
  return text.matchAll(
    new RegExp(
      String.raw`(?<![\w/.\\-])(?:attachments/)?(${longest.join('|')})${CLOSING}(?:${tail})`,
      flags,
    ),
  );
}

/** Returns a range in the spelling that `linesInParts` reads: `p3L10-L12` for "page 3, lines 10 to 12". */
function rangeIn(groups: Readonly<Record<string, string | undefined>>): string {
  const { exact, after, kind = '', part = '', from, to } = groups;
  if (exact !== undefined || after !== undefined) return exact ?? after ?? '';
  const letter = /^p/i.test(kind) ? 'p' : /^sl/i.test(kind) ? 's' : '';
  const lines = from === undefined ? '' : `L${from}${to === undefined ? '' : `-L${to}`}`;
  return `${letter}${part}${lines}`;
}

/** Returns whether the text after a name's `#` is a place in the document and not a heading. */
function isRange(range: string, attachment: Attachment): boolean {
  return (
    /L\d|^[ps]\d+$/i.test(range) ||
    partsOf(attachment).some(({ name }) => name.toLowerCase() === range.toLowerCase())
  );
}

function citationInParts(match: RegExpExecArray, attachment: Attachment, range: string): Citation {
  const { name } = attachment;
  const place = { start: match.index, end: match.index + match[0].length, name };
  const found = linesInParts(range, partsOf(attachment), lineCount(attachment));
  if ('why' in found)
    return {
      ref: `attachments/${name}#${range}`,
      ...place,
      from: 0,
      to: 0,
      ok: false,
      why: `${name}: ${found.why}`,
    };
  const [from, to] = found;
  const ref = `attachments/${name}#${rangeLabel(from, to, partsOf(attachment))}`;
  return { ref, ...place, from, to, ok: true };
}

/**
 * Returns the lines of an attachment from number `from` to number `to`, counted from 1, without line
 * breaks. Lines that do not exist are left out.
 */
export function citedLines(attachment: Attachment, from: number, to: number): string[] {
  return textLines(attachment.text).slice(Math.max(0, from - 1), Math.max(0, to));
}

/** Returns the number of lines of an attachment, as prompts number them. */
export function lineCount(attachment: Attachment): number {
  return textLines(attachment.text).length;
}

function makeCitation(
  start: number,
  all: string,
  name: string,
  from: number,
  to: number,
  attachment: Attachment | undefined,
): Citation {
  const why = explainMissing(name, from, to, attachment);
  return {
    ref: `attachments/${name}#L${from}${to === from ? '' : `-L${to}`}`,
    start,
    end: start + all.length,
    name,
    from,
    to,
    ok: why === undefined,
    ...withoutUndefined({ why }),
  };
}

function explainMissing(
  name: string,
  from: number,
  to: number,
  attachment: Attachment | undefined,
): string | undefined {
  if (attachment === undefined) return `there is no attachment ${name}`;
  const lines = lineCount(attachment);
  if (from < 1) return 'lines are counted from 1';
  if (to < from) return 'the range ends before it begins';
  return to > lines ? `${name} has ${formatCount(lines, 'line')}` : undefined;
}

/** Escapes a name for a regular expression. */
function escapePattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]|-/g, (sign) => (sign === '-' ? '\\x2d' : `\\${sign}`));
}

/**
 * Returns attachments by the names that cite them: the full name in any case, or its last part if that is
 * unique.
 */
function attachmentsByName(attachments: readonly Attachment[]): Map<string, Attachment> {
  const known = new Map<string, Attachment>();
  const twice = new Set<string>();
  for (const attachment of attachments) {
    const last = attachment.name.split('/').at(-1) ?? '';
    for (const short of new Set([last, last.toLowerCase(), attachment.name.toLowerCase()])) {
      if (known.has(short)) twice.add(short);
      known.set(short, attachment);
    }
  }
  for (const short of twice) known.delete(short);
  for (const attachment of attachments) known.set(attachment.name, attachment);
  known.delete('');
  return known;
}
