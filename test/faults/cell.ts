/**
 * One cell of the table of faults: a board of two seats on a real journal. One seat calls a server with the
 * fault, and the other a server without. The outcome is read from the log.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunStopped } from '../../src/kernel/errors.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { createModels } from '../../src/models/gateway.ts';
import { whyNoAnswer } from '../../src/plain/naming.ts';
import { board } from '../../src/protocols/board/board.ts';
import type { Store } from '../../src/store/store.ts';
import {
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { openEmptyStore } from '../store/empty.ts';
import { waitUntil } from '../until.ts';
import { type Fault, type ProviderName, providerPrefixOf } from './faults.ts';

/** How the call to the server with a fault ended, and what the run showed and recorded of the call. */
export interface Outcome {
  /** How the call ended: `done`, `stopped`, or the code of the failure. */
  readonly end: string;
  /** Why there is no answer, as the seat's heading on the screen says; empty if the seat has answered. */
  readonly heading: string;
  /** The message of the failure; empty if there is none. */
  readonly sentence: string;
  /** What the person can do about the failure; empty if nothing is suggested. */
  readonly next: string;
  /** How many requests for an answer the faulty server got; 0 if the fault is a wrong address. */
  readonly requests: number;
  /** The text that arrived before the call failed; empty if the call ended well. */
  readonly partial: string;
  /** How many bytes of answers the faulty server has written. */
  readonly written: number;
  /** The status of the run at its end. */
  readonly run: string;
  /** Whether the synthesizer was shown the text of the call. */
  readonly inSynthesis: boolean;
  /** The seats that are missing in the synthesis, each with the reason. */
  readonly excluded: readonly { readonly seat: string; readonly reason: string }[];
  /** The types of the facts about the faulty call, in order. */
  readonly facts: readonly string[];
}

/** The idle time in the runs of `outcomeOf`, in milliseconds: without a byte for so long, a call fails. */
export const IDLE_MS = 1_000;

const START = {
  ollama: startOllama,
  anthropic: startAnthropic,
  openai: startOpenAI,
  responses: startResponses,
};
/** The synthesizer's model at the server without faults, which no seat has. */
const CHAIR = 'beta';
const MODEL = {
  ollama: 'alpha',
  anthropic: 'claude-alpha',
  openai: 'alpha',
  responses: 'alpha',
} as const;
const SOUND =
  '## Consensus\nYes.\n## Points of Agreement\nA.\n## Points of Divergence\nB.\n## Recommendation\nC.';

/**
 * Runs a board in which one seat meets a fault of a provider, and returns the outcome of this seat's call. If
 * no store is `given`, the run opens a database of its own, which is slower.
 */
export async function outcomeOf(
  fault: Fault,
  provider: ProviderName,
  given?: Store,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-fault-'));
  const server = await START[provider]();
  const good = providerPrefixOf(provider) === 'openai' ? 'ollama' : 'openai';
  const sound = await START[good]({ answer: SOUND });
  const store = given ?? openEmptyStore(join(folder, 'fault.db'));
  try {
    const behaviour = fault.behaviour?.();
    if (behaviour !== undefined) server.setBehaviour(MODEL[provider], behaviour);
    return await runBoard({ fault, provider, server, good, sound, store });
  } finally {
    if (given === undefined) store.close();
    await Promise.all([server.close(), sound.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Cell {
  readonly fault: Fault;
  readonly provider: ProviderName;
  readonly server: TestServer;
  /** Another provider, and a server of it without faults. */
  readonly good: ProviderName;
  readonly sound: TestServer;
  readonly store: Store;
}

async function runBoard({ fault, provider, server, good, sound, store }: Cell): Promise<Outcome> {
  const address = addressOf(fault, server);
  const elsewhere = 'http://127.0.0.1:9';
  const base = {
    ollama: elsewhere,
    anthropic: elsewhere,
    openai: elsewhere,
    [providerPrefixOf(provider)]: address,
    [good]: sound.url,
  };
  const models = createModels({
    env: {
      OLLAMA_HOST: base.ollama,
      ANTHROPIC_BASE_URL: base.anthropic,
      OPENAI_BASE_URL: `${base.openai}/v1`,
      ...(provider === 'responses' ? { OPENAI_WIRE_API: 'responses' } : {}),
    },
    idleMs: IDLE_MS,
  });
  const journal = store.create('board');
  const session = new Session({
    journal,
    models,
    protocol: board as Protocol,
    answer: () => Promise.reject(new RunStopped('gate', 'nobody is here')),
  });
  const spec = `${providerPrefixOf(provider)}/${MODEL[provider]}`;
  const { stopAfterBytes } = fault;
  const stopping =
    stopAfterBytes === undefined
      ? undefined
      : waitUntil(
          () => writtenBy(server) >= stopAfterBytes,
          `${stopAfterBytes} bytes from the server`,
        ).then(() => session.stopSeat('critic'));
  const ending = await session.begin({
    question: 'Should we split the monolith?',
    seats: [makeSeat('critic', spec), makeSeat('advocate', `${good}/alpha`)],
    config: { synthesizer: `${good}/${CHAIR}`, open: true, seed: 7, attachments: [] },
  });
  await stopping;
  await session.close();
  const facts = store.facts(journal.run);
  const view = viewOf(facts);
  const call = view.calls['seat/critic'];
  if (call === undefined) throw new Error('the seat was never asked');
  const synthesis = view.syntheses[0];
  const shown = sound.chats(CHAIR).map(({ body }) => JSON.stringify(body));
  const beginning = JSON.stringify(call.text.slice(0, 40)).slice(1, -1);
  return {
    end: call.state === 'failed' ? (call.code ?? '') : call.state,
    heading: whyNoAnswer(call) ?? '',
    sentence: call.message ?? '',
    next: call.next ?? '',
    requests: fault.where === undefined ? server.chats().length : 0,
    partial: call.state === 'done' ? '' : call.text,
    written: writtenBy(server),
    run: ending.status,
    inSynthesis: call.text !== '' && shown.some((body) => body.includes(beginning)),
    excluded: synthesis?.excluded ?? [],
    facts: facts.flatMap((fact) =>
      'step' in fact && fact.step === 'seat/critic' ? [fact.type] : [],
    ),
  };
}

function writtenBy(server: TestServer): number {
  return server.chats().reduce((sum, { written }) => sum + written, 0);
}

function makeSeat(id: string, model: string) {
  return { id, role: id, title: id === 'critic' ? 'Critic' : 'Advocate', model, brief: '' };
}

function addressOf({ where }: Fault, server: TestServer): string {
  if (where === 'no-such-host') return 'http://no-such-host.invalid:11434';
  // Nothing listens on this privileged port, and the system gives the port to no other test.
  return where === 'refused' ? 'http://127.0.0.1:2' : server.url;
}
