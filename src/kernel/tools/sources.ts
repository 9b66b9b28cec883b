/**
 * What seats have looked up in a run, as it can be cited: `S-3#L10-L20` are lines of the third result,
 * by the numbers that the seat saw before them. Pure: facts in, places out.
 */
import { textLines } from '../../text/lines.ts';
import { type FactOf, KERNEL } from '../facts.ts';
import type { AnyFact } from '../vocabulary.ts';
import type { Fetched } from './tools.ts';

export interface Source {
  /** `S-3` */
  readonly id: string;
  readonly seat: string;
  readonly tool: string;
  readonly about: string;
  /** As it was found. */
  readonly text: string;
  /** The number of its first line. */
  readonly from: number;
  /** Of a tool server's answer: which server gave it, and when. */
  readonly fetched?: Fetched | undefined;
}

/** Every result that can be cited, in the order in which they were found. */
export function sourcesOf(facts: Iterable<AnyFact>): Source[] {
  return [...facts].filter(KERNEL.is('tool.called')).flatMap(({ id, ...one }) => {
    const { seat, tool, about, text, from, fetched } = one;
    return id === undefined ? [] : [{ id, seat, tool, about, text, from, fetched }];
  });
}

/** `S-3 read src/a.ts, lines 10-40 of 120`, `read refused: …`: of a fact, and as clean as it is. */
export function sourceLine({ id, tool, about, text, refused }: FactOf<'tool.called'>): string {
  if (refused) return `${tool} refused: ${text}`;
  return id === undefined ? `${tool} ${about}` : `${id} ${tool} ${about}`;
}

/** `search (https://mcp.example.com) on 2026-11-27 at 04:05 UTC`, for a sentence: untrusted words in part. */
export function fetchedWords({ server, address, at }: Fetched): string {
  const where = address === '' ? '' : ` (${address})`;
  return `${server}${where} on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}

interface SourceRef {
  /** In one spelling: `S-3`, `S-3#L10-L20`. */
  readonly ref: string;
  readonly id: string;
  /** Lines by the numbers that were shown; absent where the whole is meant. */
  readonly lines?: readonly [from: number, to: number];
  /** What does not exist, as part of a sentence; absent where it does. */
  readonly why?: string;
}

const REF = /(?<![\w-])S-(\d{1,9})(?!\d)(?:#L?(\d{1,9})(?:\s?[-–—]\s?L?(\d{1,9}))?)?/g;

/** Every result that a text cites, each place once, in order. */
export function sourceRefsIn(text: string, sources: readonly Source[]): SourceRef[] {
  const byId = new Map(sources.map((one) => [one.id, one]));
  const found = new Map<string, SourceRef>();
  for (const [, number, first, last] of text.matchAll(REF)) {
    const id = `S-${number}`;
    const from = first === undefined ? undefined : Number(first);
    const to = last === undefined ? from : Number(last);
    const lines = from === undefined || to === undefined ? undefined : ([from, to] as const);
    const ref = lines === undefined ? id : `${id}#L${from}${to === from ? '' : `-L${to}`}`;
    const why = whyNot(byId.get(id), id, lines);
    found.set(ref, {
      ref,
      id,
      ...(lines === undefined ? {} : { lines }),
      ...(why === undefined ? {} : { why }),
    });
  }
  return [...found.values()];
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
  return from < source.from || to > last ? `${id} has lines ${source.from} to ${last}` : undefined;
}

/** The cited lines, without their ends; only those there are. */
export function linesAt(
  { text, from }: Source,
  [first, last]: readonly [number, number],
): string[] {
  return textLines(text).slice(Math.max(0, first - from), Math.max(0, last - from + 1));
}
