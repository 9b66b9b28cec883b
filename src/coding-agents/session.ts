/** A session of an agent, opened for one call in the mode and with the model of that call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewSessionResponse, SessionConfigOption } from '@agentclientprotocol/sdk/unstable';
import { OWN_MODEL } from '../kernel/providers/names.ts';
import type { Folder } from '../kernel/tools/tools.ts';
import { ProviderFailure } from '../models/failure.ts';
import type { ProviderRequest } from '../models/provider.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { CodingAgent } from './agent.ts';
import { noSuchModelFailure } from './failures.ts';
import type { AgentProcess } from './process.ts';

/** A session (conversation) with a coding agent. */
export interface AgentSession {
  readonly id: string;
  /** The model name that the agent reports; absent if it reports none. */
  readonly served?: string | undefined;
  /** Sentences for a person on what was changed or noticed. */
  readonly notes: readonly string[];
}

/**
 * Opens a session, and chooses the agent's mode, and the model and the effort of the call. A mode or
 * an effort that the agent does not have is noted.
 *
 * @param idleMs milliseconds; signing in may take at most half of this time, and at most 20 seconds
 * @throws ProviderFailure if the agent refuses, ends, takes too long to sign in, or lacks the model
 */
export async function openSession(
  process: AgentProcess,
  agent: CodingAgent,
  { model, effort }: Pick<ProviderRequest, 'model' | 'effort'>,
  folders: readonly Folder[],
  idleMs: number,
): Promise<AgentSession> {
  const opened = await newSession(process, agent, folders, idleMs);
  const { sessionId: id } = opened;
  const notes: string[] = [];
  let options = opened.configOptions ?? [];
  const chooseOption = async (option: SessionConfigOption, value: string): Promise<void> => {
    const changed = await process.ask(({ agent: other }) =>
      other.request('session/set_config_option', { sessionId: id, configId: option.id, value }),
    );
    options = changed?.configOptions ?? options;
  };

  if (agent.mode !== undefined && !(await setMode(process, opened, agent.mode, chooseOption)))
    notes.push(`${agent.title} has no mode ${agent.mode}; it answered in its own`);
  if (model !== OWN_MODEL) {
    const option = findOption(options, 'model');
    const known = option === undefined ? [] : valuesOf(option);
    if (option === undefined || !known.includes(model))
      throw new ProviderFailure(noSuchModelFailure(agent, model, known));
    await chooseOption(option, model);
  }
  if (effort !== undefined) {
    const option = findOption(options, 'thought_level');
    if (option !== undefined && valuesOf(option).includes(effort))
      await chooseOption(option, effort);
    else notes.push(`${agent.title} has no effort ${effort}; it answered with its own`);
  }
  const current = findOption(options, 'model');
  const served = current?.type === 'select' ? current.currentValue : undefined;
  return { id, notes, ...withoutUndefined({ served }) };
}

/** The most milliseconds that an agent may take to sign in with the credentials in its home. */
const SIGN_IN_MS = 20_000;

/**
 * Opens a session, and signs in first if the agent asks for it and its method is known. An agent that takes
 * longer than `SIGN_IN_MS` or half of `idleMs` to sign in is waiting for a person at a browser.
 *
 * @throws ProviderFailure with the code `auth` if the agent is not signed in
 */
async function newSession(
  process: AgentProcess,
  { authenticate: methodId }: CodingAgent,
  folders: readonly Folder[],
  idleMs: number,
): Promise<NewSessionResponse> {
  const { agentCapabilities, authMethods = [] } = process.told ?? {};
  const more = folders.slice(1).map(({ path }) => path);
  const takesMore = agentCapabilities?.sessionCapabilities?.additionalDirectories != null;
  const requestSession = (): Promise<NewSessionResponse> =>
    process.ask(({ agent: other }) =>
      other.request('session/new', {
        cwd: process.cwd,
        mcpServers: [],
        ...(takesMore && more.length > 0 ? { additionalDirectories: more } : {}),
      }),
    );
  const given = new AbortController();
  try {
    return await requestSession();
  } catch (error) {
    const isAsked = error instanceof ProviderFailure && error.failure.code === 'auth';
    if (!isAsked || methodId === undefined || !authMethods.some(({ id }) => id === methodId))
      throw error;
    const waits = sleep(Math.min(SIGN_IN_MS, idleMs / 2), undefined, {
      signal: given.signal,
      ref: false,
    });
    await Promise.race([
      process.ask(({ agent: other }) => other.request('authenticate', { methodId })),
      waits.then(() => Promise.reject(error)),
    ]);
  } finally {
    given.abort();
  }
  return requestSession();
}

/** Switches the session to a mode. Returns false if the session does not have the mode. */
async function setMode(
  process: AgentProcess,
  { sessionId, modes, configOptions }: NewSessionResponse,
  modeId: string,
  choose: (option: SessionConfigOption, value: string) => Promise<void>,
): Promise<boolean> {
  if (modes?.currentModeId === modeId) return true;
  if (modes?.availableModes.some(({ id }) => id === modeId)) {
    await process.ask(({ agent }) => agent.request('session/set_mode', { sessionId, modeId }));
    return true;
  }
  const option = findOption(configOptions ?? [], 'mode');
  if (option === undefined || !valuesOf(option).includes(modeId)) return false;
  await choose(option, modeId);
  return true;
}

function findOption(
  options: readonly SessionConfigOption[],
  category: string,
): SessionConfigOption | undefined {
  const selects = options.filter(({ type }) => type === 'select');
  return (
    selects.find((option) => option.category === category) ??
    selects.find(({ id }) => id === category)
  );
}

function valuesOf(option: SessionConfigOption): string[] {
  if (option.type !== 'select') return [];
  return option.options.flatMap((choice) =>
    'options' in choice ? choice.options.map(({ value }) => value) : [choice.value],
  );
}
