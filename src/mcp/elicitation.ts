/**
 * What a run asks, put to the person through the client. Clients of the stateless era get the question as
 * the result of their call and call again with the answer; those of before are asked while they wait.
 */
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { findOpenGate, leaveAnswer } from '../app/run/intervene.ts';
import { BUDGET_GATE } from '../kernel/budget.ts';
import type { Store } from '../store/store.ts';
import { deadlineIn, type Moment } from './following.ts';
import type { Standing } from './standing.ts';

export type Result = CallToolResult | InputRequiredResult;

/** Whose client it is that asks. */
export interface Elicitor {
  readonly server: McpServer;
  readonly era: 'legacy' | 'modern';
}

export const ANSWERED = 'Answered.';
export const NO_ANSWER = 'The person gave no answer.';
export const TOO_LATE = 'The answer came after the question was over: it was not passed on.';

/** How long an answer is waited for to take effect. */
const TAKES_S = 10;
/** A question that could stand for less time is not put: the next call puts it. */
const SHORTEST_MS = 5_000;
const QUESTION = 'gate';

const answerSchema = z.object({ choice: z.string() });
const declaresSchema = z.looseObject({
  elicitation: z
    .looseObject({ form: z.unknown().optional(), url: z.unknown().optional() })
    .optional(),
});

/** The answer that a client of the stateless era brings, laid before the run; what to say of it. */
export async function takeElicited(
  { era }: Elicitor,
  store: Store,
  run: string,
  { mcpReq }: ServerContext,
): Promise<string | undefined> {
  if (era !== 'modern' || mcpReq.inputResponses === undefined) return undefined;
  const answered = inputResponse(mcpReq.inputResponses, QUESTION);
  if (answered.kind !== 'elicit') return undefined;
  const choice = acceptedContent(mcpReq.inputResponses, QUESTION, answerSchema)?.choice;
  if (choice === undefined) return NO_ANSWER;
  const gate = findOpenGate(store, run);
  // It came for a question that is over: the run goes on, and asks again what it still wants to know.
  if (gate === undefined || gate.step !== mcpReq.requestState()) return undefined;
  // Nobody was asked through a client whether a budget is lifted.
  if (gate.step.startsWith(BUDGET_GATE)) return undefined;
  await leaveAnswer(store, run, { choice, by: 'person' });
  await untilTaken(store, run, gate.step);
  return ANSWERED;
}

/** Undefined where nothing is asked, or nobody can be; else the question, or what came of it. */
export async function elicit(
  elicitor: Elicitor,
  { gate }: Standing,
  { context, until }: Moment,
): Promise<{ result: Result } | { choice: string | undefined } | undefined> {
  if (gate === undefined || !gate.answerable || !canElicit(elicitor, context)) return undefined;
  const form = {
    mode: 'form' as const,
    message: gate.prompt,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        choice: {
          type: 'string' as const,
          title: 'Answer',
          oneOf: gate.choices.map(({ choice, label }) => ({ const: choice, title: label })),
        },
      },
      required: ['choice'],
    },
  };
  if (elicitor.era === 'modern')
    return {
      result: inputRequired({
        inputRequests: { [QUESTION]: inputRequired.elicit(form) },
        requestState: gate.id,
      }),
    };
  const timeout = until - performance.now();
  if (timeout < SHORTEST_MS) return undefined;
  try {
    const { action, content } = await context.mcpReq.elicitInput(form, { timeout });
    const said = answerSchema.safeParse(content);
    return { choice: action === 'accept' ? said.data?.choice : undefined };
  } catch (error) {
    // Nobody answered in time, or the client cannot ask after all: `answer` is still there.
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/** Clients that say nothing of how they elicit mean forms. */
function canElicit({ server, era }: Elicitor, { mcpReq }: ServerContext): boolean {
  const declared =
    era === 'modern'
      ? mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY as keyof typeof mcpReq.envelope]
      : server.server.getClientCapabilities();
  const { elicitation } = declaresSchema.safeParse(declared).data ?? {};
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}

/**
 * Resolves when the answer to the gate is on record, or was not in time. Not yet when it has been fetched: for
 * a moment it is then neither before the run nor in its log, and the gate looks open.
 */
export async function untilTaken(store: Store, run: string, gate: string): Promise<void> {
  const until = deadlineIn(TAKES_S);
  while (performance.now() < until && store.isOwned(run)) {
    if (findOpenGate(store, run)?.step !== gate) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Until the process that goes on with a run has put something on record: the question that was open when
 * it rested is asked by nobody, and an answer to it would be refused.
 */
export async function untilGoneOn(store: Store, run: string, after: number): Promise<void> {
  const until = deadlineIn(TAKES_S);
  while (performance.now() < until && (store.facts(run).at(-1)?.seq ?? 0) <= after)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
