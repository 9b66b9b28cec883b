/** What the doctor remembers: kept by plain values, and acted on by the gateway on real connections. */
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { ModelMeasured } from '../../src/models/probe/verdicts.ts';
import {
  canKeepTwoModels,
  findReaderResult,
  NO_PROFILES,
  type Profiles,
  parseProfiles,
  profileFor,
  withMeasured,
  withReaderResult,
} from '../../src/models/profiles.ts';
import { startOllama, type TestServer } from '../servers/index.ts';
import { callModel, getFailure, makeUserMessage, modelsFor } from './ask.ts';

const BOX = 'http://me:secret@box:11434';
const AT = '2026-01-01T00:00:00.000Z';
const NOW = Date.parse(AT) + 1_000;
const DAY = 86_400_000;
const MEASURED: ModelMeasured = {
  spec: 'ollama/x',
  window: 32_768,
  answer: { firstTokenMs: 400.4, ms: 2_400.4, output: 100, thought: false },
  schema: { given: 'obeyed' },
};

function makeProfiles(
  more: Partial<ModelMeasured> = {},
  { endpoint = BOX, at = AT, edition = 'e1' as string | undefined, name = 'x' } = {},
): Profiles {
  const host = {
    name: 'ollama',
    endpoint,
    listed: 1,
    together: { called: ['x', 'y'], loaded: ['y'] },
  };
  return withMeasured(
    NO_PROFILES,
    host,
    [{ name, edition, measured: { ...MEASURED, ...more } }],
    at,
  );
}

describe('A profile (the stored measurements of a model)', () => {
  test('is used until it is too old or the model’s edition changes', () => {
    const profiles = makeProfiles();
    expect(profileFor(profiles, BOX, 'x', 'e1', NOW)).toEqual({
      at: AT,
      edition: 'e1',
      schema: 'given',
      firstTokenMs: 400,
      rate: 50,
    });
    expect(profileFor(profiles, BOX, 'x', 'e2', NOW)).toBeUndefined();
    expect(profileFor(profiles, BOX, 'x', undefined, NOW)).toBeUndefined();
    expect(profileFor(profiles, BOX, 'y', 'e1', NOW)).toBeUndefined();
    expect(profileFor(profiles, BOX, 'constructor', 'e1', NOW)).toBeUndefined();
    expect(profileFor(profiles, 'http://other:11434', 'x', 'e1', NOW)).toBeUndefined();
    expect(profileFor(profiles, BOX, 'x', 'e1', NOW + 29 * DAY)).toBeDefined();
    expect(profileFor(profiles, BOX, 'x', 'e1', NOW + 30 * DAY)).toBeUndefined();
    expect(canKeepTwoModels(profiles, BOX, NOW)).toBe(false);
    expect(canKeepTwoModels(profiles, BOX, NOW + 30 * DAY)).toBeUndefined();
  });

  test.each([
    [
      'followed its schema only without thinking',
      { schema: 'unthinking' },
      { schema: { given: 'ignored', unthinking: 'obeyed' } as const },
    ],
    [
      'followed its schema only in the prompt',
      { schema: 'words' },
      { schema: { given: 'ignored', inWords: 'obeyed' } as const },
    ],
    [
      'followed no schema',
      { schema: 'never' },
      { schema: { given: 'ignored', inWords: 'ignored' } as const },
    ],
    [
      'read only a part of a long prompt',
      { window: 2_048 },
      { context: { sent: 6_500, read: 2_048 } },
    ],
  ])('of a model that %s has the fields %j', (_what, says, measured) => {
    expect(profileFor(makeProfiles(measured), BOX, 'x', 'e1', NOW)).toMatchObject(says);
  });

  test.each([
    [
      'schema',
      'the calls with a schema failed',
      { schema: { given: 'failed', inWords: 'failed' } as const },
    ],
    [
      'schema',
      'only the call without thinking failed',
      { schema: { given: 'ignored', unthinking: 'failed', inWords: 'ignored' } as const },
    ],
    ['window', 'the model read the whole prompt', { context: { sent: 6_500, read: 6_400 } }],
  ])('lacks the field "%s" if, when the doctor measured the model, %s', (field, _why, measured) => {
    expect(profileFor(makeProfiles(measured), BOX, 'x', 'e1', NOW)).not.toHaveProperty(field);
  });

  test('is kept when only another model of the server is measured', () => {
    const more = withMeasured(
      makeProfiles(),
      { name: 'ollama', endpoint: BOX, listed: 1 },
      [{ name: 'y', edition: 'e1', measured: MEASURED }],
      AT,
    );
    expect(profileFor(more, BOX, 'x', 'e1', NOW)).toBeDefined();
    expect(profileFor(more, BOX, 'y', 'e1', NOW)).toBeDefined();
    expect(canKeepTwoModels(more, BOX, NOW)).toBe(false);
    expect(JSON.stringify(more)).not.toMatch(/secret|box/);
    expect(parseProfiles(JSON.parse(JSON.stringify(more)))).toEqual(more);
  });

  test.each([[{ v: 2, hosts: {} }], [undefined], [null], [[]], [{}], [{ v: 1, hosts: { a: 1 } }]])(
    'is not read from a file with invalid content or of another version: %j',
    (json) => {
      expect(parseProfiles(json)).toBeUndefined();
    },
  );
});

