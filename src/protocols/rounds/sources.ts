/** The tool results of a deliberation, with the ids by which they are cited. */
import { citedFile } from '../../kernel/tools/sources.ts';
import type { FetchOrigin } from '../../kernel/tools/tools.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { FactOf } from './facts.ts';
import type { Document } from './records/documents.ts';

/** A tool result that seats can cite. Its name as a document is its id, such as `S-3`. */
export interface SourceView extends Document {
  /** The line number of the text's first line in the file or answer that the tool read. */
  readonly from: number;
  readonly round: number;
  readonly seat: string;
  readonly tool: string;
  /** A description in one line: `src/a.ts, lines 10-40 of 120`. */
  readonly about: string;
  /** The tool server that gave the answer, and the time. Absent for local files. */
  readonly fetched?: FetchOrigin | undefined;
  /** The path of the file, if its lines were read because an agent cited them. */
  readonly cites?: string | undefined;
}

/**
 * Converts a recorded tool call to a source that can be cited. Returns undefined if the tool refused,
 * so that its result has no id, or if the call belongs to no round.
 */
export function makeSource(
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
    name,
    text,
    from,
    round: Number(round),
    seat,
    tool,
    about,
    ...withoutUndefined({ parts, fetched, cites }),
  };
}

/**
 * Adds a source to the view and keeps the order of the ids. Seats use tools at the same time, so
 * sources can arrive in another order. Returns the same view if it has the source already.
 */
export function addSource<V extends { readonly sources: readonly SourceView[] }>(
  view: V,
  source: SourceView,
): V {
  if (view.sources.some(({ name }) => name === source.name)) return view;
  const getNumber = ({ name }: SourceView): number => Number(name.slice('S-'.length));
  const sources = [...view.sources, source].sort(
    (left, right) => getNumber(left) - getNumber(right),
  );
  return { ...view, sources };
}
