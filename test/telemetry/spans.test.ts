/** Promise: a run is one trace, whenever and however often it is exported, and holds nobody's words unasked. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { traceText } from '../../src/app/run/trace.ts';
import { Bus } from '../../src/kernel/bus.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { readCaller, writeCaller } from '../../src/telemetry/caller.ts';
import { findCollector, LiveSpans } from '../../src/telemetry/live.ts';
import { type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { makeLog, RUNS } from '../plain/pages.ts';
import { makeCompletedCall } from '../store/bodies.ts';
import { attributesIn, readTrace } from './otlp-reader.ts';

const RUN = '01900000-0000-7000-8000-000000000000';
const TRACE = RUN.replaceAll('-', '');
/** After this time, `LiveSpans.close` would drop unsent spans. Even a busy computer sends them sooner. */
const CLOSE_LIMIT_MS = 60_000;

const makeCallStarted = (step: string, attempt: string): FactBody =>
  fact('step.started', { step, attempt, kind: 'call', seat: 'critic', model: 'ollama/m' });
const makeCallCompleted = (step: string, attempt: string, more: object = {}): FactBody =>
  makeCompletedCall({
    step,
    attempt,
    seat: 'critic',
    role: 'critic',
    text: 'secret words',
    ...more,
  });
const makeRunStarted = (more: object = {}): FactBody =>
  fact('run.started', {
    protocol: 'board',
    question: 'A secret question?',
    seats: [{ ...makeSeat('critic'), title: 'Critic' }],
    config: {},
    request: { kind: 'convene' },
    ...more,
  });

/** Returns facts of a seat that looks something up, answers, is asked again, and fails. */
function makeStory(): AnyFact[] {
  const { latencyMs, ...failed } = makeCallCompleted('seat/critic', 'c') as ReturnType<
    typeof makeCompletedCall
  > & {
    latencyMs: number;
  };
  return makeLog(
    makeRunStarted(),
    makeCallStarted('seat/critic/turn-1', 'a'),
    makeCallCompleted('seat/critic/turn-1', 'a', {
      calls: [{ id: '1', name: 'read', arguments: {} }],
    }),
    fact('tool.called', {
      step: 'seat/critic/turn-1/tool-1',
      attempt: 't',
      seat: 'critic',
      tool: 'read',
      arguments: { path: 'secret.md' },
      id: 'S-1',
      about: 'secret.md',
      text: 'secret found',
      from: 1,
      bytes: 12,
      ms: 40,
    }),
    makeCallStarted('seat/critic/turn-2', 'b'),
    makeCallCompleted('seat/critic/turn-2', 'b'),
    makeCallStarted('seat/critic', 'c'),
    { ...failed, latencyMs, type: 'call.failed', code: 'server', message: 'secret' } as FactBody,
    makeCallStarted('seat/critic', 'd'),
    fact('run.ended', { status: 'failed', reason: 'secret' }),
  );
}

/** Waits for so many turns of the event loop. */
async function turnLoop(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await new Promise(setImmediate);
}

