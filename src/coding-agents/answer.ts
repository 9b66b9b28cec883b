/** Carries out one call to an agent: opens a session, sends the prompt, and records the result. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import type { Env } from '../io/tools.ts';
import { type Message, NO_USAGE, type Usage } from '../kernel/model.ts';
import { estimatePrompt } from '../kernel/tokens.ts';
import type { Folder } from '../kernel/tools/tools.ts';
import { readCount } from '../models/counted.ts';
import { type Failure, ProviderFailure, STOPPED } from '../models/failure.ts';
import { IdleWatch } from '../models/idle.ts';
import type { Attempt, AttemptContext, ProviderRequest } from '../models/provider.ts';
import { untilAborted } from '../models/stream-guard.ts';
import { isRecord } from '../text/json.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { CodingAgent } from './agent.ts';
import { listChangesBetween, readState } from './changes.ts';
import {
  changedFilesFailure,
  changedMeanwhileNote,
  failureInAnswer,
  failureOf,
  silentFailure,
  turnEndFailure,
} from './failures.ts';
import type { AgentProcess } from './process.ts';
import { promptText, textOf } from './prompt.ts';
import { type AgentSession, openSession } from './session.ts';
import { Turn } from './turn.ts';

/** Milliseconds for an agent to stop when asked; it is then ended. */
const CANCEL_MS = 2_000;

/** A session whose agent has answered, kept open so that it can be asked to correct the answer. */
export interface AnsweredSession {
  readonly process: AgentProcess;
  readonly session: AgentSession;
  /** The messages that were sent. */
  readonly sent: readonly Message[];
  /** The agent's answer. */
  readonly text: string;
}

interface AnswerOptions {
  readonly agent: CodingAgent;
  readonly env: Env;
  readonly folders: readonly Folder[];
  /** Starts the process, or returns the one there is. @throws ProviderFailure */
  readonly process: () => Promise<AgentProcess>;
  /** The previous answer of the same seat. */
  readonly last: AnsweredSession | undefined;
  /** Stores the answer for a call that continues the session. */
  readonly keep: (answered: AnsweredSession) => void;
}

/**
 * Makes one attempt at a request: asks the agent and waits for its answer. Resolves to the result
 * whatever the agent does.
 */
export async function answer(
  request: ProviderRequest,
  context: AttemptContext,
  options: AnswerOptions,
): Promise<Attempt> {
  const { agent } = options;
  const { promise: isSilent, resolve: giveUp } = Promise.withResolvers<'silent'>();
  const idle = new IdleWatch(context.idleMs, () => giveUp('silent'));
  const call: Running = { notes: [], usage: NO_USAGE };
  try {
    const answering = runConversation(request, context, options, call, idle);
    // After a stop by the caller, do not wait for the agent's last output.
    const first = await Promise.race([answering, untilAborted(context.signal), isSilent]);
    if (first === undefined) return stopAgent(call, answering, STOPPED);
    if (first === 'silent') return stopAgent(call, answering, silentFailure(agent, context.idleMs));
    return first;
  } catch (error) {
    const failure = error instanceof ProviderFailure ? error.failure : failureOf(agent, error);
    return { ok: false, failure, usage: call.usage, notes: notesOf(call) };
  } finally {
    idle.stop();
  }
}

/** A call while it runs. */
interface Running {
  turn?: Turn;
  process?: AgentProcess;
  session?: AgentSession;
  notes: string[];
  usage: Usage;
}

/** Asks a call's agent to stop, and ends it if it does not. Does not wait for that. */
function stopAgent(call: Running, answering: Promise<Attempt>, failure: Failure): Attempt {
  const over = answering.then(
    () => true,
    () => true,
  );
  const { process, session } = call;
  if (process !== undefined)
    void (async () => {
      if (session !== undefined)
        await process.ask(({ agent }) => agent.notify('session/cancel', { sessionId: session.id }));
      // If a call has no session at its coding agent yet, it cannot be cancelled there. Then do not end the
      // agent's process, because other calls of the run may use it.
      const isOver = session === undefined || (await Promise.race([over, sleep(CANCEL_MS, false)]));
      if (!isOver) await process.endForAnother();
    })().catch(() => undefined);
  return { ok: false, failure, usage: call.usage, notes: notesOf(call) };
}

