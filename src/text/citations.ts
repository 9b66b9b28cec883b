/**
 * Where a text cites an attachment: `attachments/design.md#L10-L20`, and what people and models write
 * instead. Code says whether the lines exist, and which they are. Texts come from models and files
 * from strangers: one pass for all names, nothing thrown.
 */
import type { Attachment } from './documents/attachment.ts';
import { textLines } from './lines.ts';
import { plural } from './numbers.ts';

export interface Citation {
  /** One spelling for all: `attachments/design.md#L10-L20`, `attachments/design.md#L10`. */
  readonly ref: string;
  /** Where it stands in the text that cites: offsets of the first character and behind the last. */
  readonly start: number;
  readonly end: number;
  /** The attachment's name; the name as written where there is none of it. */
  readonly name: string;
  /** Lines, counted from 1, the last one included. */
  readonly from: number;
  readonly to: number;
  readonly ok: boolean;
  /** What does not exist, as part of a sentence; absent where it does. */
  readonly why?: string;
}

/** `10`, `10-20`, `10-L20`; a column as in `L10C5` is passed over. */
const RANGE = String.raw`(\d{1,15})(?:C\d+)?(?:\s?[-–—]\s?L?(\d{1,15})(?:C\d+)?)?`;

/** What may stand between a name and its lines: the name's own closing marks, then one of four. */
const TAIL = [
  `#L?${RANGE}`,
  `:L?${RANGE}`,
  String.raw`[,;]?\s?[([]?L${RANGE}`,
  String.raw`[,;]?\s?[([]?(?:at\s)?lines?\s${RANGE.replace('[-–—]', '(?:[-–—]|to|through)')}`,
].join('|');
const CLOSING = '[`*_"\'\\])]{0,3}';

/** A citation in full whose name nobody attached. */
const STRICT = new RegExp(
  `(?<![\\w/.-])attachments/([^\\s#<>"'\`()\\[\\]]{1,300})#L?${RANGE}`,
  'g',
);

/** Every citation of a text, in the order in which they stand there. */
export function citationsIn(text: string, attachments: readonly Attachment[]): Citation[] {
  const known = spellings(attachments);
  const found: Citation[] = [];
  if (known.size > 0) {
    const names = [...known.keys()].sort((a, b) => b.length - a.length).map(literally);
    const lenient = new RegExp(
      `(?<![\\w/.\\\\-])(?:attachments/)?(${names.join('|')})${CLOSING}(?:${TAIL})`,
      'gi',
    );
    for (const match of text.matchAll(lenient)) {
      const [all, written = '', ...numbers] = match;
      const attachment = known.get(written) ?? known.get(written.toLowerCase());
      const [from, to] = numbers.filter((one) => one !== undefined).map(Number);
      if (attachment === undefined || from === undefined) continue;
      found.push(citation(match.index, all, attachment.name, from, to ?? from, attachment));
    }
  }
  for (const match of text.matchAll(STRICT)) {
    const [all, name = '', from, to] = match;
    const end = match.index + all.length;
    if (found.some((one) => one.start < end && match.index < one.end)) continue;
    found.push(citation(match.index, all, name, Number(from), Number(to ?? from), undefined));
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The cited lines, without their ends; only those there are. */
export function linesOf(attachment: Attachment, from: number, to: number): string[] {
  return textLines(attachment.text).slice(Math.max(0, from - 1), Math.max(0, to));
}

/** How many lines an attachment has, as seats see them numbered. */
export function lineCount(attachment: Attachment): number {
  return textLines(attachment.text).length;
}

function citation(
  start: number,
  all: string,
  name: string,
  from: number,
  to: number,
  attachment: Attachment | undefined,
): Citation {
  const why = missing(name, from, to, attachment);
  return {
    ref: `attachments/${name}#L${from}${to === from ? '' : `-L${to}`}`,
    start,
    end: start + all.length,
    name,
    from,
    to,
    ok: why === undefined,
    ...(why === undefined ? {} : { why }),
  };
}

function missing(
  name: string,
  from: number,
  to: number,
  attachment: Attachment | undefined,
): string | undefined {
  if (attachment === undefined) return `there is no attachment ${name}`;
  const lines = lineCount(attachment);
  if (from < 1) return 'lines are counted from 1';
  if (to < from) return 'the range ends before it begins';
  return to > lines ? `${name} has ${plural(lines, 'line')}` : undefined;
}

/** A name as a pattern that matches nothing else. */
function literally(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** How an attachment may be called: by its name, in any case, or by the last part of it where that says which. */
function spellings(attachments: readonly Attachment[]): Map<string, Attachment> {
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
