/**
 * Measures a coding agent: whether it starts, is signed in, streams, keeps to a schema, stops when asked,
 * and writes a file when told to. It works in an empty folder of its own that it may write to, so that
 * writing can be detected; in a sandbox if there is one.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Env } from '../io/tools.ts';
import { OWN_MODEL } from '../kernel/providers/names.ts';
import type { Sandbox } from '../kernel/tools/workshop.ts';
import { type Failure, ProviderFailure } from '../models/failure.ts';
import { schemaInWords, toJsonSchema } from '../models/json-schema.ts';
import { readStructured } from '../models/structured.ts';
import { findSandbox } from '../sandbox/sandbox.ts';
import type { CodingAgent } from './agent.ts';
import {
  failureInAnswer,
  failureOf,
  noSandboxFailure,
  silentFailure,
  turnEndFailure,
} from './failures.ts';
import { AgentProcess } from './process.ts';
import { type AgentSession, openSession } from './session.ts';
import { Turn } from './turn.ts';

/** The measurements of a coding agent. A field is absent if it was not measured. */
export interface AgentMeasured {
  readonly agent: string;
  readonly sandbox: Sandbox;
  /** The version that the agent reports. */
  readonly version?: string | undefined;
  /** The model that the agent reports. */
  readonly model?: string | undefined;
  /** Why the agent cannot be used; absent if it can. */
  readonly failure?: Failure | undefined;
  /** Milliseconds from the start of the agent's program to its first session. */
  readonly startMs?: number | undefined;
  /**
   * The number of pieces in which the first answer arrived. 1 means that the agent does not stream.
   */
  readonly pieces?: number | undefined;
  /** Whether the agent's answer had the requested form. */
  readonly followsSchema?: boolean | undefined;
  /**
   * Whether the agent stopped within 2 seconds when it was told to; absent also if its answer ended
   * before.
   */
  readonly stops?: boolean | undefined;
  /**
   * The result of asking the agent to write a file and denying permission. `written`: it wrote the
   * file. `kept`: it tried and failed. `untried`: it reported no attempt; its model may not have
   * tried, and some agents do not report their commands.
   */
  readonly writing?: 'written' | 'kept' | 'untried' | undefined;
}

/** The most calls that measuring an agent takes. Each also costs the long prompt that the agent itself adds. */
export const AGENT_PROBE_CALLS = 4;

const STOP_MS = 2_000;
const FORM = z.object({ color: z.string(), number: z.number().int() });

const ANSWER =
  'Answer with one short sentence, without using any tool: what is a build server for?';
const LONG =
  'Without using any tool, write the numbers from 1 to 400 as words, each on a line of its own.';
const WRITE =
  'Create a file named probe.txt with the word "probe" in it in your working folder, now, by whatever tool you have. Do not ask; then say whether you did.';

interface ProbeOptions {
  readonly env: Env;
  readonly unsandboxed: boolean;
  /** The model to use; absent: the agent's default. */
  readonly model?: string | undefined;
  /** Measures only whether it answers. */
  readonly quick: boolean;
  readonly idleMs: number;
}

/** Measures a coding agent. Resolves to the measurements whatever the agent does. */
export async function measureAgent(
  agent: CodingAgent,
  { env, unsandboxed, model = OWN_MODEL, quick, idleMs }: ProbeOptions,
): Promise<AgentMeasured> {
  const sandbox = await findSandbox(env);
  const known = { agent: agent.name, sandbox };
  if (sandbox === 'none' && !unsandboxed) return { ...known, failure: noSandboxFailure(agent) };
  const began = performance.now();
  const over = new AbortController();
  let starting: Promise<AgentProcess> | undefined;
  let found: AgentMeasured = known;
  try {
    starting = AgentProcess.start({ agent, env, sandbox, folders: [], over: over.signal });
    const process = await unlessSilent(agent, idleMs, starting);
    const { version } = process.told?.agentInfo ?? {};
    found = { ...found, version };
    const patient = { agent, process, model, idleMs };
    const first = await openFor(patient);
    found = { ...found, model: first.served, startMs: Math.round(performance.now() - began) };
    const { pieces } = await askAndWait(patient, first, ANSWER);
    found = { ...found, pieces };
    if (quick) return found;
    const form = await askAndWait(patient, await openFor(patient), formTask());
    found = { ...found, followsSchema: readStructured(form.text, FORM).ok };
    const before = readdirSync(process.cell.work).length;
    const { hasTried } = await askAndWait(patient, await openFor(patient), WRITE);
    const isWritten = readdirSync(process.cell.work).length > before;
    found = { ...found, writing: isWritten ? 'written' : hasTried ? 'kept' : 'untried' };
    return { ...found, stops: await canStopAnswer(patient, await openFor(patient)) };
  } catch (error) {
    const failure = error instanceof ProviderFailure ? error.failure : failureOf(agent, error);
    return { ...found, failure };
  } finally {
    over.abort();
    await starting?.then(
      (process) => process.end(),
      () => undefined,
    );
  }
}

