/** What the doctor says, by plain values: no server is asked here. */
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/models/failure.ts';
import {
  type HostMeasured,
  hostVerdicts,
  type ModelMeasured,
  modelVerdicts,
} from '../../src/models/probe/verdicts.ts';

const FAILURE: Failure = {
  code: 'server',
  message: 'ollama: it broke',
  next: 'Mend it',
  retry: false,
};
const ANSWER = { firstTokenMs: 400, ms: 2_400, output: 100, thought: false };
const MODEL: ModelMeasured = { spec: 'ollama/x', window: 32_768, answer: ANSWER };
const formatVerdicts = (measured: Partial<ModelMeasured>) =>
  modelVerdicts({ ...MODEL, ...measured }).map(({ mark, says }) => `${mark}: ${says}`);

describe("The doctor's verdict on a model", () => {
  test('reports only the failure if the model does not answer', () => {
    expect(modelVerdicts({ ...MODEL, answer: FAILURE, schema: { given: 'obeyed' } })).toEqual([
      { mark: 'fail', subject: 'ollama/x', says: 'it broke', next: 'Mend it' },
    ]);
  });

  test.each([
    ['ok: answers: first token after 0.4 s, then 50 tokens/s', ANSWER],
    [
      'ok: answers: first token after 0.4 s, then 50 tokens/s, thinks first',
      { ...ANSWER, thought: true },
    ],
    ['warn: answers: first token after 0.4 s, then 5 tokens/s', { ...ANSWER, output: 10 }],
    [
      'warn: answers: first token after 31 s, then 50 tokens/s',
      { ...ANSWER, firstTokenMs: 31_000, ms: 33_000 },
    ],
    // An answer of two tokens is too short to measure the speed of the model, so the line does not name a
    // speed.
    ['ok: answers: first token after 0.4 s', { ...ANSWER, output: 2 }],
  ])('reports how fast the model answers, and warns if it is slow: "%s"', (line, answer) => {
    expect(formatVerdicts({ answer })[0]).toBe(line);
  });

  test.each([
    ['the next call is unknown', /loading its model or busy with other requests/, undefined],
    ['the next call is fast', /it was still loading; keep it loaded/, { closedMs: 5, nextMs: 400 }],
    [
      'the next call is slow',
      /it is busy with other requests, or too slow/,
      { closedMs: 5, nextMs: 25_000 },
    ],
  ])('guesses why the first answer was slow: %s', (_when, next, cancel) => {
    const answer = { ...ANSWER, firstTokenMs: 31_000, ms: 33_000 };
    expect(modelVerdicts({ ...MODEL, answer, cancel })[0]?.next).toMatch(next);
  });

  test.each([
    ['ok: follows a JSON schema', { given: 'obeyed' }],
    ['ok: follows a JSON schema', { given: 'obeyed', unthinking: 'obeyed' }],
    [
      'ok: follows a JSON schema while it thinks, but not with thinking off',
      { given: 'obeyed', unthinking: 'ignored' },
    ],
    [
      'warn: a JSON schema is ignored while it thinks, and followed with thinking off',
      { given: 'ignored', unthinking: 'obeyed' },
    ],
    [
      'warn: a JSON schema is refused, and followed when put in the prompt',
      { given: 'refused', inWords: 'obeyed' },
    ],
    [
      'fail: a JSON schema is ignored, even in the prompt: not usable in rounds or as a verifier',
      { given: 'ignored', inWords: 'ignored' },
    ],
    [
      'warn: cannot tell whether it follows a JSON schema: the calls failed or were cut off',
      { given: 'ignored', inWords: 'failed' },
    ],
  ] as const)('says whether the model follows schemas: "%s"', (line, schema) => {
    expect(formatVerdicts({ schema })[1]).toBe(line);
  });

  test.each([
    ['ok: context of 32,768 tokens', 32_768, undefined],
    [
      'ok: context of 32,768 tokens; a prompt of 6,500 arrived whole',
      32_768,
      { sent: 6_500, read: 6_400 },
    ],
    [
      "warn: only 2,048 of a prompt's 6,500 tokens arrived: the server truncates silently",
      32_768,
      { sent: 6_500, read: 2_048 },
    ],
    // A server that reports 0 read tokens does not count tokens at all, so it is not accused of truncating
    // the prompt.
    [
      'ok: context of 32,768 tokens; a prompt of 6,500 arrived whole',
      32_768,
      { sent: 6_500, read: 0 },
    ],
    ['warn: context of 4,096 tokens', 4_096, undefined],
    ['warn: its context length is unknown', undefined, undefined],
    ['warn: a long prompt fails: it broke', 32_768, FAILURE],
  ])(
    'says how long the context window is, and whether a long prompt arrived whole: "%s"',
    (line, window, context) => {
      expect(formatVerdicts({ window, context })[1]).toBe(line);
    },
  );

  test.each([
    ['ok: a stop takes 0.0 s, the next call answers after 0.5 s', { closedMs: 3, nextMs: 500 }],
    ['ok: a stop takes 0.0 s', { closedMs: 3 }],
    ['warn: a stopped call takes 1.5 s to close its connection', { closedMs: 1_500 }],
    [
      'warn: after a stop the next call waits 4.0 s: the server keeps working on the stopped one',
      { closedMs: 3, nextMs: 4_000 },
    ],
    ['warn: after a stopped call the next one fails: it broke', FAILURE],
  ])('says how long a stop and the next answer take: "%s"', (line, cancel) => {
    expect(formatVerdicts({ cancel })[2]).toBe(line);
  });

  test('has advice for every problem', () => {
    const bad: Partial<ModelMeasured>[] = [
      { answer: { ...ANSWER, output: 10 } },
      { schema: { given: 'ignored', inWords: 'ignored' } },
      { window: undefined },
      { context: { sent: 6_500, read: 2_048 } },
      { cancel: { closedMs: 5_000 } },
    ];
    for (const measured of bad)
      for (const { mark, next } of modelVerdicts({ ...MODEL, ...measured }))
        expect(next === undefined).toBe(mark === 'ok');
  });
});

describe("The doctor's verdict on a server", () => {
  const host: HostMeasured = {
    name: 'ollama',
    endpoint: 'http://box:1',
    version: '0.12.0',
    listed: 2,
  };
  const formatVerdicts = (more: Partial<HostMeasured>) =>
    hostVerdicts({ ...host, ...more }).map(({ mark, says }) => `${mark}: ${says}`);

  test.each([
    [['ok: version 0.12.0 at http://box:1: 2 models'], {}],
    [['ok: http://box:1: 1 model'], { version: undefined, listed: 1 }],
    [['warn: version 0.12.0 at http://box:1: no models'], { listed: 0 }],
    [['fail: it broke'], { listed: FAILURE }],
    [
      ['ok: version 0.12.0 at http://box:1: 2 models', 'ok: a and b stay loaded side by side'],
      { together: { called: ['a', 'b'], loaded: ['b', 'a'] } },
    ],
    [
      [
        'ok: version 0.12.0 at http://box:1: 2 models',
        'warn: a and b push each other out of memory: their calls take turns',
      ],
      { together: { called: ['a', 'b'], loaded: ['b'] } },
    ],
  ])(
    'has the lines %j for a server of version 0.12.0 with 2 models, except that it was measured with %j',
    (lines, more) => {
      expect(formatVerdicts(more)).toEqual(lines);
    },
  );
});