describe('The stored result of a model in the entrance test of readers', () => {
  const RESULT = { items: 24, errors: 2, calledTrue: 1 };
  const READER = { at: AT, edition: 'e1', ...RESULT };

  test('is used while it is recent and the server has the same edition of the model', () => {
    const profiles = withReaderResult(NO_PROFILES, BOX, 'x', READER);
    expect(findReaderResult(profiles, BOX, 'x', 'e1', NOW)).toEqual(READER);
    expect(findReaderResult(profiles, BOX, 'x', 'e2', NOW)).toBeUndefined();
    expect(findReaderResult(profiles, BOX, 'constructor', 'e1', NOW)).toBeUndefined();
    expect(findReaderResult(profiles, 'http://other:11434', 'x', 'e1', NOW)).toBeUndefined();
    expect(findReaderResult(profiles, BOX, 'x', 'e1', NOW + 29 * DAY)).toBeDefined();
    expect(findReaderResult(profiles, BOX, 'x', 'e1', NOW + 30 * DAY)).toBeUndefined();
    expect(parseProfiles(JSON.parse(JSON.stringify(profiles)))).toEqual(profiles);
    // `profileFor` returns only what the doctor has measured. The result of a reading test is no such
    // measurement, so `profileFor` returns nothing here.
    expect(profileFor(profiles, BOX, 'x', 'e1', NOW)).toBeUndefined();
  });

  test('survives a new measurement by the doctor', () => {
    const later = { ...READER, at: new Date(NOW + 20 * DAY).toISOString(), errors: 9 };
    const both = withReaderResult(makeProfiles(), BOX, 'x', later);
    expect(profileFor(both, BOX, 'x', 'e1', NOW)).toEqual(
      profileFor(makeProfiles(), BOX, 'x', 'e1', NOW),
    );
    expect(canKeepTwoModels(both, BOX, NOW + 30 * DAY)).toBeUndefined();
    expect(
      findReaderResult(withReaderResult(both, BOX, 'x', READER), BOX, 'x', 'e1', NOW + 21 * DAY),
    ).toEqual(later);
    const host = { name: 'ollama', endpoint: BOX, listed: 1 };
    const measured = withMeasured(both, host, [], AT);
    expect(findReaderResult(measured, BOX, 'x', 'e1', NOW + 21 * DAY)).toEqual(later);
  });
});

