/**
 * Tests which calls run at the same time: the limit of a provider, and servers that hold one model or many.
 */
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { NO_USAGE } from '../../src/kernel/model.ts';
import type { LoadedModel, Provider } from '../../src/models/provider.ts';
import { ModelScheduler, type ServerSlot } from '../../src/models/scheduler.ts';
import { type OllamaOptions, type OllamaServer, startOllama } from '../servers/index.ts';
import { waitUntil } from '../until.ts';
import { type AskResult, callModel, getFailure, modelsFor, typesOf } from './ask.ts';

const NEVER = new AbortController().signal;
const settleTimers = () => vi.advanceTimersByTimeAsync(5);

/** Replaces the clock by one that only the test moves. */
function useHandTimers(): void {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
}

/** The memory of a server as `/api/ps` reports it, and the queue in front of the server. */
class Scene {
  listed: readonly LoadedModel[] | undefined = [];
  looks = 0;
  /** The server sends its list of models when this promise resolves. */
  listing: Promise<void> = Promise.resolve();
  readonly inside: string[] = [];
  readonly told: string[] = [];
  readonly places = new Map<string, ServerSlot>();
  readonly scheduler: ModelScheduler;

  constructor(options: { limit?: number; firstTouchMs?: number; memory?: boolean } = {}) {
    const listLoaded = async () => {
      this.looks += 1;
      await this.listing;
      return this.listed;
    };
    this.scheduler = new ModelScheduler({
      limit: options.limit ?? Number.POSITIVE_INFINITY,
      firstTouchMs: options.firstTouchMs ?? 10_000,
      nameOf: (model) => `ollama/${model}`,
      ...(options.memory === false ? {} : { loaded: listLoaded }),
    });
  }

  /** Begins a call: `a1` is a call of model `a`. Resolves once the call is sent or waits. */
  async enter(call: string, signal: AbortSignal = NEVER): Promise<void> {
    void this.scheduler
      .enter(call[0] ?? '', signal, (behind) => this.told.push(`${call} behind ${behind}`))
      .then((place) => {
        this.inside.push(place ? call : `${call} gone`);
        if (place) this.places.set(call, place);
      });
    await settleTimers();
  }

  async answered(call: string, ...listed: string[]): Promise<void> {
    this.holds(...listed);
    this.places.get(call)?.answered();
    await settleTimers();
  }

  async leave(...calls: string[]): Promise<void> {
    for (const call of calls) this.places.get(call)?.leave();
    await settleTimers();
  }

  holds(...models: string[]): void {
    this.listed = models.map((model) => ({ model, expiresAt: Date.now() + 60_000 }));
  }
}

describe('the request for the list of loaded models', () => {
  useHandTimers();

  async function enterWhileListing(): Promise<{ scene: Scene; list: () => Promise<void> }> {
    const scene = new Scene();
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.listing = promise;
    for (const call of ['a1', 'b1', 'a2']) await scene.enter(call);
    const finishListing = async () => {
      resolve();
      await settleTimers();
    };
    return { scene, list: finishListing };
  }

  test('delays the calls of a second model until the list arrives, but not those of the first', async () => {
    const { scene, list } = await enterWhileListing();
    expect(scene.inside).toEqual(['a1', 'a2']);
    expect(scene.told).toEqual([]);
    scene.holds('a', 'b');
    await list();
    expect(scene.inside).toEqual(['a1', 'a2', 'b1']);
    expect(scene.told).toEqual([]);
  });

  test('is not sent a second time when a model answers before the list has arrived', async () => {
    const { scene, list } = await enterWhileListing();
    await scene.answered('a1', 'a', 'b');
    expect(scene.looks).toBe(1);
    await list();
    expect(scene.looks).toBe(1);
    expect(scene.inside).toContain('b1');
  });

  test('is followed by a message for each call that still waits, which names the model ahead', async () => {
    const { scene, list } = await enterWhileListing();
    scene.holds('a');
    await list();
    expect(scene.told).toEqual(['b1 behind ollama/a']);
  });
});