async function runConversation(
  request: ProviderRequest,
  context: AttemptContext,
  options: AnswerOptions,
  call: Running,
  idle: IdleWatch,
): Promise<Attempt> {
  const { agent, env, folders } = options;
  const goesOn = options.last !== undefined && continuesAnswer(options.last, request);
  const process = goesOn ? (options.last as AnsweredSession).process : await options.process();
  call.process = process;
  idle.touch();
  context.signal.throwIfAborted();
  const isConfined = process.sandbox !== 'none';
  if (!isConfined) call.notes.push(`${agent.title} ran without a sandbox`);
  const look = { env, signal: context.signal };
  const before = await readState(folders, isConfined, look);
  const session = goesOn
    ? (options.last as AnsweredSession).session
    : await openSession(process, agent, request, folders, context.idleMs);
  call.session = session;
  call.notes.push(...session.notes);
  const turn = new Turn(context, process.cwd, () => idle.touch());
  call.turn = turn;
  context.signal.throwIfAborted();
  idle.touch();
  const forget = process.follow(session.id, turn);
  const text = goesOn
    ? lastTurns(request.messages).map(textOf).join('\n\n')
    : promptText(request, folders);
  let ended: PromptResponse;
  try {
    ended = await process.ask(({ agent: other }) =>
      other.request('session/prompt', {
        sessionId: session.id,
        prompt: [{ type: 'text', text }],
      }),
    );
  } finally {
    forget();
    call.usage = estimateUsage(agent, request);
    // Look for changed files even if the call failed.
    const changed = listChangesBetween(before, await readState(folders, isConfined, look));
    if (changed.length > 0 && isConfined) call.notes.push(changedMeanwhileNote(changed));
    else if (changed.length > 0)
      // biome-ignore lint/correctness/noUnsafeFinally: files that changed are worse than any other failure
      throw new ProviderFailure(changedFilesFailure(agent, changed));
  }
  call.usage = usageOf(ended.usage ?? turn.usage) ?? call.usage;
  const { served } = session;
  const about = {
    usage: call.usage,
    notes: notesOf(call),
    ...withoutUndefined({ served }),
  };
  const failure =
    turn.fault === undefined
      ? (turnEndFailure(agent, ended.stopReason) ?? failureInAnswer(agent, turn.text))
      : failureOf(agent, new Error(turn.fault));
  if (failure !== undefined) return { ...about, ok: false, failure };
  options.keep({ process, session, sent: request.messages, text: turn.text });
  return { ...about, ok: true };
}

function notesOf({ notes, turn }: Running): string[] {
  return [...notes, ...(turn?.notes() ?? [])];
}

/**
 * Returns whether a request continues a seat's last answer: it contains what was sent, that answer, and
 * more.
 */
function continuesAnswer(
  { process, sent, text }: AnsweredSession,
  { messages }: ProviderRequest,
): boolean {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const own = messages[at];
  if (process.isOver || own === undefined || at > sent.length) return false;
  const isSame = messages.slice(0, at).every((message, index) => {
    const earlier = sent[index];
    return (
      earlier !== undefined && earlier.role === message.role && textOf(earlier) === textOf(message)
    );
  });
  // Compare the agent's last answer with its quotation in the request by the first 200 characters: a long answer
  // is quoted without its middle.
  return isSame && text.trim().slice(0, 200) === textOf(own).trim().slice(0, 200);
}

function lastTurns(messages: readonly Message[]): readonly Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/**
 * Parses the agent's token counts: some include cached tokens in the input, others list them separately.
 */
function usageOf(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = readCount(usage.inputTokens);
  const output = readCount(usage.outputTokens);
  if (input + output === 0) return undefined;
  const cached = readCount(usage.cachedReadTokens);
  const cacheWritten = readCount(usage.cachedWriteTokens);
  const thinking = readCount(usage.thoughtTokens);
  const isBeside = readCount(usage.totalTokens) >= input + output + cached + cacheWritten;
  return {
    input: isBeside ? input + cached + cacheWritten : input,
    output,
    cached,
    cacheWritten,
    thinking: Math.min(thinking, output),
  };
}

/**
 * Estimates the prompt's tokens if the agent does not report them; the answer is estimated from its text.
 */
function estimateUsage(
  { promptTokens }: CodingAgent,
  { system, messages }: ProviderRequest,
): Usage {
  return { ...NO_USAGE, input: promptTokens + estimatePrompt(system, messages), estimated: true };
}
