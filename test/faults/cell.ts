/**
 * One cell of the table: a board of two seats over a real journal, one of them asked of a server that
 * misbehaves, the other of one that does not. What it comes to is read off the log.
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

export interface Outcome {
  /** `done`, `stopped`, or the failure's code. */
  readonly end: string;
  /** What a person reads in the seat's heading; empty where it has answered. */
  readonly heading: string;
  /** The sentence, and what to do. */
  readonly sentence: string;
  readonly next: string;
  readonly requests: number;
  readonly partial: string;
  /** Bytes of answers that the server wrote in all. */
  readonly written: number;
  /** The run as a whole. */
  readonly run: string;
  /** Whether the synthesizer was shown any of it. */
  readonly inSynthesis: boolean;
  /** Who is missing in the synthesis, and why. */
  readonly excluded: readonly { readonly seat: string; readonly reason: string }[];
  /** Types of the facts about the faulty call, in their order. */
  readonly facts: readonly string[];
}

/** Silence for so long is given up here; 120 s by default. */
export const IDLE_MS = 1_000;

const START = {
  ollama: startOllama,
  anthropic: startAnthropic,
  openai: startOpenAI,
  responses: startResponses,
};
/** The synthesizer's model at the sound server: nobody else has it. */
const CHAIR = 'beta';
const MODEL = {
  ollama: 'alpha',
  anthropic: 'claude-alpha',
  openai: 'alpha',
  responses: 'alpha',
} as const;
const SOUND =
  '## Consensus\nYes.\n## Points of Agreement\nA.\n## Points of Divergence\nB.\n## Recommendation\nC.';

/** A database of its own is opened where none is given, which takes a fifth of what a cell takes. */
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
  /** Another provider, and a server of it that does what it should. */
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
  // Nothing listens on this privileged port, and no other test can be given it by the system.
  return where === 'refused' ? 'http://127.0.0.1:2' : server.url;
}
