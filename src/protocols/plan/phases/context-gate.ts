/**
 * The context gate: what each seat is shown of the documents, and what it is not. For each of its questions the
 * best pieces in turn, then by rank, up to its share of tokens; pieces of other clusters are withheld.
 */
import { estimateTokens } from '../../../kernel/tokens.ts';
import { type Chunk, linesOfChunk, search } from '../documents.ts';
import { type FactOf, fact, type Shown } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import { type Asked, unique } from './ask-first.ts';

export interface Gated {
  readonly shown: readonly Shown[];
  readonly notKnown: readonly string[];
  /** What its share had no room for. */
  readonly cut: readonly Pick<Shown, 'path' | 'heading'>[];
  /** What the topic hit and belongs to others. */
  readonly withheld: readonly unknown[];
}

/** Of each search, beyond what the seats asked for. */
const BY_RANK = 20;

/** For the first round; later ones are shown the same. */
export async function gateContext(
  plan: PlanRun,
  seats: readonly string[],
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, Gated>> {
  const all = await search(plan, 'gate/all', { query: queryOf(plan), limit: BY_RANK });
  const gated = [];
  for (const seat of seats) gated.push(await gateOne(plan, seat, asked, all));
  await plan.record('gate/shown', seats, gated);
  return new Map(gated.map((one) => [one.seat, one]));
}

/** What the seats were called in by is among what they are shown: the topic's own words may find none of it. */
function queryOf({ topic, view }: PlanRun): string {
  return [...(view.staffed?.queries ?? []).map(({ query }) => query), topic].join('\n');
}

async function gateOne(
  plan: PlanRun,
  seat: string,
  asked: readonly Asked[],
  all: readonly Chunk[],
): Promise<FactOf<'context.gated'>> {
  const { config, view } = plan;
  const show = (chunk: Chunk): Shown => shownOf(chunk, config.output.research);
  const researched = new Map(view.researched.map((one) => [one.id, one]));
  const clusters = plan.clustersOf(seat);
  const own = asked.filter((one) => one.seat === seat);
  const ranked = await search(plan, `gate/${seat}`, {
    query: queryOf(plan),
    clusters,
    limit: BY_RANK,
  });
  const wanted = unique([...interleave(own.map(({ chunks }) => chunks)), ...ranked]).filter(
    ({ kind }) => kind !== 'card',
  );
  const found = own.flatMap(({ id, question }) => {
    const { found: claims = [], absent = [] } = researched.get(id) ?? {};
    return [
      ...claims.map(({ place, text, quotation }) =>
        unconfirmed(
          place,
          question,
          [text, ...quotation.split('\n').map((line) => `> ${line}`)].join('\n'),
        ),
      ),
      ...absent.map(({ text, pattern, paths }) =>
        unconfirmed(
          paths.filter(Boolean).join(', ') || '.',
          question,
          `${text} ("${pattern}" stands nowhere there.)`,
        ),
      ),
    ];
  });
  const { shown, cut } = fill([...found, ...wanted.map(show)], config.gateTokens);
  const withheld = all.filter(
    (one) => one.kind !== 'card' && !one.clusters.some((cluster) => clusters.includes(cluster)),
  );
  return fact('context.gated', {
    seat,
    round: 1,
    shown,
    withheld: withheld.map((one) => ({ ...titled(show(one)), clusters: [...one.clusters] })),
    cut: cut.map(titled),
    notKnown: own.flatMap(({ id, question, isKnown, missing }) =>
      isKnown || isFound(researched.get(id))
        ? []
        : [missing === undefined ? question : `${question} (partly known; missing: ${missing})`],
    ),
  });
}

function isFound(one: FactOf<'question.researched'> | undefined): boolean {
  return one !== undefined && one.found.length + (one.absent?.length ?? 0) > 0;
}

function titled({ path, heading, tokens }: Shown): Pick<Shown, 'path' | 'heading' | 'tokens'> {
  return { path, heading, tokens };
}

function unconfirmed(place: string, heading: string, text: string): Shown {
  const [path = place, lines = ''] = place.split('#');
  const tokens = estimateTokens(text);
  const piece = { path, heading, text, tokens, clusters: [], unconfirmed: true as const };
  // Lines of a page are not counted through the file: `p3L10-L12`.
  if (lines !== '' && !/^L\d/.test(lines)) return { ...piece, from: 0, to: 0, lines };
  const [from = 0, to = from] = [...lines.matchAll(/\d+/g)].map(([number]) => Number(number));
  return { ...piece, from, to };
}

/** `research`: the folder of what researchers wrote, which stands as unconfirmed wherever it is shown. */
function shownOf(chunk: Chunk, research: string): Shown {
  const { path, from, to, heading, text, tokens, clusters } = chunk;
  const lines = linesOfChunk(chunk);
  const known = {
    ...{ path, from, to, heading: heading.join(' › '), text, tokens, clusters },
    ...(lines === undefined ? {} : { lines }),
  };
  return path.startsWith(`${research}/`) ? { ...known, unconfirmed: true } : known;
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
