/**
 * The results of tools that a run can cite: `S-3#L10-L20` are lines of the third result, by the line
 * numbers that the seat was shown. Pure functions from facts and texts to places.
 */

import { lineLabel, linesInParts, type Part, rangeLabel } from '../../text/documents/parts.ts';
import { isRecord } from '../../text/json.ts';
import { textLines } from '../../text/lines.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { type FactOf, KERNEL } from '../facts.ts';
import type { AnyFact } from '../vocabulary.ts';
import type { FetchOrigin } from './tools.ts';

/** A recorded result of a tool that texts can cite. */
export interface Source {
  /** The id by which the result is cited, such as `S-3`. */
  readonly id: string;
  /** The seat that used the tool. */
  readonly seat: string;
  readonly tool: string;
  /** A description in one line, such as `src/a.ts, lines 10-40 of 120`. */
  readonly about: string;
  /** The text as the tool returned it. */
  readonly text: string;
  /** The line number of the text's first line within the file. */
  readonly from: number;
  /** The pages, slides or sheets by which lines are cited; absent in a file without them. */
  readonly parts?: readonly Part[] | undefined;
  /** Set for a tool server's answer: the server that gave the answer, and when. */
  readonly fetched?: FetchOrigin | undefined;
  /** The path of the file, if its lines were read because an agent cited the path. */
  readonly cites?: string | undefined;
}

/**
 * The prefix in the keys of steps that read lines of a file because an agent cited them. The last part of
 * such a key begins with the prefix: `…/cited-1`, `…/cited-2`.
 */
export const CITED = 'cited-';

/**
 * Returns the path of the file that was read because an agent cited it; undefined for any other use
 * of a tool.
 */
export function citedFile({
  step,
  arguments: given,
}: {
  readonly step: string;
  readonly arguments?: unknown;
}): string | undefined {
  const isCited = step.slice(step.lastIndexOf('/') + 1).startsWith(CITED);
  return isCited && isRecord(given) && typeof given.path === 'string' ? given.path : undefined;
}

/** Returns every result of a tool that has an id and can be cited, in the order of recording. */
export function sourcesOf(facts: Iterable<AnyFact>): Source[] {
  return [...facts].filter(KERNEL.is('tool.called')).flatMap(({ id, ...rest }) => {
    const { seat, tool, about, text, from, parts, fetched } = rest;
    const cites = citedFile(rest);
    return id === undefined ? [] : [{ id, seat, tool, about, text, from, parts, fetched, cites }];
  });
}

/**
 * Formats a recorded use of a tool in one line: `S-3 read src/a.ts, lines 10-40 of 120`, `read
 * refused: …`. The text is not sanitised.
 */
export function formatSource({ id, tool, about, text, refused }: FactOf<'tool.called'>): string {
  if (refused) return `${tool} refused: ${text}`;
  return id === undefined ? `${tool} ${about}` : `${id} ${tool} ${about}`;
}

/**
 * Formats where and when a tool server answered: `search (https://mcp.example.com) on 2026-11-27 at 04:05
 * UTC`. The names come from the server and are untrusted.
 */
export function formatFetched({ server, address, at }: FetchOrigin): string {
  const where = address === '' ? '' : ` (${address})`;
  return `${server}${where} on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}

interface SourceRef {
  /** The citation in normalised form: `S-3`, `S-3#L10-L20`, `S-3#p3L10-L12`. */
  readonly ref: string;
  readonly id: string;
  /** The cited line numbers in the file; absent if the whole result is cited. */
  readonly lines?: readonly [from: number, to: number];
  /** Why the citation is invalid, as part of a sentence; absent if it is valid. */
  readonly why?: string;
}