describe('a server that keeps many models loaded', () => {
  useHandTimers();

  test('is recognised before its first answer if it lists two loaded models', async () => {
    const scene = new Scene();
    scene.holds('a', 'b');
    for (const call of ['a1', 'b1', 'c1']) await scene.enter(call);
    expect(scene.inside).toEqual(['a1', 'b1', 'c1']);
    expect(scene.told).toEqual([]);
    await scene.answered('a1', 'a', 'b');
    expect(scene.looks).toBe(1);
  });

  test('is recognised when it lists a second loaded model', async () => {
    const scene = new Scene();
    for (const call of ['a1', 'a2', 'b1', 'c1']) await scene.enter(call);
    expect(scene.inside).toEqual(['a1', 'a2']);
    expect(scene.told).toEqual(['b1 behind ollama/a', 'c1 behind ollama/a']);
    await scene.answered('a2', 'a');
    expect(scene.inside).toEqual(['a1', 'a2', 'b1']);
    expect(scene.told.slice(2)).toEqual(['c1 behind ollama/b']);
    await scene.answered('b1', 'a:latest', 'b');
    await scene.enter('d1');
    expect(scene.inside).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
    expect(scene.looks).toBe(3);
  });

  test('still gets calls of several models side by side after it has unloaded an unused model', async () => {
    const scene = new Scene();
    await scene.enter('a1');
    scene.listed = [{ model: 'a', expiresAt: Date.now() - 1 }];
    scene.places.get('a1')?.answered();
    await settleTimers();
    await scene.leave('a1');
    await scene.enter('b1');
    await scene.answered('b1', 'b');
    await scene.enter('c1');
    expect(scene.inside).toEqual(['a1', 'b1', 'c1']);
  });

  test('still gets calls of several models side by side if its list lacks a model that has answered', async () => {
    const scene = new Scene();
    await scene.enter('a1');
    await scene.answered('a1', 'a');
    await scene.enter('b1');
    // Model b has answered, but the server's list of loaded models contains only model a. So model b runs in a
    // cloud and has displaced no model on this server.
    await scene.answered('b1', 'a');
    await scene.enter('c1');
    expect(scene.inside).toEqual(['a1', 'b1', 'c1']);
  });
});

describe('a server that keeps only one model loaded', () => {
  useHandTimers();

  /**
   * Returns a scene in which a call of model b has thrown model a out of memory. The scheduler now runs one
   * model at a time, and the call b1 is still running.
   */
  async function makeLearnedScene(
    options: ConstructorParameters<typeof Scene>[0] = {},
  ): Promise<Scene> {
    const scene = new Scene(options);
    await scene.enter('a1');
    await scene.answered('a1', 'a');
    await scene.enter('b1');
    await scene.leave('a1');
    await scene.answered('b1', 'b');
    scene.inside.length = 0;
    return scene;
  }

  test('gets all calls of one model before those of the next model', async () => {
    const scene = await makeLearnedScene();
    for (const call of ['a2', 'c1', 'a3', 'c2']) await scene.enter(call);
    expect(scene.inside).toEqual([]);
    expect(scene.told).toEqual(['a2', 'c1', 'a3', 'c2'].map((call) => `${call} behind ollama/b`));
    await scene.leave('b1');
    expect(scene.inside).toEqual(['a2', 'a3']);
    await scene.leave('a2');
    expect(scene.inside).toEqual(['a2', 'a3']);
    await scene.leave('a3');
    expect(scene.inside).toEqual(['a2', 'a3', 'c1', 'c2']);
  });

  test('gets another call of the loaded model at once, unless a call of a different model is waiting', async () => {
    const scene = await makeLearnedScene();
    await scene.enter('b2');
    expect(scene.inside).toEqual(['b2']);
    await scene.enter('a2');
    await scene.enter('b3');
    expect(scene.inside).toEqual(['b2']);
    await scene.leave('b1', 'b2');
    expect(scene.inside).toEqual(['b2', 'a2']);
    await scene.leave('a2');
    expect(scene.inside).toEqual(['b2', 'a2', 'b3']);
  });

  test('gets all waiting calls of one model before the next model, even if it gets one call at a time', async () => {
    const scene = await makeLearnedScene({ limit: 1 });
    for (const call of ['a2', 'c1', 'a3']) await scene.enter(call);
    await scene.leave('b1');
    expect(scene.inside).toEqual(['a2']);
    await scene.leave('a2');
    expect(scene.inside).toEqual(['a2', 'a3']);
    await scene.leave('a3');
    expect(scene.inside).toEqual(['a2', 'a3', 'c1']);
  });

  test('is asked for its list again when the next model answers, and gets all waiting calls if it now lists two models', async () => {
    const scene = await makeLearnedScene();
    await scene.enter('a2');
    await scene.enter('c1');
    await scene.leave('b1');
    const looks = scene.looks;
    await scene.answered('a2', 'a', 'b');
    expect(scene.looks).toBe(looks + 1);
    expect(scene.inside).toEqual(['a2', 'c1']);
    await scene.enter('d1');
    expect(scene.inside).toEqual(['a2', 'c1', 'd1']);
  });

  test('gets no call that was stopped while it waited', async () => {
    const scene = await makeLearnedScene();
    const stop = new AbortController();
    await scene.enter('a2', stop.signal);
    await scene.enter('c1');
    stop.abort();
    await settleTimers();
    await scene.leave('b1');
    expect(scene.inside).toEqual(['a2 gone', 'c1']);
  });
});