describe('the OpenTelemetry trace of a run', () => {
  it.each(Object.entries(RUNS))(
    'is valid for a collector if the protocol is %s',
    (_name, { facts }) => {
      const { spans, resource } = readTrace(traceText(facts(), {}, {}));
      expect(resource.get('service.name')).toBe('deliberate');
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
      const ids = new Set(spans.map(({ spanId }) => spanId));
      expect(ids.size).toBe(spans.length);
      const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
      expect(roots.map(({ name }) => name.split(' ')[0])).toEqual(['invoke_workflow']);
      for (const { parentSpanId } of spans)
        if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId);
      for (const { attributes } of spans)
        expect(['invoke_workflow', 'invoke_agent', 'chat', 'execute_tool']).toContain(
          attributesIn(attributes).get('gen_ai.operation.name'),
        );
    },
  );

  it('nests the run and its turns, calls and tools', () => {
    const { spans } = readTrace(traceText(makeStory(), {}, {}));
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const formatPath = (span: (typeof spans)[number]): string =>
      span.parentSpanId === undefined
        ? span.name
        : `${formatPath(byId.get(span.parentSpanId) as typeof span)} > ${span.name}`;
    const agent = 'invoke_workflow board > invoke_agent Critic';
    expect(spans.map(formatPath)).toEqual([
      `${agent} > chat org/qwen3:8b`,
      `${agent} > execute_tool read`,
      `${agent} > chat org/qwen3:8b`,
      agent,
      `${agent} > chat org/qwen3:8b`,
      agent,
      `${agent} > chat m`,
      agent,
      'invoke_workflow board',
    ]);
    expect(spans.map(({ status }) => status?.code ?? 0)).toEqual([0, 0, 0, 0, 2, 2, 2, 2, 2]);
    const [chat] = spans.map(({ attributes }) => attributesIn(attributes));
    expect(chat?.get('gen_ai.provider.name')).toBe('ollama');
    expect(chat?.get('gen_ai.usage.input_tokens')).toBe('100');
    expect(chat?.get('gen_ai.usage.cache_read.input_tokens')).toBe('30');
    expect(spans.map(({ kind }) => kind).slice(0, 2)).toEqual([3, 1]);
    const errors = spans.map(({ attributes }) => attributesIn(attributes).get('error.type'));
    expect(errors.slice(4)).toEqual(['server', 'server', 'lost', 'lost', 'failed']);
    expect(spans.every(({ traceId }) => traceId === TRACE)).toBe(true);
  });

  it('includes a seat’s turn that used a tool and asked no model afterwards', () => {
    const [looked] = [
      makeStory()
        .slice(0, 4)
        .map(({ run: _run, seq: _seq, at: _at, ...body }) => body as FactBody),
    ];
    const endings: readonly (readonly [FactBody[], string | undefined])[] = [
      [[fact('run.ended', { status: 'stopped' })], 'cancelled'],
      [[fact('run.resumed', { request: { kind: 'convene' } })], 'lost'],
      [[], undefined],
    ];
    for (const [ending, why] of endings) {
      const { spans } = readTrace(traceText(makeLog(...(looked ?? []), ...ending), {}, {}));
      const ids = new Set(spans.map(({ spanId }) => spanId));
      for (const { parentSpanId } of spans) expect(ids).toContain(parentSpanId ?? spans[0]?.spanId);
      const turn = spans.find(({ name }) => name === 'invoke_agent Critic');
      expect(attributesIn(turn?.attributes ?? []).get('error.type')).toBe(why);
    }
  });

  it('marks a run as interrupted if its process died', () => {
    const facts = makeLog(
      makeRunStarted({ seats: [{ ...makeSeat('critic'), title: 'Critic', role: 'red-team' }] }),
      makeCallStarted('seat/critic', 'a'),
      fact('run.resumed', { request: { kind: 'convene' } }),
    );
    const { spans } = readTrace(traceText(facts, {}, { status: 'interrupted' }));
    const said = spans.map(({ attributes }) => attributesIn(attributes));
    expect(said.flatMap((attributes) => attributes.get('deliberate.role') ?? [])).toEqual([
      'red-team',
    ]);
    expect(said.at(-1)?.get('deliberate.status')).toBe('interrupted');
  });

  it('ends with the run, although a person adds a line to the iteration log later', () => {
    const ended = makeStory();
    const [last] = ended.slice(-1);
    const later = {
      ...fact('iteration.noted', { text: 'Ask for figures first.' }),
      run: RUN,
      seq: ended.length + 1,
      at: '2027-01-01T00:00:00.000Z',
    } as AnyFact;
    const readRoot = (facts: readonly AnyFact[]) =>
      readTrace(traceText(facts, {}, {})).spans.at(-1);
    expect(last?.type).toBe('run.ended');
    expect(readRoot([...ended, later])).toEqual(readRoot(ended));
  });

  it('has no span that ends before it starts, even if the clock was set back', () => {
    const facts = makeStory().map((fact, at) => ({
      ...fact,
      at: `2026-01-01T00:00:${59 - at}.000Z`,
    }));
    expect(readTrace(traceText(facts, {}, {})).spans).toHaveLength(9);
  });

  it('contains no text of people or models without --content', () => {
    const plain = traceText(makeStory(), {}, {});
    expect(traceText(makeStory(), {}, {})).toBe(plain);
    expect(plain).not.toContain('secret');
    const whole = traceText(makeStory(), {}, { content: true });
    readTrace(whole);
    for (const words of ['A secret question?', 'secret words', 'secret found', 'secret.md'])
      expect(whole).toContain(words);
  });

  it('links to the parent’s copied calls if the run is a fork', () => {
    const parent = readTrace(traceText(makeStory(), {}, {})).spans;
    const fork = makeLog(
      makeRunStarted({ parent: RUN }),
      makeCallCompleted('seat/critic/turn-2', 'b', { inherited: true }),
      fact('run.ended', { status: 'done' }),
    ).map((fact) => ({ ...fact, run: '01900000-0000-7000-8000-000000000001' }));
    const [root, ...more] = readTrace(traceText(fork, {}, {})).spans;
    expect(more).toEqual([]);
    expect(root?.links).toEqual([{ traceId: TRACE, spanId: parent[2]?.spanId }]);
  });
});

