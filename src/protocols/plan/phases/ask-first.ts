/**
 * Finds out what seats have to know. Each seat asks questions, a reader answers from the documents of the
 * seat's clusters, and code looks the quotation up. Unanswered questions are researched, or shown to the
 * seat as not known.
 */
import { linesOfQuotation } from '../../../text/words/quotation.ts';
import { CHAIR, editionOf } from '../config.ts';
import { type Chunk, placeOfChunk, SMALL_CLUSTER, searchDocuments } from '../documents.ts';
import { type FactOf, fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import {
  lookUpMessages,
  lookUpSchema,
  QUESTIONS,
  questionsMessages,
  questionsSchema,
} from '../prompts/staffing.ts';

/** A question that a seat asked before the first round, and what was found for it. */
export interface AskedQuestion {
  /** An id such as `security?1`. */
  readonly id: string;
  readonly seat: string;
  readonly question: string;
  /**
   * The sections found for the question, the best first, then the sections of small clusters. As far as there
   * is room, the seat is shown them later.
   */
  readonly chunks: readonly Chunk[];
  /** Whether the documents answer the question wholly. */
  readonly isKnown: boolean;
  /** What the answer leaves open, if the question is only partly answered. */
  readonly missing?: string | undefined;
}

/**
 * Asks all seats for their questions at the same time, and looks each question up in the documents. Records
 * and returns the questions with what was found.
 */
export async function askFirst(plan: PlanRun, seats: readonly string[]): Promise<AskedQuestion[]> {
  const all = (await Promise.all(seats.map((seat) => askOne(plan, seat)))).flat();
  await plan.record(
    'ask/answered',
    all.map(({ id }) => id),
    all.map(({ told }) => told),
  );
  return all;
}

async function askOne(
  plan: PlanRun,
  seat: string,
): Promise<(AskedQuestion & { told: FactOf<'question.looked-up'> })[]> {
  const { topic, config } = plan;
  const clusters = plan.clustersOf(seat);
  const given = await plan.ask(`ask/${seat}`, {
    task: 'plan/questions',
    seat,
    about: { items: clusters },
    isShownAttached: true,
    messages: questionsMessages(
      topic,
      config.cards.filter(({ name }) => clusters.includes(name)),
      config.seed,
    ),
    schema: questionsSchema,
  });
  const questions = 'why' in given ? [] : given.value.questions.slice(0, QUESTIONS);
  if (questions.length === 0) return [];
  const small = await searchDocuments(plan, `ask/${seat}/small`, { clusters, most: SMALL_CLUSTER });
  const found = [];
  for (const [index, { question }] of questions.entries()) {
    const id = `${seat}?${index + 1}`;
    const hits = await searchDocuments(plan, `ask/${seat}/search-${index + 1}`, {
      query: question,
      clusters,
    });
    const chunks = removeDuplicates([...hits, ...small]).filter(({ kind }) => kind !== 'card');
    const answer = await lookUp(plan, `ask/${seat}/read-${index + 1}`, question, chunks);
    const told = fact('question.looked-up', { seat, id, question, ...answer });
    const { missing } = answer;
    const isKnown = answer.answer !== undefined && missing === undefined;
    found.push({ id, seat, question, chunks, isKnown, missing, told });
  }
  return found;
}

type LookedUp = Pick<FactOf<'question.looked-up'>, 'answer' | 'why' | 'missing'>;

async function lookUp(
  plan: PlanRun,
  key: string,
  question: string,
  chunks: readonly Chunk[],
): Promise<LookedUp> {
  if (chunks.length === 0) return { why: 'its clusters have no document that says anything of it' };
  const { topic, config } = plan;
  const pieces = chunks.map((chunk) => ({
    place: placeOfChunk(chunk),
    heading: chunk.heading.join(' › '),
    text: chunk.text,
  }));
  const read = await plan.ask(key, {
    task: 'plan/look-up',
    seat: CHAIR,
    about: {
      items: [question],
      heard: pieces.map(({ place, text }) => ({ from: place, text })),
    },
    messages: lookUpMessages(topic, question, pieces, config.seed, editionOf(config)),
    schema: lookUpSchema(editionOf(config)),
  });
  if ('why' in read) return { why: `nobody looked: ${read.why}` };
  const { answered, quotation } = read.value;
  if (answered === false || answered === 'not') return { why: 'no document answers it' };
  const place = chunks.flatMap((chunk) => {
    const lines = linesOfQuotation(quotation, chunk);
    return lines === undefined ? [] : placeOfChunk(chunk);
  })[0];
  return place === undefined
    ? { why: 'what was quoted as its answer stands nowhere' }
    : { answer: { place, quotation }, ...(answered === 'partly' ? missingOf(read.value) : {}) };
}

function missingOf(read: { readonly missing?: string | undefined }): { missing: string } {
  return { missing: read.missing?.trim() || 'what else it asks' };
}

/** Removes sections of the same kind and place, keeping the first of each. */
export function removeDuplicates(chunks: readonly Chunk[]): Chunk[] {
  const found = new Map<string, Chunk>();
  for (const chunk of chunks) {
    const place = `${chunk.kind} ${placeOfChunk(chunk)}`;
    if (!found.has(place)) found.set(place, chunk);
  }
  return [...found.values()];
}