describe('a server that does not list its loaded models', () => {
  useHandTimers();

  test.each([
    ['missing', undefined],
    ['empty', []],
  ] as const)(
    'gets calls of other models as soon as the first model answers: the list of loaded models is %s',
    async (_what, listed) => {
      const scene = new Scene();
      await scene.enter('a1');
      await scene.enter('b1');
      expect(scene.inside).toEqual(['a1']);
      scene.listed = listed;
      scene.places.get('a1')?.answered();
      await settleTimers();
      await scene.enter('c1');
      expect(scene.inside).toEqual(['a1', 'b1', 'c1']);
    },
  );

  test('gets calls of other models after a limited time even if the first model does not answer', async () => {
    const scene = new Scene({ firstTouchMs: 10_000 });
    await scene.enter('a1');
    await scene.enter('b1');
    expect(scene.inside).toEqual(['a1']);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(scene.inside).toEqual(['a1']);
    await vi.advanceTimersByTimeAsync(100);
    expect(scene.inside).toEqual(['a1', 'b1']);
  });

  test('gets the calls of another model as soon as the first model’s call has failed', async () => {
    const scene = new Scene();
    await scene.enter('a1');
    await scene.enter('b1');
    await scene.leave('a1');
    expect(scene.inside).toEqual(['a1', 'b1']);
  });
});

describe('the limit of simultaneous calls', () => {
  useHandTimers();

  test('counts the calls of all models together, in the order of arrival', async () => {
    const scene = new Scene({ limit: 2, memory: false });
    for (const call of ['a1', 'b1', 'c1', 'a2']) await scene.enter(call);
    expect(scene.inside).toEqual(['a1', 'b1']);
    expect(scene.told).toEqual(['c1 behind other calls', 'a2 behind other calls']);
    await scene.leave('b1', 'b1');
    expect(scene.inside).toEqual(['a1', 'b1', 'c1']);
    await scene.leave('a1', 'c1');
    expect(scene.inside).toEqual(['a1', 'b1', 'c1', 'a2']);
  });
});

test('the latency of a call does not include the time in the queue', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const answering: (() => void)[] = [];
  const provider: Provider = {
    name: 'slow',
    endpoint: 'here',
    queues: false,
    stream: async (_request, { onBytes, onText }) => {
      await new Promise<void>((resolve) => answering.push(resolve));
      onBytes();
      onText('Yes.');
      return { ok: true, usage: NO_USAGE, notes: [] };
    },
    list: async () => [],
  };
  const models = modelsFor({}, { more: [provider], concurrency: 1 });
  const first = callModel(models, 'slow/a');
  let isQueued = false;
  const second = callModel(models, 'slow/a', {
    onEvent: ({ type }) => {
      isQueued ||= type === 'queued';
    },
  });
  await waitUntil(() => isQueued && answering.length === 1, 'call that waits for another');
  vi.advanceTimersByTime(60_000);
  answering[0]?.();
  expect((await first).result.latencyMs).toBe(60_000);
  await waitUntil(() => answering.length === 2, 'second call');
  vi.advanceTimersByTime(5_000);
  answering[1]?.();
  expect((await second).result.latencyMs).toBe(5_000);
});

