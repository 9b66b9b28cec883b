/**
 * What seats looked up, where others have to see it: only whoever looked has read a result, so the lines
 * that an artifact, a claim or a verdict cites are put before those who judge it.
 */

import { estimateTokens } from '../../kernel/tokens.ts';
import {
  formatFetched,
  linesInRange,
  type Source,
  sourceRefsIn,
} from '../../kernel/tools/sources.ts';
import { lineLabel, rangeLabel } from '../../text/documents/parts.ts';
import { textLines } from '../../text/lines.ts';
import type { Document } from './records/documents.ts';
import type { Piece } from './rounds-run.ts';
import type { SourceView } from './sources.ts';

/** Tokens of all passages that are shown at a time, by estimate. */
const MOST_TOKENS = 6_000;

/** Lines that are cited, under the id of their result. */
export interface Passage extends Document {
  readonly from: number;
  /** `S-3#L10-L20: read src/a.ts, lines 1-40 of 120` */
  readonly label: string;
}

/** Each place that the texts cite, once, where there is room for it; what does not exist is left out. */
export function passagesIn(texts: readonly string[], sources: readonly SourceView[]): Passage[] {
  const byId = new Map(sources.map((one) => [one.name, one]));
  const passages = new Map<string, Passage>();
  let left = MOST_TOKENS;
  for (const { ref, id, lines, why } of texts.flatMap((text) =>
    sourceRefsIn(text, cited(sources)),
  )) {
    const source = byId.get(id);
    if (source === undefined || why !== undefined || passages.has(ref)) continue;
    const { name, tool, about, parts } = source;
    const text =
      lines === undefined ? source.text : linesInRange(sourceAs(source), lines).join('\n');
    const tokens = estimateTokens(text);
    if (tokens > left) continue;
    left -= tokens;
    const from = lines?.[0] ?? source.from;
    passages.set(ref, { name, text, from, parts, label: `${ref}: ${tool} ${about}` });
  }
  return [...passages.values()];
}

/** As a block of a prompt, every line with the number by which it is cited. */
export function pieceOf({ label, text, from, parts }: Passage): Piece {
  const lines = textLines(text).map((line, at) => {
    const number = from + at;
    return `${parts === undefined ? number : lineLabel(number, parts)}: ${line}`;
  });
  return { from: label, text: lines.join('\n') };
}

/** `S-9: there is no S-9`, for each place that a text cites and that does not exist. */
export function unknownIn(
  text: string,
  sources: readonly SourceView[],
): { readonly ref: string; readonly why: string }[] {
  return sourceRefsIn(text, cited(sources)).flatMap(({ ref, why }) =>
    why === undefined ? [] : [{ ref, why }],
  );
}

/** Whether a ref, in the spelling of the records, names lines of a result that it has. */
export function isResult(ref: string, sources: readonly SourceView[]): boolean {
  const [one] = sourceRefsIn(ref, cited(sources));
  return one?.ref === ref && one.lines !== undefined && one.why === undefined;
}

/**
 * Returns a citation in the spelling of the records: a result that is cited as a whole becomes all of its
 * lines, and the lines of a file that a coding agent cites become lines of the result they were read into.
 * Any other citation is returned as it is.
 */
export function placedRef(ref: string, sources: readonly SourceView[]): string {
  const [one, ...more] = sourceRefsIn(ref, cited(sources));
  if (one === undefined || more.length > 0) return ref;
  const source = sources.find(({ name }) => name === one.id);
  const begins = (name: string | undefined) => name !== undefined && ref.trim().startsWith(name);
  // A coding agent cites a file by its path instead of the result's id.
  if (!begins(one.id) && !begins(source?.cites)) return ref;
  if (source === undefined || one.lines !== undefined) return one.ref;
  const last = source.from + Math.max(1, textLines(source.text).length) - 1;
  return `${one.id}#${rangeLabel(source.from, last, source.parts)}`;
}

/** ` S-4 is what search (…) on … answered.`, of those that the refs name; empty where none was fetched. */
export function fetchedIn(refs: readonly string[], sources: readonly SourceView[]): string {
  const ids = new Set(refs.map((ref) => ref.split('#')[0]));
  return sources
    .flatMap(({ name, fetched }) =>
      fetched !== undefined && ids.has(name)
        ? [` ${name} is what ${formatFetched(fetched)} answered, as it was fetched.`]
        : [],
    )
    .join('');
}

function cited(sources: readonly SourceView[]): Source[] {
  return sources.map(sourceAs);
}

function sourceAs(source: SourceView): Source {
  const { name: id, seat, tool, about, text, from, parts, cites } = source;
  return { id, seat, tool, about, text, from, parts, cites };
}
