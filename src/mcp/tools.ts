/** The seven tools in a fixed order: their arguments, descriptions and implementations. */
import type { McpServer, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Invocation } from '../app/invocation.ts';
import { findOpenGate, leaveAnswer, stopRun } from '../app/run/intervene.ts';
import { withStore } from '../app/store.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import type { Store } from '../store/store.ts';
import { toLine } from '../text/line.ts';
import { formatCount } from '../text/numbers.ts';
import { truncateLine } from '../text/width.ts';
import type { BegunRun, Convening } from './convening.ts';
import {
  ANSWERED,
  askThroughClient,
  type Elicitor,
  NO_ANSWER,
  type Result,
  TOO_LATE,
  takeElicited,
  waitUntilAnswered,
  waitUntilContinued,
} from './elicitation.ts';
import {
  deadlineIn,
  LONGEST_S,
  makeCallContext,
  reportFacts,
  type ToolCallContext,
  waitFor,
} from './following.ts';
import { PARTS, partPage, standingText } from './reading.ts';
import { SHOWN } from './report-view.ts';
import { linksTo } from './resources.ts';
import { type KnownRun, readRun, standingSchema } from './standing.ts';
import { budgetSchema, questionSchema } from './wish.ts';

/** Seconds to wait for a stop or an answer to take effect. */
const TAKES_S = 10;
const MOST_LISTED = 50;

const runSchema = z.string().min(1).max(64).describe('Id of a run, its beginning, or "latest"');
const waitSchema = z
  .number()
  .min(0)
  .max(LONGEST_S)
  .default(45)
  .describe('Seconds to wait for the end of the run or a question of it');

/** What the tools of one connection share. */
interface Connection extends Elicitor {
  readonly call: Invocation;
  readonly convening: Convening;
  readonly server: McpServer;
  /** Removes keys from every answer. */
  readonly conceal: (text: string) => string;
  /** Formats an error for a coding agent. */
  readonly explain: (error: unknown) => string;
}