describe('the trace span of the program that called a run', () => {
  const one = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
  const other = { trace: 'a'.repeat(32), span: 'b'.repeat(16) };
  const traceFacts = (...bodies: FactBody[]) => readTrace(traceText(makeLog(...bodies), {}, {}));
  const asLinks = (...callers: (typeof one)[]) =>
    callers.map(({ trace, span }) => ({ traceId: trace, spanId: span }));

  it('is linked from the run’s own span, once for each program on record as having started or resumed the run', () => {
    const makeResumed = (caller: object) =>
      fact('run.resumed', { request: { kind: 'resume' }, ...caller });
    const { spans } = traceFacts(
      makeRunStarted({ caller: one }),
      makeCallStarted('seat/critic', 'a'),
      makeCallCompleted('seat/critic', 'a'),
      fact('run.ended', { status: 'stopped' }),
      makeResumed({ caller: one }),
      makeResumed({ caller: other }),
      makeResumed({}),
      fact('run.ended', { status: 'done' }),
    );
    expect(spans.every(({ traceId }) => traceId === TRACE)).toBe(true);
    expect(spans.flatMap(({ links = [] }) => links)).toEqual(asLinks(one, other));
    expect(spans.at(-1)?.parentSpanId).toBeUndefined();
  });

  it('is missing if the log names no calling program', () => {
    const { spans } = traceFacts(makeRunStarted(), fact('run.ended', { status: 'done' }));
    expect(spans.map(({ links }) => links)).toEqual([undefined]);
  });

  it('is accepted only in the format of W3C Trace Context', () => {
    const { trace, span } = one;
    const good = `00-${trace}-${span}-01`;
    expect(readCaller(good)).toEqual(one);
    expect(readCaller(writeCaller(one))).toEqual(one);
    // In a later version of Trace Context, such as `cc`, the header `traceparent` may have more fields.
    expect(readCaller(`cc-${trace}-${span}-01-what-comes`)).toEqual(one);
    for (const wrong of [
      ...[undefined, 7, {}, [], '', 'x', `${good} `, ` ${good}`, `${good}\n`, good.toUpperCase()],
      ...[`${good}-more`, `ff-${trace}-${span}-01`, `00-${'0'.repeat(32)}-${span}-01`],
      ...[`00-${trace}-${'0'.repeat(16)}-01`, `00-${trace}-${span}`, `00-${trace}-${span}-1`],
      ...[`00-${trace}0-${span}-01`, `00-${trace}-${span}-01\u0000`, `cc-${trace}-${span}-01x`],
    ])
      expect(readCaller(wrong), JSON.stringify(wrong)).toBeUndefined();
  });
});

