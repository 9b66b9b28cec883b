/**
 * What no document tells is looked up in the repository, by a seat that may only read. Code looks every
 * quotation up; a second reading, which sees sentence and quotation alone and holds a control it must
 * pass, drops what its quotation does not carry. What is left stands in prompts as unconfirmed.
 */

import { shuffle } from '../../../kernel/chance.ts';
import { findQuotation, type Source } from '../../../kernel/sources.ts';
import { askWithTools } from '../../common/ask-with-tools.ts';
import { CHAIR, RESEARCHER, TIME_LIMITS } from '../config.ts';
import { type FactOf, fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import {
  carriesMessages,
  carriesSchema,
  researchMessages,
  researchSchema,
} from '../prompts/staffing.ts';
import type { Asked } from './ask-first.ts';

type Researched = FactOf<'question.researched'>;

/** The first open questions of each seat in turn, as many as there are researchers; the rest is not known. */
export async function research(plan: PlanRun, asked: readonly Asked[]): Promise<Researched[]> {
  const { run, config } = plan;
  const open = inTurn(asked.filter(({ isKnown }) => !isKnown)).slice(0, config.researchers);
  if (run.tools.length === 0 || open.length === 0) return [];
  const researched = await Promise.all(
    open.map((one, index) => researchOne(plan, `research/${index + 1}`, one)),
  );
  await plan.record(
    'researched',
    open.map(({ id }) => id),
    researched,
  );
  return researched;
}

async function researchOne(
  plan: PlanRun,
  key: string,
  { id, question }: Asked,
): Promise<Researched> {
  const { run, topic, config } = plan;
  const sources: Source[] = [];
  const given = await plan.ask(
    key,
    {
      task: 'plan/research',
      about: { question },
      seat: plan.seat(RESEARCHER),
      messages: researchMessages(topic, question, config.seed),
      schema: researchSchema,
    },
    (value) => researchSchema.safeParse(value).data,
    { timeoutMs: TIME_LIMITS.research },
    (step, request, { timeoutMs }) =>
      askWithTools(watching(run, sources), step, request, { timeoutMs }),
  );
  if ('why' in given)
    return fact('question.researched', { id, found: [], dropped: [], why: given.why });
  const { claims } = given.value;
  const placed = claims.map((claim) => ({ ...claim, at: findQuotation(claim.quotation, sources) }));
  const standing = placed.flatMap(({ text, quotation, at }) =>
    at === undefined ? [] : [{ text, quotation, place: at }],
  );
  const carried = await readAgain(plan, `${key}/carried`, standing);
  return fact('question.researched', {
    id,
    found: standing.filter((_, index) => carried[index] === undefined),
    dropped: [
      ...placed.flatMap(({ text, at }) =>
        at === undefined ? [{ text, why: 'its quotation stands in nothing that was read' }] : [],
      ),
      ...standing.flatMap(({ text }, index) => {
        const why = carried[index];
        return why === undefined ? [] : [{ text, why }];
      }),
    ],
  });
}

/** The run, with what its tools find kept aside: quotations are looked up in what the seat was shown. */
function watching(run: PlanRun['run'], sources: Source[]): PlanRun['run'] {
  return {
    ...run,
    callTool: async (key, seat, call) => {
      const result = await run.callTool(key, seat, call);
      const { id, about, text, from } = result;
      if (id !== undefined) sources.push({ id, seat, tool: call.name, about, text, from });
      return result;
    },
  };
}

interface Pair {
  readonly text: string;
  readonly quotation: string;
}

/** For each pair why it is dropped; undefined where its quotation carries it. */
async function readAgain(
  plan: PlanRun,
  key: string,
  pairs: readonly Pair[],
): Promise<(string | undefined)[]> {
  if (pairs.length === 0) return [];
  const { config, topic } = plan;
  const mixed = shuffle(
    [...pairs.map((pair, index) => ({ pair, index })), { pair: CONTROL, index: -1 }],
    config.seed,
    key,
  );
  const asked = await plan.ask(
    key,
    {
      task: 'plan/carries',
      about: { question: topic, items: mixed.map((_, at) => String(at + 1)) },
      seat: plan.seat(CHAIR),
      messages: carriesMessages(
        topic,
        mixed.map(({ pair }) => pair),
        config.seed,
      ),
      schema: carriesSchema,
    },
    (value) => carriesSchema.safeParse(value).data,
  );
  if ('why' in asked) return pairs.map(() => `nobody read it again: ${asked.why}`);
  const verdicts = new Map(asked.value.verdicts.map((one) => [one.number, one]));
  const control = mixed.findIndex(({ index }) => index === -1);
  if (verdicts.get(control + 1)?.carries !== false)
    return pairs.map(() => 'whoever read it again agreed to a sentence that its quotation denies');
  return pairs.map((_, wanted) => {
    const verdict = verdicts.get(mixed.findIndex(({ index }) => index === wanted) + 1);
    if (verdict === undefined) return 'nobody said whether its quotation carries it';
    return verdict.carries ? undefined : verdict.why || 'its quotation does not carry it';
  });
}

/** A pair of the program's own in which the quotation denies the sentence: who agrees to it reads nothing. */
const CONTROL: Pair = {
  text: 'Requests that fail are sent again until they succeed.',
  quotation: 'A request that fails is sent once more after a second, and then given up.',
};

function inTurn(asked: readonly Asked[]): Asked[] {
  const number = ({ id }: Asked): number => Number(id.slice(id.lastIndexOf('?') + 1));
  return [...asked].sort((one, other) => number(one) - number(other));
}