const REF = /(?<![\w-])S-(\d{1,9})(?!\d)(?:#L?(\d{1,9})(?:\s?[-–—]\s?L?(\d{1,9}))?)?/g;
/** The range of a citation by page, directly after the id: `#p3`, `#p3L10`, `#p3L10-L12`, `#p3L40-p4L2`. */
const PAGE_RANGE =
  /#([\p{L}\p{N}\p{M}_]{1,70}?(?:L\d{1,9}(?:\s?[-–—]\s?(?:[\p{L}\p{N}\p{M}_]{1,70}?(?=L\d))?L?\d{1,9})?)?)(?![\p{L}\p{N}\p{M}_])/uy;

const FILE_PLACE =
  /(?<![\w/.@#-])((?:[\w@.-]+\/)*[\w@-][\w@.-]*)#L(\d{1,7})(?:\s?[-–—]\s?L?(\d{1,7}))?/g;

interface FilePlace {
  readonly path: string;
  readonly lines: readonly [from: number, to: number];
}

/**
 * Returns the places in files that a text cites, such as `src/a.ts#L10-L20`. Each place is returned
 * once, in the order of the text. Paths consist of ASCII letters, digits and the characters `_@.-/`.
 * Citations by id, such as `S-3`, are not included.
 */
export function filePlacesIn(text: string): FilePlace[] {
  const found = new Map<string, FilePlace>();
  for (const [, path = '', first, last = first] of text.matchAll(FILE_PLACE)) {
    const lines = [Number(first), Number(last)] as const;
    if (!/^[SCVDQ]-\d/.test(path) && lines[0] > 0 && lines[1] >= lines[0])
      found.set(`${path} ${lines.join('-')}`, { path, lines });
  }
  return [...found.values()];
}

/**
 * Returns every citation of a tool's result in a text, each once: first citations by id, such as
 * `S-3#L10-L20`, then citations by path, such as `src/a.ts#L10-L20`, each in the order of the text. A citation
 * by id is also returned if it is invalid, with the reason (`why`). A citation by path counts only if one of
 * the sources was read because an agent cited this file, and contains the lines.
 */
export function sourceRefsIn(text: string, sources: readonly Source[]): SourceRef[] {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const found = new Map<string, SourceRef>();
  for (const { 0: cited, 1: number, 2: first, 3: last, index } of text.matchAll(REF)) {
    const id = `S-${number}`;
    const paged = byId.get(id);
    if (paged?.parts !== undefined) {
      const sourceRef = pagedRef(text, index + id.length, cited, { ...paged, parts: paged.parts });
      found.set(sourceRef.ref, sourceRef);
      continue;
    }
    const from = first === undefined ? undefined : Number(first);
    const to = last === undefined ? from : Number(last);
    const lines = from === undefined || to === undefined ? undefined : ([from, to] as const);
    const ref = lines === undefined ? id : `${id}#L${from}${to === from ? '' : `-L${to}`}`;
    const why = whyNot(byId.get(id), id, lines);
    found.set(ref, {
      ref,
      id,
      ...withoutUndefined({ lines, why }),
    });
  }
  const files = sources.filter(({ cites }) => cites !== undefined);
  for (const { path, lines } of files.length === 0 ? [] : filePlacesIn(text)) {
    const source = files.find(
      (source) => source.cites === path && whyNot(source, source.id, lines) === undefined,
    );
    if (source === undefined) continue;
    const ref = `${source.id}#${rangeLabel(...lines, source.parts)}`;
    found.set(ref, { ref, id: source.id, lines });
  }
  return [...found.values()];
}

/**
 * Returns the citation of a result whose lines are cited by page.
 *
 * @param at the offset in the text behind the id
 * @param cited the citation as a file without pages would be cited
 */
function pagedRef(
  text: string,
  at: number,
  cited: string,
  source: Source & { readonly parts: readonly Part[] },
): SourceRef {
  const { id, parts, from } = source;
  PAGE_RANGE.lastIndex = at;
  const [, range] = PAGE_RANGE.exec(text) ?? [];
  // A citation such as `S-3#summary` names neither lines nor pages, so it counts as a citation of the whole
  // result.
  const isRange = range !== undefined && (/L\d|^[ps]\d/i.test(range) || hasPart(range, parts));
  if (!isRange) return { ref: id, id };
  const last = from + textLines(source.text).length - 1;
  const lines = linesInParts(range, parts, last);
  if ('why' in lines)
    return { ref: cited.includes('#') ? cited : `${id}#${range}`, id, why: lines.why };
  const why = whyNot(source, id, lines);
  return {
    ref: `${id}#${rangeLabel(...lines, parts)}`,
    id,
    lines,
    ...withoutUndefined({ why }),
  };
}

function hasPart(name: string, parts: readonly Part[]): boolean {
  return parts.some((part) => part.name.toLowerCase() === name.toLowerCase());
}

function whyNot(
  source: Source | undefined,
  id: string,
  lines: SourceRef['lines'],
): string | undefined {
  if (source === undefined) return `there is no ${id}`;
  if (lines === undefined) return undefined;
  const last = source.from + textLines(source.text).length - 1;
  const [from, to] = lines;
  if (to < from) return 'the range ends before it begins';
  return from < source.from || to > last
    ? `${id} has lines ${lineName(source.from, source)} to ${lineName(last, source)}`
    : undefined;
}

function lineName(line: number, { parts }: Source): string {
  return parts === undefined ? `${line}` : lineLabel(line, parts);
}

/**
 * Returns the lines of a source in a range of line numbers, without line breaks. Lines outside the
 * source are left out.
 */
export function linesInRange(
  { text, from }: Source,
  [first, last]: readonly [number, number],
): string[] {
  return textLines(text).slice(Math.max(0, first - from), Math.max(0, last - from + 1));
}