describe('sending spans during a run', () => {
  type Answer = (response: ServerResponse) => void;
  const answerEmpty: Answer = (response) => response.end('{}');
  const makeAnswer =
    (status: number, headers: Record<string, string>, body = ''): Answer =>
    (response) =>
      response.writeHead(status, headers).end(body);

  async function startCollector(answer: Answer) {
    const bodies: string[] = [];
    const heads: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        bodies.push(body);
        heads.push(`${request.url} ${request.headers['x-key']} ${request.headers['content-type']}`);
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { bodies, heads, url: `http://127.0.0.1:${port}` };
  }

  function liveTo(url: string): { readonly bus: Bus; readonly live: LiveSpans } {
    const headers = 'x-key=a%20b';
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers };
    const place = findCollector(env);
    if (place === undefined) throw new Error('no collector');
    const bus = new Bus();
    return { bus, live: new LiveSpans(place, '0', bus, [], {}) };
  }

  it('sends the spans that an export contains', async () => {
    const { bodies, heads, url } = await startCollector(answerEmpty);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
      OTEL_RESOURCE_ATTRIBUTES: 'team=x',
    };
    const bus = new Bus();
    const place = findCollector(env);
    if (place === undefined) throw new Error('no collector');
    const live = new LiveSpans(place, '0', bus, [], {});
    bus.facts(makeStory());
    await live.close(CLOSE_LIMIT_MS);
    expect(heads[0]).toBe('/v1/traces a b application/json');
    const sent = bodies.flatMap((body) => readTrace(body).spans);
    expect(sent).toEqual(readTrace(traceText(makeStory(), {}, {})).spans);
    expect(readTrace(bodies[0] ?? '').resource.get('team')).toBe('x');
  });

  it.each<[string, Answer]>([
    ['asks the program to wait', makeAnswer(429, { 'retry-after': '1' })],
    ['is overloaded', makeAnswer(503, { 'retry-after': '0' }, '{"code":14,"message":"later"}')],
    ['refuses the request', makeAnswer(400, {}, '{"message":"no"}')],
    [
      'rejects some of the spans',
      makeAnswer(200, {}, '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"no"}}'),
    ],
    ['answers nonsense', makeAnswer(200, {}, '\u0000{')],
    ['cuts the connection', (response) => response.destroy()],
    [
      'breaks off its answer',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{');
        setImmediate(() => response.destroy());
      },
    ],
    [
      'never ends its answer',
      (response) => {
        response.writeHead(200).write('{');
      },
    ],
  ])('sends each span once, without a retry, even if the collector %s', async (_how, answer) => {
    const { bodies, url } = await startCollector(answer);
    const { bus, live } = liveTo(url);
    bus.facts(makeStory());
    await live.close(CLOSE_LIMIT_MS);
    expect(bodies.flatMap((body) => readTrace(body).spans)).toEqual(
      readTrace(traceText(makeStory(), {}, {})).spans,
    );
  });

  it('follows no redirect of a collector', async () => {
    const other = await startCollector(answerEmpty);
    const { bodies, url } = await startCollector(
      makeAnswer(307, { location: `${other.url}/v1/traces` }),
    );
    const { bus, live } = liveTo(url);
    bus.facts(makeStory());
    await live.close(CLOSE_LIMIT_MS);
    expect([bodies.length, other.bodies.length]).toEqual([1, 0]);
  });

  it.each(['hangs', 'is not there'])(
    'delays the end of a run by at most half a second if the collector %s',
    async (how) => {
      const url =
        how === 'hangs' ? (await startCollector(() => undefined)).url : 'http://127.0.0.1:9';
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const { bus, live } = liveTo(url);
      for (let round = 0; round < 200; round += 1) bus.facts(makeStory());
      let isClosed = false;
      const closed = live.close().then(() => {
        isClosed = true;
      });
      await turnLoop(50);
      if (how === 'hangs') expect(isClosed).toBe(false);
      const limitOfClose = 500;
      vi.advanceTimersByTime(limitOfClose);
      await turnLoop(1_000);
      expect(isClosed).toBe(true);
      await closed;
    },
  );

  it('sends nothing unless the environment names a collector', () => {
    expect(findCollector({})).toBeUndefined();
    expect(findCollector({ OTEL_EXPORTER_OTLP_ENDPOINT: 'file:///x' })).toBeUndefined();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example:4318' };
    expect(findCollector({ ...env, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(findCollector(env)?.url).toBe('http://c.example:4318/v1/traces');
    expect(
      findCollector({ ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/in' })?.url,
    ).toBe('https://t.example/in');
  });
});
