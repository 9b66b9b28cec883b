/**
 * Asks the person a run's questions through the client. Stateless clients get the question as the result of
 * their call and call again with the answer; older ones are asked while they wait.
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
import { deadlineIn, type ToolCallContext } from './following.ts';
import type { RunStanding } from './standing.ts';

/** The result of an MCP tool: an answer, or a request for the person's input. */
export type Result = CallToolResult | InputRequiredResult;

/**
 * The MCP server through whose client the person can be asked. `era` is the generation of MCP that the client
 * speaks: a `legacy` client is asked in a request of its own. To a `modern` client the question is the
 * result of its call, and the answer comes with its next call.
 */
export interface Elicitor {
  readonly server: McpServer;
  readonly era: 'legacy' | 'modern';
}

/** The note on a result after the person has answered. */
export const ANSWERED = 'Answered.';
/** The note on a result if the person declined to answer. */
export const NO_ANSWER = 'The person gave no answer.';
/** The note on a result if the person answered a question that was no longer open. */
export const TOO_LATE = 'The answer came after the question was over: it was not passed on.';

/** Seconds to wait for an answer to take effect. */
const TAKES_S = 10;
/** A question with less time left is not asked; the next call asks it. */
const SHORTEST_MS = 5_000;
const QUESTION = 'gate';

const answerSchema = z.object({ choice: z.string() });
const declaresSchema = z.looseObject({
  elicitation: z
    .looseObject({ form: z.unknown().optional(), url: z.unknown().optional() })
    .optional(),
});

/**
 * Reads the person's answer that a `modern` client sends with its call, and passes the answer on to the
 * run. Returns a note for the call's result, such as `ANSWERED`; undefined if no answer came with the call.
 */
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
  // If this question is no longer open, ignore the answer: the run asks again if it still has to.
  if (gate === undefined || gate.step !== mcpReq.requestState()) return undefined;
  // Clients must not ask whether a run may exceed its budget.
  if (gate.step.startsWith(BUDGET_GATE)) return undefined;
  await leaveAnswer(store, run, { choice, by: 'person' });
  await waitUntilAnswered(store, run, gate.step);
  return ANSWERED;
}

/**
 * Asks the person, through the client, the question that the run is waiting for. For a `modern` client,
 * returns the question as the result of the call; for a `legacy` client, waits and returns the person's
 * choice, which is undefined if the person declined. Returns undefined if there is no question or the
 * client cannot ask.
 */
export async function askThroughClient(
  elicitor: Elicitor,
  { gate }: RunStanding,
  { context, until }: ToolCallContext,
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
    // Nobody answered in time, or the client cannot ask a person after all. The tool `answer` can
    // still be used.
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/** Clients that declare no mode of elicitation support forms. */
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
 * Waits until the run's log says that the question `gate` is answered, at most ten seconds. Also ends when no
 * process works on the run.
 */
export async function waitUntilAnswered(store: Store, run: string, gate: string): Promise<void> {
  const until = deadlineIn(TAKES_S);
  while (performance.now() < until && store.isOwned(run)) {
    if (findOpenGate(store, run)?.step !== gate) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Waits until the process that continues a run has recorded a fact after position `after`. Before
 * that, an earlier question of the run still seems open, and an answer to it would be refused.
 */
export async function waitUntilContinued(store: Store, run: string, after: number): Promise<void> {
  const until = deadlineIn(TAKES_S);
  while (performance.now() < until && (store.facts(run).at(-1)?.seq ?? 0) <= after)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