/** Registers the seven tools of the MCP server, such as `convene` and `wait`, for one connection. */
export function registerTools(connection: Connection): void {
  const { call, convening, conceal } = connection;
  addTool(connection, 'convene', {
    title: 'Convene a panel',
    description:
      'Ask a panel of models to deliberate a decision: design choices, reviews, plans with trade-offs. Costs money; works in the background and outlives this call. Put all context into the question, or attach files. Answers with the recommendation if it is ready in time, else with where it stands: then call wait.',
    inputSchema: convening.wishSchema.extend({ wait_seconds: waitSchema }),
    outputSchema: standingSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    _meta: SHOWN,
    work: async ({ wait_seconds, ...wish }, moment) =>
      awaitStartedRun(connection, moment, wait_seconds, convening.convene(wish, moment.caller)),
  });
  addTool(connection, 'wait', {
    title: 'Wait for a run',
    description:
      'Where a run stands: status, seats that answered, cost, what to call next; the synthesis once there is one. Waits for its end or a question of it. Cancelling ends the waiting, not the run. resume goes on with a run that was stopped or interrupted.',
    inputSchema: z.object({
      run: runSchema,
      since: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('The number of this name in an earlier answer: what happened after it is told'),
      wait_seconds: waitSchema,
      resume: z.boolean().optional().describe('Go on with it; what is recorded is not paid again'),
      budget: budgetSchema.optional().describe('With resume: another budget, below the limits'),
    }),
    outputSchema: standingSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    _meta: SHOWN,
    work: async ({ run: ref, since, wait_seconds, resume, budget }, moment) => {
      const run = await withStore(call, (store) => store.find(ref));
      if (resume)
        return awaitStartedRun(
          connection,
          moment,
          wait_seconds,
          convening.resume(run, budget, moment.caller),
          false,
        );
      return withStore(call, async (store) => {
        const given = await takeElicited(connection, store, run, moment.context);
        const notes = given === undefined ? [] : [given];
        for (;;) {
          const known = await waitAndReport(connection, store, run, moment, wait_seconds);
          const hasDeclined = given === NO_ANSWER;
          const elicited = hasDeclined
            ? undefined
            : await askThroughClient(connection, known.standing, moment);
          if (elicited === undefined) return answerOf(known, notes, since);
          if ('result' in elicited) return elicited.result;
          if (elicited.choice === undefined) return answerOf(known, [NO_ANSWER], since);
          const step = known.standing.gate?.id ?? '';
          // Drop the person's answer if the question was answered elsewhere meanwhile: the run may have asked
          // another question, which this answer does not fit.
          if (findOpenGate(store, run)?.step !== step) {
            notes.splice(0, 1, TOO_LATE);
            continue;
          }
          await leaveAnswer(store, run, { choice: elicited.choice, by: 'person', step });
          await waitUntilAnswered(store, run, step);
          notes.splice(0, 1, ANSWERED);
        }
      });
    },
  });
  addTool(connection, 'answer', {
    title: "Answer a run's question",
    description:
      'Answer what a waiting run asks, with one of its choices. gate is gate.id in the answer of convene or wait. Answer by what the user wants; ask the user where you do not know. A budget can be lifted by a person in a terminal only.',
    inputSchema: z.object({
      run: runSchema,
      gate: z.string().min(1).max(200).describe('gate.id of the waiting run'),
      choice: z.string().min(1).max(200).describe('One of gate.choices'),
    }),
    outputSchema: standingSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    work: ({ run: ref, gate, choice }) =>
      withStore(call, async (store) => {
        const run = store.find(ref);
        await leaveAnswer(store, run, { choice, by: 'program', step: gate });
        await waitUntilAnswered(store, run, gate);
        return answerOf(await readRun(store, run, conceal), [ANSWERED]);
      }),
  });
  addTool(connection, 'stop', {
    title: 'Stop a run',
    description:
      'Stop a run that is at work. What was said and paid is kept, and the run can go on later with wait and resume.',
    inputSchema: z.object({ run: runSchema }),
    outputSchema: standingSchema,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    work: ({ run: ref }, moment) =>
      withStore(call, async (store) => {
        const run = store.find(ref);
        if (!(await stopRun(store, run, 'program')))
          return answerOf(await readRun(store, run, conceal), ['It was not at work.']);
        const known = await readRun(store, run, conceal);
        const { signal } = moment.context.mcpReq;
        const until = deadlineIn(TAKES_S);
        await waitFor({ store, run, ...known }, { until, signal, progress: moment.progress });
        return answerOf(await readRun(store, run, conceal), ['Stopped.']);
      }),
  });
  addTool(connection, 'inspect', {
    title: 'Read a part of a run',
    description:
      'Read one part of a run, in pages: synthesis, seat (what one seat said; without a name, who sits there), vote, dissent or cost; of kind rounds also claims (what was confirmed or refuted, and how that is known) and signals (why it stopped or goes on).',
    inputSchema: z.object({
      run: runSchema,
      part: z.enum(PARTS),
      seat: z.string().max(200).optional().describe('part seat: id or title of the seat'),
      page: z.number().int().min(1).default(1),
    }),
    outputSchema: z.object({
      run: z.string(),
      part: z.enum(PARTS),
      page: z.number(),
      pages: z.number(),
    }),
    annotations: READS,
    work: ({ run: ref, part, seat, page: wanted }) =>
      withStore(call, async (store) => {
        const run = store.find(ref);
        const {
          text,
          page,
          of: pages,
        } = partPage(await readRun(store, run, conceal), part, seat, wanted);
        return {
          content: [{ type: 'text', text }],
          structuredContent: { run, part, page, pages },
          ...(pages === 0 || page > pages ? { isError: true } : {}),
        };
      }),
  });
  addTool(connection, 'ask', {
    title: 'Ask a further question',
    description:
      'Put a further question to the same seats of a board, which know what was said. Costs about as much as the board did. Answers as convene does.',
    inputSchema: z.object({
      run: runSchema,
      question: questionSchema.describe(
        'The further question; the seats know the first one and what they said',
      ),
      budget: budgetSchema.optional().describe("Of the whole run; below the person's own limits"),
      wait_seconds: waitSchema,
    }),
    outputSchema: standingSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    _meta: SHOWN,
    work: async ({ run: ref, question, budget, wait_seconds }, moment) => {
      const run = await withStore(call, (store) => store.find(ref));
      return awaitStartedRun(
        connection,
        moment,
        wait_seconds,
        convening.ask(run, question, budget, moment.caller),
        false,
      );
    },
  });
  addTool(connection, 'list', {
    title: 'List runs',
    description:
      'List runs on this machine, newest first, also those of other agents and of the person; search finds words in questions and answers. Call it to find a run whose id you lost.',
    inputSchema: z.object({
      search: z.string().max(500).optional(),
      limit: z.number().int().min(1).max(MOST_LISTED).default(10),
    }),
    outputSchema: z.object({
      runs: z.array(
        z.object({
          run: z.string(),
          kind: z.string(),
          status: z.string(),
          startedAt: z.string(),
          question: z.string(),
        }),
      ),
    }),
    annotations: READS,
    work: ({ search, limit }) =>
      withStore(call, (store) => {
        const runs = store.list({ search, limit }).map((run) => ({
          run: run.id,
          kind: toLine(run.protocol),
          status: run.status,
          startedAt: run.startedAt,
          question: truncateLine(toLine(conceal(run.question)), 100),
        }));
        const rows = runs.map(
          ({ run, kind, status, startedAt, question }) =>
            `${shortId(run)}  ${startedAt.slice(0, 16).replace('T', ' ')}  ${kind}  ${status}  ${question}`,
        );
        return {
          content: [{ type: 'text', text: [formatCount(runs.length, 'run'), ...rows].join('\n') }],
          structuredContent: { runs },
        };
      }),
  });
}

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

