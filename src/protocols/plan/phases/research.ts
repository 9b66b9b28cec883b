/**
 * Looks up in the repository what no document says. A seat that may only read makes claims; code looks up
 * every quotation, and a second reader drops claims that their quotations do not carry. What is left is
 * shown as unconfirmed.
 */
import * as z from 'zod';
import { shuffleItems } from '../../../kernel/chance.ts';
import { formatFetched } from '../../../kernel/tools/sources.ts';
import { type Part, rangeLabel } from '../../../text/documents/parts.ts';
import { linesOfQuotation } from '../../../text/words/quotation.ts';
import { askWithTools } from '../../common/asking/asking.ts';
import { CHAIR, type Edition, editionOf, RESEARCHER, TIME_LIMITS } from '../config.ts';
import { findExistingFiles, formatLinesPlace } from '../documents.ts';
import { type FactOf, fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import {
  carriesMessages,
  researchMessages,
  researchSchema,
  supportSchema,
} from '../prompts/staffing.ts';
import type { AskedQuestion } from './ask-first.ts';

type Researched = FactOf<'question.researched'>;

/**
 * Researches unanswered questions in the repository, as many as the settings allow, and records
 * what was found. Does nothing if the run has no tools. First come, from edition 3 of the rules on, the
 * questions of seats for which no section of a document was found, and last the questions that are partly
 * answered. Within each group, the seats take turns, beginning with those for which the fewest questions were
 * answered.
 */
export async function researchQuestions(
  plan: PlanRun,
  asked: readonly AskedQuestion[],
): Promise<void> {
  const { run, config } = plan;
  const open = inTurn(asked, editionOf(config)).slice(0, config.researchers);
  if (run.tools.length === 0 || open.length === 0) return;
  const researched = await Promise.all(
    open.map((question, index) =>
      // From edition 3 of the rules on, the key of a research step contains the question's id, by which the console
      // finds the question to show in the step's column.
      researchOne(plan, `research/${editionOf(config) < 3 ? index + 1 : question.id}`, question),
    ),
  );
  await plan.record(
    'research/found',
    open.map(({ id }) => id),
    researched,
  );
}

async function researchOne(
  plan: PlanRun,
  key: string,
  { id, question: asked, missing: rest }: AskedQuestion,
): Promise<Researched> {
  const { topic, config } = plan;
  const question = rest === undefined ? asked : `${asked} What is missing: ${rest}`;
  const read: FileRead[] = [];
  const given = await plan.ask(
    key,
    {
      task: 'plan/research',
      seat: RESEARCHER,
      about: { items: [question] },
      messages: researchMessages(
        topic,
        question,
        config.seed,
        plan.run.tools.some(({ server }) => server !== undefined),
      ),
      schema: researchSchema,
      timeoutMs: TIME_LIMITS.research,
    },
    (step, request, { timeoutMs }) =>
      askWithTools(collectReads(plan.run, read), step, request, { timeoutMs }),
  );
  if ('why' in given)
    return fact('question.researched', { id, found: [], dropped: [], why: given.why });
  const placed = given.value.claims.map(({ text, quotation: given }) => {
    // Remove line numbers from the quotation: the researcher sees files with line numbers and may copy them.
    const quotation = given.replace(/^\s*\d+: /gm, '');
    return { text, quotation, place: findIn(read, quotation) };
  });
  const standing = placed.flatMap(({ text, quotation, place }) =>
    place === undefined ? [] : [{ text, quotation, place }],
  );
  const missing = await lookForAbsent(plan, key, given.value.absent);
  const nowhere = missing.filter(({ why }) => why === undefined);
  const carried = await readAgain(plan, `${key}/carried`, [
    ...standing,
    ...nowhere.map(({ text, pattern, paths }) => ({
      text,
      place: 'found by a search',
      quotation: `The text ${JSON.stringify(pattern)} stands nowhere in ${paths.filter(Boolean).join(', ') || 'the whole repository'}.`,
    })),
  ]);
  const ofAbsent = carried.slice(standing.length);
  return fact('question.researched', {
    id,
    found: standing.filter((_, index) => carried[index] === undefined),
    absent: nowhere.flatMap(({ text, pattern, paths }, index) =>
      ofAbsent[index] === undefined ? [{ text, pattern, paths }] : [],
    ),
    dropped: [
      ...placed.flatMap(({ text, place }) =>
        place === undefined ? [{ text, why: 'its quotation stands in no file that was read' }] : [],
      ),
      ...[...standing, ...nowhere].flatMap(({ text }, index) => {
        const why = carried[index];
        return why === undefined ? [] : [{ text, why }];
      }),
      ...missing.flatMap(({ text, why }) => (why === undefined ? [] : [{ text, why }])),
    ],
  });
}

interface FileRead {
  /** The file's path, or the id of a tool server's answer; `source` then names the server. */
  readonly path: string;
  readonly source?: string;
  readonly text: string;
  /** The number of the text's first line. */
  readonly from: number;
  /** The pages, slides or sheets by which lines are cited; undefined for plain text. */
  readonly parts?: readonly Part[] | undefined;
}

/**
 * Wraps the run so that all files read by tools are collected in `read`, because quotations may come only
 * from what the seat was shown.
 */
function collectReads(run: PlanRun['run'], read: FileRead[]): PlanRun['run'] {
  return {
    ...run,
    callTool: async (key, seat, call, offered) => {
      const result = await run.callTool(key, seat, call, offered);
      const path = call.name === 'read' ? pathIn(call.arguments) : undefined;
      if (path !== undefined && !result.refused) read.push({ path, ...result });
      const { id, fetched } = result;
      if (id !== undefined && fetched !== undefined)
        read.push({ path: id, source: ` (${formatFetched(fetched)})`, ...result });
      return result;
    },
  };
}

const givenSchema = z.looseObject({ path: z.string() });

function pathIn(given: unknown): string | undefined {
  const path = givenSchema.safeParse(given).data?.path;
  return path === undefined ? undefined : plainPath(path);
}

/** Removes `./` before a path and `/` behind it. An absolute path stays absolute. */
function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}

