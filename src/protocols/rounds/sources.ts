/** What seats of a deliberation looked up, by the ids under which others cite it. */
import { citedFile } from '../../kernel/tools/sources.ts';
import type { Fetched } from '../../kernel/tools/tools.ts';
import type { FactOf } from './facts.ts';
import type { Document } from './records/documents.ts';

/** What a seat looked up, as a document whose name is its id. */
export interface SourceView extends Document {
  readonly from: number;
  readonly round: number;
  readonly seat: string;
  readonly tool: string;
  /** In a line: `src/a.ts, lines 10-40 of 120`. */
  readonly about: string;
  /** Of a tool server's answer: which server gave it, and when. */
  readonly fetched?: Fetched | undefined;
  /** The file whose lines were read because an agent cites them by its path. */
  readonly cites?: string | undefined;
}

/** Of the use of a tool in a step; undefined where nothing was found. */
export function sourceOf(
  called: Pick<
    FactOf<'tool.called'>,
    'id' | 'step' | 'seat' | 'tool' | 'arguments' | 'about' | 'text' | 'from' | 'parts' | 'fetched'
  >,
): SourceView | undefined {
  const { id: name, step, seat, tool, about, text, from, parts, fetched } = called;
  const [, round] = /^round-(\d+)\//.exec(step) ?? [];
  if (name === undefined || round === undefined) return undefined;
  const cites = citedFile(called);
  return {
    ...{ name, text, from, round: Number(round), seat, tool, about },
    ...(parts === undefined ? {} : { parts }),
    ...(fetched === undefined ? {} : { fetched }),
    ...(cites === undefined ? {} : { cites }),
  };
}

/** Seats look side by side, and ids are given as they find: the order is that of the ids. */
export function noteSource<V extends { readonly sources: readonly SourceView[] }>(
  view: V,
  source: SourceView,
): V {
  if (view.sources.some(({ name }) => name === source.name)) return view;
  const number = ({ name }: SourceView): number => Number(name.slice('S-'.length));
  const sources = [...view.sources, source].sort((left, right) => number(left) - number(right));
  return { ...view, sources };
}
