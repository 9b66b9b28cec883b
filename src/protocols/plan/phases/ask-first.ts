/**
 * Gaps are unanswered questions. Each role says what it has to know; a reader answers from the documents of
 * its clusters, and code looks the quotation up. What stays unanswered is researched, or stands as not known.
 */
import { linesOfQuotation } from '../../../text/quotation.ts';
import { CHAIR } from '../config.ts';
import { type Chunk, placeOfChunk, search, wholeCluster } from '../documents.ts';
import { type FactOf, fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import {
  lookUpMessages,
  lookUpSchema,
  QUESTIONS,
  questionsMessages,
  questionsSchema,
} from '../prompts/staffing.ts';

export interface Asked {
  /** `security?1` */
  readonly id: string;
  readonly seat: string;
  readonly question: string;
  /** What was found for it, the best first: what the seat is shown. */
  readonly chunks: readonly Chunk[];
  readonly isKnown: boolean;
}

/** All seats side by side. */
export async function askFirst(plan: PlanRun, seats: readonly string[]): Promise<Asked[]> {
  const all = await Promise.all(seats.map((seat) => askOne(plan, seat)));
  const asked = all.flat();
  await plan.record(
    'looked-up',
    asked.map(({ id }) => id),
    asked.map(({ told }) => told),
  );
  return asked;
}

async function askOne(
  plan: PlanRun,
  seat: string,
): Promise<(Asked & { told: FactOf<'question.looked-up'> })[]> {
  const { topic, config } = plan;
  const clusters = plan.clustersOf(seat);
  const given = await plan.ask(
    `ask/${seat}`,
    {
      task: 'plan/questions',
      about: { question: topic, items: clusters },
      seat: plan.seat(seat),
      messages: questionsMessages(topic, clusters, config.seed),
      schema: questionsSchema,
    },
    (value) => questionsSchema.safeParse(value).data,
  );
  const questions = 'why' in given ? [] : given.value.questions.slice(0, QUESTIONS);
  const small = await Promise.all(
    clusters.map((cluster, index) =>
      wholeCluster(plan, `ask/${seat}/cluster-${index + 1}`, cluster),
    ),
  );
  const found = [];
  for (const [index, { question }] of questions.entries()) {
    const id = `${seat}?${index + 1}`;
    const hits = await search(plan, `ask/${seat}/search-${index + 1}`, question, clusters);
    const chunks = unique([...hits, ...small.flat()]).filter(({ kind }) => kind !== 'card');
    const answer = await lookUp(plan, `ask/${seat}/read-${index + 1}`, question, chunks);
    const told = fact('question.looked-up', { seat, id, question, ...answer });
    found.push({ id, seat, question, chunks, isKnown: 'answer' in answer, told });
  }
  return found;
}

type LookedUp = Pick<FactOf<'question.looked-up'>, 'answer' | 'why'>;

async function lookUp(
  plan: PlanRun,
  key: string,
  question: string,
  chunks: readonly Chunk[],
): Promise<LookedUp> {
  if (chunks.length === 0) return { why: 'no document of its domain has a word of it' };
  const { topic, config } = plan;
  const pieces = chunks.map((chunk) => ({ place: placeOfChunk(chunk), text: chunk.text }));
  const schema = lookUpSchema(pieces.map(({ place }) => place));
  const read = await plan.ask(
    key,
    {
      task: 'plan/look-up',
      about: { question, items: pieces.map(({ place }) => place) },
      seat: plan.seat(CHAIR),
      messages: lookUpMessages(topic, question, pieces, config.seed),
      schema,
    },
    (value) => schema.safeParse(value).data,
  );
  if ('why' in read) return { why: `nobody looked: ${read.why}` };
  const { answered, place, quotation } = read.value;
  if (!answered) return { why: 'no document answers it' };
  const piece = pieces.find((one) => one.place === place);
  const stands = pieces.find((one) => linesOfQuotation(quotation, one) !== undefined);
  if (stands === undefined)
    return {
      why: piece === undefined ? 'the place does not exist' : 'the quotation stands nowhere',
    };
  return { answer: { place: stands.place, quotation } };
}

/** By place, the first of each. */
export function unique(chunks: readonly Chunk[]): Chunk[] {
  return [...new Map(chunks.map((one) => [placeOfChunk(one), one])).values()];
}