interface ToolOf<In extends z.ZodObject, Out extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: In;
  readonly outputSchema: Out;
  readonly annotations: ToolAnnotations;
  readonly _meta?: Record<string, unknown>;
  readonly work: (given: z.output<In>, moment: ToolCallContext) => Promise<Result>;
}

function addTool<In extends z.ZodObject, Out extends z.ZodObject>(
  { server, conceal, explain }: Connection,
  name: string,
  { work, ...about }: ToolOf<In, Out>,
): void {
  const runTool = async (given: unknown, context: ServerContext): Promise<Result> => {
    const moment = makeCallContext(context);
    try {
      const result = await work(about.inputSchema.parse(given), moment);
      return JSON.parse(conceal(JSON.stringify(result))) as Result;
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: conceal(explain(error)) }] };
    }
  };
  server.registerTool<z.ZodObject, z.ZodObject>(name, about, runTool);
}

/** Waits for a started run, as long as the caller may still be waiting. */
async function awaitStartedRun(
  connection: Connection,
  moment: ToolCallContext,
  seconds: number,
  beginning: Promise<BegunRun>,
  isNew = true,
): Promise<Result> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), Math.max(0, moment.until - performance.now())).unref();
  });
  const found = await Promise.race([beginning, late]);
  if (found === undefined)
    throw new DeliberateError(
      'still-beginning',
      'the run is still being started',
      'Call again with the same arguments: nothing is begun twice.',
    );
  return withStore(connection.call, async (store) => {
    if (found.after !== undefined) await waitUntilContinued(store, found.run, found.after);
    const known = await waitAndReport(connection, store, found.run, moment, seconds, isNew);
    return answerOf(known, found.notes);
  });
}

async function waitAndReport(
  { conceal }: Connection,
  store: Store,
  run: string,
  { context, progress, began, until }: ToolCallContext,
  seconds: number,
  isNew = false,
): Promise<KnownRun> {
  const known = await readRun(store, run, conceal);
  // If this tool call started the run, none of the run's facts have been reported yet, so report them all.
  if (isNew) reportFacts(known, progress);
  if (!['running', 'queued'].includes(known.standing.status)) return known;
  const { signal } = context.mcpReq;
  const enough = Math.min(until, began + seconds * 1000);
  await waitFor({ store, run, ...known }, { until: enough, signal, progress });
  return readRun(store, run, conceal);
}

function answerOf(known: KnownRun, notes: readonly string[], since?: number): Result {
  return {
    content: [
      { type: 'text', text: standingText(known, notes, since) },
      ...linksTo(known.standing),
    ],
    structuredContent: { ...known.standing },
  };
}
