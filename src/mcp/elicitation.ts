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

/** The note on the result of an MCP tool after an answer to the run's question was passed on to the run. */
export const ANSWERED = 'Answered.';
/** The note on the result of an MCP tool if the person declined to answer the run's question. */
export const NO_ANSWER = 'The person gave no answer.';
/**
 * The note on the result of an MCP tool if the person, asked through a `legacy` client, answered a question of the
 * run that was no longer open. Such an answer is not passed on to the run.
 */
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
 * run. Returns a note for the call's result: `ANSWERED`, or `NO_ANSWER` if the person declined. Returns
 * undefined if no answer came with the call, or if the answer is ignored: its question is no longer open,
 * or is whether the run may exceed its budget.
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
  // Ignore the answer if its question is no longer open: the run asks again if it still has to.
  if (gate === undefined || gate.step !== mcpReq.requestState()) return undefined;
  // Ignore an answer on whether the run may exceed its budget: only a person at the terminal may allow that,
  // and an MCP client could answer without asking anybody.
  if (gate.step.startsWith(BUDGET_GATE)) return undefined;
  await leaveAnswer(store, run, { choice, by: 'person' });
  await waitUntilAnswered(store, run, gate.step);
  return ANSWERED;
}

/**
 * Asks the person, through the client, the question that the run is waiting for.
 *
 * @returns for a `modern` client, in `result`, the question as the result of the call. For a `legacy`
 * client, in `choice`, the person's answer; its value is undefined if the person declined. Undefined if
 * there is no question, only a person at the terminal may answer it, the client cannot ask, nobody answered in
 * time, or too little time is left.
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
    // Nobody answered in time, or the client cannot ask a person after all. The question stays open for
    // the tool `answer`.
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
 * Waits until the process that continues a run has recorded a fact after position `after`, at most ten
 * seconds. Before that fact, a question to a person that was asked before the run was continued still
 * seems open, but an answer to it would be refused.
 */
export async function waitUntilContinued(store: Store, run: string, after: number): Promise<void> {
  const until = deadlineIn(TAKES_S);
  while (performance.now() < until && (store.facts(run).at(-1)?.seq ?? 0) <= after)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