interface Patient {
  readonly agent: CodingAgent;
  readonly process: AgentProcess;
  readonly model: string;
  readonly idleMs: number;
}

/**
 * Opens a session with a time limit, as some agents wait for a person to sign in elsewhere. @throws
 * ProviderFailure
 */
function openFor({ agent, process, model, idleMs }: Patient): Promise<AgentSession> {
  return unlessSilent(agent, idleMs, openSession(process, agent, { model }, [], idleMs));
}

function formTask(): string {
  return `Name a color and a number. ${schemaInWords(toJsonSchema(FORM))}`;
}

/** Asks and waits for the whole answer. @throws ProviderFailure if there is none */
async function askAndWait(
  { agent, process, idleMs }: Patient,
  session: AgentSession,
  text: string,
): Promise<{ text: string; pieces: number; hasTried: boolean }> {
  let pieces = 0;
  const turn = turnOf(process, () => {
    pieces += 1;
  });
  const forget = process.follow(session.id, turn);
  try {
    const ended = await unlessSilent(agent, idleMs, sendPrompt(process, session, text));
    const failure =
      turn.fault === undefined
        ? (turnEndFailure(agent, ended.stopReason) ?? failureInAnswer(agent, turn.text))
        : failureOf(agent, new Error(turn.fault));
    if (failure !== undefined) throw new ProviderFailure(failure);
    return { text: turn.text, pieces, hasTried: turn.hasTriedToWrite };
  } finally {
    forget();
  }
}

/** Waits for a promise. @throws ProviderFailure if it does not settle in time */
async function unlessSilent<T>(agent: CodingAgent, idleMs: number, what: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(idleMs, 'late' as const, { signal: done.signal }).catch(() => 'done' as const);
  try {
    const first = await Promise.race([what.then((value) => ({ value })), late]);
    if (typeof first === 'object') return first.value;
    // The time limit is over: ignore an error that comes later, or Node would report it as unhandled.
    what.catch(() => undefined);
    throw new ProviderFailure(silentFailure(agent, idleMs));
  } finally {
    done.abort();
  }
}

/**
 * Asks for a long answer and then to stop. Returns whether it stopped; undefined if the answer ended
 * before.
 */
async function canStopAnswer(
  { process }: Patient,
  session: AgentSession,
): Promise<boolean | undefined> {
  const { promise: speaks, resolve: begin } = Promise.withResolvers<'speaks'>();
  const forget = process.follow(
    session.id,
    turnOf(process, () => begin('speaks')),
  );
  try {
    const answering = sendPrompt(process, session, LONG);
    if ((await Promise.race([answering, speaks])) !== 'speaks') return undefined;
    await process.ask(({ agent }) => agent.notify('session/cancel', { sessionId: session.id }));
    const over = answering.then(
      () => true,
      () => true,
    );
    return await Promise.race([over, sleep(STOP_MS, false)]);
  } finally {
    forget();
  }
}

function sendPrompt(process: AgentProcess, { id }: AgentSession, text: string) {
  return process.ask(({ agent }) =>
    agent.request('session/prompt', { sessionId: id, prompt: [{ type: 'text', text }] }),
  );
}

function turnOf(process: AgentProcess, onText: () => void): Turn {
  const doNothing = (): void => undefined;
  return new Turn({ onBytes: doNothing, onThinking: doNothing, onText }, process.cwd, doNothing);
}
