/**
 * Shows cited tool results to other seats. Only the seat that used a tool has seen its result, so
 * the lines that an artifact, a claim or a verdict cites are added to the prompts of those who
 * judge it.
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

/** The most estimated tokens of cited lines in one prompt. */
const MOST_TOKENS = 6_000;

/** Cited lines of a tool's result, or the whole result if the citation names no lines. */
export interface Passage extends Document {
  /** The number of the first line. */
  readonly from: number;
  /** The citation and what was read: `S-3#L10-L20: read src/a.ts, lines 1-40 of 120`. */
  readonly label: string;
}

/**
 * Returns the lines of tool results that the texts cite, or the whole result if a citation names no lines. Each
 * citation is returned once. Left out are citations of what does not exist, and those that no longer fit into
 * the limit of 6,000 estimated tokens for all.
 */
export function collectPassages(
  texts: readonly string[],
  sources: readonly SourceView[],
): Passage[] {
  const byId = new Map(sources.map((source) => [source.name, source]));
  const passages = new Map<string, Passage>();
  let left = MOST_TOKENS;
  for (const { ref, id, lines, why } of texts.flatMap((text) =>
    sourceRefsIn(text, toSources(sources)),
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

/** Converts cited lines to a block of a prompt in which every line begins with its number. */
export function passageToPiece({ label, text, from, parts }: Passage): Piece {
  const lines = textLines(text).map((line, at) => {
    const number = from + at;
    return `${parts === undefined ? number : lineLabel(number, parts)}: ${line}`;
  });
  return { from: label, text: lines.join('\n') };
}

/**
 * Returns the citations of missing tool results or missing lines in a text, each with the reason: `there is no
 * S-9`.
 */
export function findUnknownCitations(
  text: string,
  sources: readonly SourceView[],
): { readonly ref: string; readonly why: string }[] {
  return sourceRefsIn(text, toSources(sources)).flatMap(({ ref, why }) =>
    why === undefined ? [] : [{ ref, why }],
  );
}

/**
 * Returns whether a text is a citation of existing lines of a tool result. False for a citation without lines.
 * @param ref the citation as records write it: `S-3#L10-L20`
 */
export function citesResultLines(ref: string, sources: readonly SourceView[]): boolean {
  const [citation] = sourceRefsIn(ref, toSources(sources));
  return citation?.ref === ref && citation.lines !== undefined && citation.why === undefined;
}

/**
 * Converts a citation of a tool result to the form that records use: `S-3#L10-L20`. A citation of a whole result
 * becomes a citation of all its lines. A citation of a file's lines becomes one of the tool result into which
 * the lines were read. Any other text is returned unchanged.
 */
export function normalizeCitation(ref: string, sources: readonly SourceView[]): string {
  const [citation, ...more] = sourceRefsIn(ref, toSources(sources));
  if (citation === undefined || more.length > 0) return ref;
  const source = sources.find(({ name }) => name === citation.id);
  const isPrefix = (name: string | undefined) => name !== undefined && ref.trim().startsWith(name);
  // A citation begins with the id of a tool result or, if a coding agent wrote it, with the path of a file. Any other
  // text is returned unchanged.
  if (!isPrefix(citation.id) && !isPrefix(source?.cites)) return ref;
  if (source === undefined || citation.lines !== undefined) return citation.ref;
  const last = source.from + Math.max(1, textLines(source.text).length) - 1;
  return `${citation.id}#${rangeLabel(source.from, last, source.parts)}`;
}

/**
 * Returns a sentence for each cited result that came from a tool server: which tool of which server
 * gave the result. Each sentence begins with a space. Empty if no cited result came from a tool server.
 */
export function describeFetched(refs: readonly string[], sources: readonly SourceView[]): string {
  const ids = new Set(refs.map((ref) => ref.split('#')[0]));
  return sources
    .flatMap(({ name, fetched }) =>
      fetched !== undefined && ids.has(name)
        ? [` ${name} is what ${formatFetched(fetched)} answered, as it was fetched.`]
        : [],
    )
    .join('');
}

function toSources(sources: readonly SourceView[]): Source[] {
  return sources.map(sourceAs);
}

function sourceAs(source: SourceView): Source {
  const { name: id, seat, tool, about, text, from, parts, cites } = source;
  return { id, seat, tool, about, text, from, parts, cites };
}