function findIn(read: readonly FileRead[], quotation: string): string | undefined {
  for (const { path, source = '', text, from: start, parts } of read) {
    const lines = linesOfQuotation(quotation, { text });
    if (lines === undefined) continue;
    const [from, to] = [lines[0] + start - 1, lines[1] + start - 1];
    const cited = parts === undefined ? {} : { lines: rangeLabel(from, to, parts) };
    return `${formatLinesPlace({ path, from, to, ...cited })}${source}`;
  }
  return undefined;
}

type Absent = {
  readonly text: string;
  readonly pattern: string;
  readonly paths: readonly string[];
};

/**
 * Searches for what a researcher calls absent. Returns each claim, with `why` if it is refused because the
 * text was found or the path does not exist.
 */
async function lookForAbsent(
  plan: PlanRun,
  key: string,
  absent: readonly Absent[],
): Promise<(Absent & { readonly why?: string })[]> {
  const plain = absent.map((claim) => ({ ...claim, paths: claim.paths.map(plainPath) }));
  const named = [...new Set(plain.flatMap(({ paths }) => paths.filter((path) => path !== '')))];
  const there = await findExistingFiles(plan, `${key}/absent`, named, { folders: true });
  const checked = [];
  for (const [index, { text, pattern, paths }] of plain.entries()) {
    const below = paths.length === 0 ? [''] : paths;
    const claim = { text, pattern, paths: below };
    const nowhere = paths.find((path) => path !== '' && !there.has(path));
    // Refuse the claim if one of its paths is missing: a search in a missing path finds nothing, which proves
    // nothing.
    let why = nowhere === undefined ? undefined : `there is no ${nowhere}`;
    if (why !== undefined) {
      checked.push({ ...claim, why });
      continue;
    }
    for (const [at, path] of below.entries()) {
      const step = `${key}/absent-${index + 1}-${at + 1}`;
      const call = { name: 'grep', arguments: { pattern, ...(path === '' ? {} : { path }) } };
      const { text: hits, refused } = await plan.run.callTool(step, RESEARCHER, call);
      if (refused) why ??= `it could not be searched for: ${hits}`;
      else if (hits.trim() !== '') why ??= `"${pattern}" stands at ${hits.split('\n', 1)[0]}`;
    }
    checked.push(why === undefined ? claim : { ...claim, why });
  }
  return checked;
}

interface Pair {
  readonly text: string;
  readonly quotation: string;
  readonly place: string;
}

/**
 * Asks a second reader whether each quotation carries its claim. Returns, for each pair, why it is dropped;
 * undefined if it stays.
 */
async function readAgain(
  plan: PlanRun,
  key: string,
  pairs: readonly Pair[],
): Promise<(string | undefined)[]> {
  if (pairs.length === 0) return [];
  const { config, topic } = plan;
  const mixed = shuffleItems(
    [...pairs.map((pair, index) => ({ pair, index })), { pair: CONTROL, index: -1 }],
    config.seed,
    key,
  );
  const asked = await plan.ask(key, {
    task: 'plan/carries',
    seat: CHAIR,
    about: {
      heard: mixed.map(({ pair }, at) => ({ from: String(at + 1), text: pair.text })),
      items: mixed.map(({ pair }) => pair.quotation),
    },
    messages: carriesMessages(
      topic,
      mixed.map(({ pair }) => pair),
      config.seed,
    ),
    schema: supportSchema,
  });
  if ('why' in asked) return pairs.map(() => `nobody read it again: ${asked.why}`);
  const verdicts = new Map(asked.value.verdicts.map((verdict) => [verdict.number, verdict]));
  const control = mixed.findIndex(({ index }) => index === -1);
  if (verdicts.get(control + 1)?.carries !== false)
    return pairs.map(() => 'whoever read it again agreed to a sentence that its quotation denies');
  return pairs.map((_, wanted) => {
    const verdict = verdicts.get(mixed.findIndex(({ index }) => index === wanted) + 1);
    if (verdict === undefined) return 'nobody said whether its quotation carries it';
    return verdict.carries ? undefined : verdict.why || 'its quotation does not carry it';
  });
}

/** A pair in which the quotation denies the sentence. A reader that accepts it is not trusted. */
const CONTROL: Pair = {
  text: 'Requests that fail are sent again until they succeed.',
  quotation: 'A request that fails is sent once more after a second, and then given up.',
  place: 'docs/requests.md#L12',
};

function inTurn(asked: readonly AskedQuestion[], edition: Edition): AskedQuestion[] {
  const isOfSeatWithoutDocuments = ({ seat }: AskedQuestion): boolean =>
    edition >= 3 &&
    asked.every((question) => question.seat !== seat || question.chunks.length === 0);
  const rankQuestion = (question: AskedQuestion): number => {
    const isPartlyAnswered = question.missing !== undefined;
    return isOfSeatWithoutDocuments(question) ? 0 : isPartlyAnswered ? 2 : 1;
  };
  const getNumber = ({ id }: AskedQuestion): number => Number(id.slice(id.lastIndexOf('?') + 1));
  const countKnown = ({ seat }: AskedQuestion): number =>
    asked.filter((question) => question.seat === seat && question.isKnown).length;
  return asked
    .filter(({ isKnown }) => !isKnown)
    .sort(
      (one, other) =>
        rankQuestion(one) - rankQuestion(other) ||
        getNumber(one) - getNumber(other) ||
        countKnown(one) - countKnown(other),
    );
}
