/**
 * The gate: what each seat is shown of the documents, and what it is not. For each of its questions the
 * best pieces in turn, then by rank, up to its share of tokens; pieces of other clusters are withheld.
 */
import { estimateTokens } from '../../../kernel/tokens.ts';
import { type Chunk, placeOfChunk, search } from '../documents.ts';
import { fact, type Shown } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import { type Asked, unique } from './ask-first.ts';

export interface Gated {
  readonly shown: readonly Shown[];
  readonly notKnown: readonly string[];
}

/** For the first round; later ones are shown the same. */
export async function gate(
  plan: PlanRun,
  seats: readonly string[],
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, Gated>> {
  const { config, topic, view } = plan;
  const researched = new Map(view.researched.map((one) => [one.id, one]));
  const facts = [];
  const gates = new Map<string, Gated>();
  for (const seat of seats) {
    const clusters = plan.clustersOf(seat);
    const own = asked.filter((one) => one.seat === seat);
    const ranked = await search(plan, `gate/${seat}/own`, topic, clusters, 20);
    const all = await search(plan, `gate/${seat}/all`, topic, undefined, 20);
    const wanted = unique([...interleave(own.map(({ chunks }) => chunks)), ...ranked]).filter(
      ({ kind }) => kind !== 'card',
    );
    const found = own.flatMap(({ id, question }) =>
      (researched.get(id)?.found ?? []).map((claim): Shown => {
        const text = `${claim.text}\n> ${claim.quotation}`;
        const tokens = estimateTokens(text);
        return {
          ...LINES,
          path: claim.place,
          heading: question,
          text,
          tokens,
          clusters: [],
          unconfirmed: true,
        };
      }),
    );
    const { shown, cut } = fill([...found, ...wanted.map(shownOf)], config.gateTokens);
    const notKnown = own.flatMap(({ id, question, isKnown }) =>
      isKnown || (researched.get(id)?.found.length ?? 0) > 0 ? [] : [question],
    );
    const withheld = all.filter(
      (one) => one.kind !== 'card' && !one.clusters.some((cluster) => clusters.includes(cluster)),
    ).length;
    facts.push(
      fact('context.gated', {
        seat,
        round: 1,
        shown,
        withheld,
        cut: cut.map(({ path, heading, tokens }) => ({ path, heading, tokens })),
        notKnown,
      }),
    );
    gates.set(seat, { shown, notKnown });
  }
  await plan.record('gated', seats, facts);
  return gates;
}

const LINES = { from: 1, to: 1 } as const;

function shownOf(chunk: Chunk): Shown {
  const { path, from, to, heading, text, tokens, clusters, unconfirmed } = chunk;
  const known = { path, from, to, heading: heading.join(' › '), text, tokens, clusters };
  return unconfirmed ? { ...known, unconfirmed } : known;
}

/** One of each in turn. */
function interleave(lists: readonly (readonly Chunk[])[]): Chunk[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** What fits, in order; a piece that does not fit makes room for smaller ones behind it. */
function fill(pieces: readonly Shown[], most: number): { shown: Shown[]; cut: Shown[] } {
  const shown: Shown[] = [];
  const cut: Shown[] = [];
  let left = most;
  for (const piece of pieces) {
    const fits = piece.tokens <= left;
    (fits ? shown : cut).push(piece);
    if (fits) left -= piece.tokens;
  }
  return { shown, cut };
}

export { placeOfChunk };