describe('The gateway, when it has stored measurements by the doctor,', () => {
  const schema = z.object({ position: z.string() });
  const at = new Date().toISOString();
  const edition = 'dddddddddddd on 0.12.0';
  function closeAfterTest<T extends TestServer>(server: T): T {
    onTestFinished(() => server.close());
    return server;
  }

  test('describes the schema in the prompt for a model that ignores schemas', async () => {
    const ollama = closeAfterTest(await startOllama({ schemas: { alpha: 'obeys-words' } }));
    const profiles = makeProfiles(
      { schema: { given: 'ignored', inWords: 'obeyed' } },
      { endpoint: ollama.url, at, edition, name: 'alpha' },
    );
    const { result } = await callModel(modelsFor({ ollama }, { profiles }), 'ollama/alpha', {
      schema,
    });
    expect(result).toMatchObject({ status: 'done', value: { position: 'spring' }, attempts: 1 });
    expect(result.notes).toEqual([
      `the schema was put in the prompt, as the doctor found on ${at.slice(0, 10)}`,
    ]);
    expect(ollama.chats()[0]?.body?.format).toBeUndefined();
    // Without the profile, the program learns only from a first answer that the model ignores schemas, and
    // has to ask the model twice.
    const plain = await callModel(modelsFor({ ollama }), 'ollama/alpha', { schema });
    expect(plain.result.attempts).toBe(2);
  });

  test('turns thinking off in calls with a schema if the model follows schemas only without thinking', async () => {
    const ollama = closeAfterTest(
      await startOllama({
        schemas: { alpha: 'obeys-unthinking' },
        behaviours: { alpha: 'thinking' },
      }),
    );
    const profiles = makeProfiles(
      { schema: { given: 'ignored', unthinking: 'obeyed' } },
      { endpoint: ollama.url, at, edition, name: 'alpha' },
    );
    const models = modelsFor({ ollama }, { profiles });
    const { result } = await callModel(models, 'ollama/alpha', { schema });
    expect(result).toMatchObject({ status: 'done', attempts: 1, thinking: '' });
    expect((await callModel(models, 'ollama/alpha')).result.thinking).not.toBe('');
    expect(ollama.chats().map(({ body }) => body?.think)).toEqual([false, undefined]);
  });

  test('rejects a prompt that is longer than the measured context window', async () => {
    const ollama = closeAfterTest(await startOllama());
    const messages = [makeUserMessage('word '.repeat(3_000))];
    const cut = { context: { sent: 6_500, read: 2_048 } };
    const about = { endpoint: ollama.url, at, edition, name: 'alpha' };
    const refused = await callModel(
      modelsFor({ ollama }, { profiles: makeProfiles(cut, about) }),
      'ollama/alpha',
      {
        messages,
      },
    );
    expect(getFailure(refused.result)).toMatchObject({ code: 'too-long', window: 2_048 });
    const older = makeProfiles(cut, { ...about, edition: 'another on 0.11.0' });
    const sent = await callModel(modelsFor({ ollama }, { profiles: older }), 'ollama/alpha', {
      messages,
    });
    expect(sent.result.status).toBe('done');
  });

  test('groups the calls by model if the server keeps only one model loaded', async () => {
    const ollama = closeAfterTest(
      await startOllama({ loadOneAtATime: true, behaviours: { gamma: 'stall-mid-stream' } }),
    );
    const models = modelsFor(
      { ollama },
      { profiles: makeProfiles({}, { endpoint: ollama.url, at }) },
    );
    // A call of the model `gamma` keeps the server busy until four calls, of `alpha`, `beta`, `alpha` and
    // `beta`, wait in the queue.
    const stop = new AbortController();
    const holding = callModel(models, 'ollama/gamma', { signal: stop.signal });
    await expect.poll(() => ollama.chats().length).toBe(1);
    const queued = new Set<number>();
    const four = ['alpha', 'beta', 'alpha', 'beta'].map((model, index) =>
      callModel(models, `ollama/${model}`, {
        onEvent: ({ type }) => {
          if (type === 'queued') queued.add(index);
        },
      }),
    );
    await expect.poll(() => queued.size).toBe(4);
    stop.abort();
    await Promise.all([holding, ...four]);
    expect(ollama.loads()).toBe(3);
  });
});