describe.concurrent('the scheduler of model calls over HTTP', () => {
  const servers: OllamaServer[] = [];
  const startServer = async (options: OllamaOptions): Promise<OllamaServer> => {
    const server = await startOllama(options);
    servers.push(server);
    return server;
  };
  afterAll(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  const ANSWER = 'one two three four five six seven eight nine ten eleven twelve';
  const listStartedModels = (server: OllamaServer) =>
    server
      .chats()
      .map(({ model }) => model)
      .join(' ');
  const listStatuses = (all: readonly AskResult[]) => all.map(({ result }) => result.status);
  const listWaits = ({ events }: AskResult) =>
    events.flatMap((event) => (event.type === 'queued' ? [event.behind] : []));

  test('calls two models at the same time on a server that keeps many loaded', async () => {
    const ollama = await startServer({ answer: ANSWER, tokensPerSecond: 10, loadMs: 50 });
    const models = modelsFor({ ollama });
    const all = await Promise.all([
      callModel(models, 'ollama/alpha'),
      callModel(models, 'ollama/beta'),
    ]);
    expect(listStatuses(all)).toEqual(['done', 'done']);
    expect(all.map(listWaits)).toEqual([[], ['ollama/alpha']]);
    const [alpha, beta] = ollama.chats();
    expect(beta?.started).toBeGreaterThan(alpha?.answered ?? Number.NaN);
    expect(beta?.started).toBeLessThan(alpha?.finished ?? 0);
    const again = await Promise.all([
      callModel(models, 'ollama/gamma'),
      callModel(models, 'ollama/beta'),
    ]);
    expect(again.map(listWaits)).toEqual([[], []]);
  });

  test('calls two models one after the other on a server that keeps only one loaded', async () => {
    const ollama = await startServer({ answer: ANSWER, tokensPerSecond: 30, loadOneAtATime: true });
    // The idle time is shorter than one answer: calls that wait in the queue must not fail because
    // of it.
    const models = modelsFor({ ollama }, { idleMs: 150 });
    const specs = ['ollama/alpha', 'ollama/beta', 'ollama/alpha', 'ollama/beta'];
    const first = await Promise.all(specs.map((spec) => callModel(models, spec)));
    expect(listStatuses(first)).toEqual(['done', 'done', 'done', 'done']);
    expect(ollama.loads()).toBe(2);
    const before = ollama.chats().length;
    const second = await Promise.all(specs.map((spec) => callModel(models, spec)));
    expect(listStatuses(second)).toEqual(['done', 'done', 'done', 'done']);
    expect(listStartedModels(ollama).split(' ').slice(before).join(' ')).toBe(
      'alpha alpha beta beta',
    );
    expect(ollama.loads()).toBe(4);
    expect(second.map(listWaits)).toEqual([[], ['ollama/alpha'], [], ['ollama/alpha']]);
    // Both calls of `beta` wait in the gateway's queue, behind the calls of `alpha`, before they are sent.
    for (const call of [second[1], second[3]])
      expect(typesOf(call?.events ?? [])).toEqual(['queued', 'sent']);
  });

  test('is not shared by separate gateways, so each of their alternating calls of two models loads a model', async () => {
    const ollama = await startServer({ answer: ANSWER, tokensPerSecond: 60, loadOneAtATime: true });
    for (const spec of ['ollama/alpha', 'ollama/beta', 'ollama/alpha', 'ollama/beta']) {
      await callModel(modelsFor({ ollama }), spec);
    }
    expect(ollama.loads()).toBe(4);
  });

  test('does not let a call time out while the server answers another call of the same model', async () => {
    const ollama = await startServer({ answer: ANSWER, tokensPerSecond: 30, parallel: 1 });
    const models = modelsFor({ ollama }, { idleMs: 200 });
    const all = await Promise.all(
      ['ollama/alpha', 'ollama/alpha', 'ollama/alpha'].map((spec) => callModel(models, spec)),
    );
    expect(listStatuses(all)).toEqual(['done', 'done', 'done']);
    // All requests arrive before the server has finished its first answer. It then answers one request
    // after another.
    const chats = ollama.chats();
    expect(Math.max(...chats.map(({ started }) => started))).toBeLessThan(
      Math.min(...chats.map(({ finished = Number.NaN }) => finished)),
    );
    const [first, second, third] = chats.toSorted(
      (one, other) => (one.answered ?? 0) - (other.answered ?? 0),
    );
    expect(second?.answered).toBeGreaterThan(first?.finished ?? Number.NaN);
    expect(third?.answered).toBeGreaterThan(second?.finished ?? Number.NaN);
  });

  test('ends a call that receives nothing more, and the next call gets its turn', async () => {
    const ollama = await startServer({
      answer: ANSWER,
      tokensPerSecond: 100,
      loadOneAtATime: true,
      behaviours: { alpha: 'stall-mid-stream' },
    });
    const models = modelsFor({ ollama }, { idleMs: 1_000 });
    const [stuck, other] = await Promise.all([
      callModel(models, 'ollama/alpha'),
      callModel(models, 'ollama/beta'),
    ]);
    expect(getFailure(stuck.result).code).toBe('timeout');
    expect(other.result.status).toBe('done');
  });

  test('ends a call that receives nothing after one idle timeout if the server answers no other call', async () => {
    const ollama = await startServer({ behaviours: { beta: 'stall-before-headers' } });
    const models = modelsFor({ ollama }, { idleMs: 200 });
    await callModel(models, 'ollama/alpha');
    const countLooks = () => ollama.requests.filter(({ path }) => path === '/api/ps').length;
    const before = countLooks();
    const { result } = await callModel(models, 'ollama/beta');
    expect(getFailure(result)).toMatchObject({ code: 'timeout', attempts: 1 });
    const [afterTimeoutOfBeta, lateAfterAlpha] = [1, 1];
    expect(countLooks() - before).toBeLessThanOrEqual(afterTimeoutOfBeta + lateAfterAlpha);
  });

  test.each(['missing', 'empty', 'error'] as const)(
    'sends calls of three models side by side if Ollama’s list of loaded models (/api/ps) is: %s',
    async (ps) => {
      const ollama = await startServer({ ps, answer: ANSWER, tokensPerSecond: 10 });
      const models = modelsFor({ ollama });
      const all = await Promise.all(
        ['ollama/alpha', 'ollama/beta', 'ollama/gamma'].map((spec) => callModel(models, spec)),
      );
      expect(listStatuses(all)).toEqual(['done', 'done', 'done']);
      // The calls run side by side: the last one begins before the first one ends.
      const ended = ollama.chats().map(({ finished }) => finished ?? Number.NaN);
      const begun = ollama.chats().map(({ started }) => started);
      expect(Math.max(...begun)).toBeLessThan(Math.min(...ended));
    },
  );

  test('sends a call even if Ollama’s list of loaded models (/api/ps) never arrives', async () => {
    const ollama = await startServer({ ps: 'stall', answer: ANSWER });
    const { result } = await callModel(modelsFor({ ollama }), 'ollama/alpha');
    expect(result.status).toBe('done');
  });

  test('sends at most two calls at a time to a provider if its concurrency is 2', async () => {
    const ollama = await startServer({ answer: ANSWER, tokensPerSecond: 60 });
    const models = modelsFor({ ollama }, { concurrency: 2 });
    const all = await Promise.all([1, 2, 3, 4].map(() => callModel(models, 'ollama/alpha')));
    expect(listStatuses(all)).toEqual(['done', 'done', 'done', 'done']);
    expect(all.map(listWaits)).toEqual([[], [], ['other calls'], ['other calls']]);
    const spans = ollama.chats().map(({ started: from, finished: to = 0 }) => ({ from, to }));
    const most = Math.max(
      ...spans.map(
        ({ from }) => spans.filter((span) => span.from <= from && span.to > from).length,
      ),
    );
    expect(most).toBe(2);
  });

  test('sends nothing for a call that is stopped in the queue', async () => {
    const ollama = await startServer({ answer: ANSWER, tokensPerSecond: 60 });
    const models = modelsFor({ ollama }, { concurrency: 1 });
    const stop = new AbortController();
    const first = callModel(models, 'ollama/alpha');
    const second = await callModel(models, 'ollama/alpha', {
      signal: stop.signal,
      onEvent: ({ type }) => type === 'queued' && stop.abort(),
    });
    expect(second.result).toEqual({
      status: 'stopped',
      text: '',
      thinking: '',
      usage: { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 },
      latencyMs: 0,
      attempts: 0,
      notes: [],
    });
    expect((await first).result.status).toBe('done');
    expect(ollama.chats()).toHaveLength(1);
  });
});
