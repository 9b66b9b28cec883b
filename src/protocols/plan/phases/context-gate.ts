/**
 * Chooses what each seat is shown of the documents: the best sections for each of its questions in turn,
 * then others by rank, up to a limit of tokens. Sections of other seats' clusters are withheld.
 */
import { estimateTokens } from '../../../kernel/tokens.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { type Chunk, linesOfChunk, searchDocuments } from '../documents.ts';
import { type FactOf, fact, type ShownSection } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import { type AskedQuestion, removeDuplicates } from './ask-first.ts';

/** Which sections of the documents a seat is shown, and which not. */
export interface GatedSections {
  /** The sections that the seat is shown, and what research found for its questions. */
  readonly shown: readonly ShownSection[];
  /** Questions of the seat that neither documents nor research answered, or only partly. */
  readonly notKnown: readonly string[];
  /** Sections for which there was no room. */
  readonly cut: readonly Pick<ShownSection, 'path' | 'heading'>[];
  /** Sections that match the topic but belong to none of the seat's clusters. */
  readonly withheld: readonly unknown[];
}

/** How many sections each search by rank returns, beyond those for the seat's questions. */
const BY_RANK = 20;

/** Chooses and records which sections each seat is shown in all rounds. Returns them by the seat's id. */
export async function gateContext(
  plan: PlanRun,
  seats: readonly string[],
  asked: readonly AskedQuestion[],
): Promise<ReadonlyMap<string, GatedSections>> {
  const all = await searchDocuments(plan, 'gate/all', { query: queryOf(plan), limit: BY_RANK });
  const gated = [];
  for (const seat of seats) gated.push(await gateOne(plan, seat, asked, all));
  await plan.record('gate/shown', seats, gated);
  return new Map(gated.map((gate) => [gate.seat, gate]));
}

/**
 * Returns the query for the search: the topic and the queries by which seats were called in, because the
 * topic's own words may match nothing.
 */
function queryOf({ topic, view }: PlanRun): string {
  return [...(view.staffed?.queries ?? []).map(({ query }) => query), topic].join('\n');
}

async function gateOne(
  plan: PlanRun,
  seat: string,
  asked: readonly AskedQuestion[],
  all: readonly Chunk[],
): Promise<FactOf<'context.gated'>> {
  const { config, view } = plan;
  const toShownSection = (chunk: Chunk): ShownSection => shownOf(chunk, config.output.research);
  const researched = new Map(view.researched.map((research) => [research.id, research]));
  const clusters = plan.clustersOf(seat);
  const own = asked.filter((question) => question.seat === seat);
  const ranked = await searchDocuments(plan, `gate/${seat}`, {
    query: queryOf(plan),
    clusters,
    limit: BY_RANK,
  });
  const wanted = removeDuplicates([
    ...interleave(own.map(({ chunks }) => chunks)),
    ...ranked,
  ]).filter(({ kind }) => kind !== 'card');
  const found = own.flatMap(({ id, question }) => {
    const { found: claims = [], absent = [] } = researched.get(id) ?? {};
    return [
      ...claims.map(({ place, text, quotation }) =>
        makeUnconfirmedSection(
          place,
          question,
          [text, ...quotation.split('\n').map((line) => `> ${line}`)].join('\n'),
        ),
      ),
      ...absent.map(({ text, pattern, paths }) =>
        makeUnconfirmedSection(
          paths.filter(Boolean).join(', ') || '.',
          question,
          `${text} ("${pattern}" stands nowhere there.)`,
        ),
      ),
    ];
  });
  const { shown, cut } = cutToLimit([...found, ...wanted.map(toShownSection)], config.gateTokens);
  const withheld = all.filter(
    (chunk) =>
      chunk.kind !== 'card' && !chunk.clusters.some((cluster) => clusters.includes(cluster)),
  );
  return fact('context.gated', {
    seat,
    round: 1,
    shown,
    withheld: withheld.map((chunk) => ({
      ...pickTitle(toShownSection(chunk)),
      clusters: [...chunk.clusters],
    })),
    cut: cut.map(pickTitle),
    notKnown: own.flatMap(({ id, question, isKnown, missing }) =>
      isKnown || isFound(researched.get(id))
        ? []
        : [missing === undefined ? question : `${question} (partly known; missing: ${missing})`],
    ),
  });
}

function isFound(research: FactOf<'question.researched'> | undefined): boolean {
  return research !== undefined && research.found.length + (research.absent?.length ?? 0) > 0;
}

function pickTitle({
  path,
  heading,
  tokens,
}: ShownSection): Pick<ShownSection, 'path' | 'heading' | 'tokens'> {
  return { path, heading, tokens };
}

function makeUnconfirmedSection(place: string, heading: string, text: string): ShownSection {
  const [path = place, lines = ''] = place.split('#');
  const tokens = estimateTokens(text);
  const piece = { path, heading, text, tokens, clusters: [], unconfirmed: true as const };
  // Keep a place such as `p3L10-L12` as it is: it cites lines on a page of a PDF or a similar document.
  if (lines !== '' && !/^L\d/.test(lines)) return { ...piece, from: 0, to: 0, lines };
  const [from = 0, to = from] = [...lines.matchAll(/\d+/g)].map(([number]) => Number(number));
  return { ...piece, from, to };
}

/**
 * Converts a section to what a seat is shown. `research` is the folder of researchers' findings, which are
 * marked as unconfirmed.
 */
function shownOf(chunk: Chunk, research: string): ShownSection {
  const { path, from, to, heading, text, tokens, clusters } = chunk;
  const lines = linesOfChunk(chunk);
  const known = {
    path,
    from,
    to,
    heading: heading.join(' › '),
    text,
    tokens,
    clusters,
    ...withoutUndefined({ lines }),
  };
  return path.startsWith(`${research}/`) ? { ...known, unconfirmed: true } : known;
}

/** Takes the first element of each list, then the second of each, and so on. */
function interleave(lists: readonly (readonly Chunk[])[]): Chunk[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/**
 * Takes pieces in order until the limit of tokens. Smaller pieces behind one that is too large are still
 * taken.
 */
function cutToLimit(
  pieces: readonly ShownSection[],
  most: number,
): { shown: ShownSection[]; cut: ShownSection[] } {
  const shown: ShownSection[] = [];
  const cut: ShownSection[] = [];
  let left = most;
  for (const piece of pieces) {
    const fits = piece.tokens <= left;
    (fits ? shown : cut).push(piece);
    if (fits) left -= piece.tokens;
  }
  return { shown, cut };
}
