/** Tests that keys never leave the code of the models, whoever repeats them. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeRedactor } from '../../src/models/redact.ts';
import { formsOfAll, SecretFilter } from '../../src/models/secrets.ts';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { callModel, getFailure, modelsFor } from './ask.ts';

const CANARY = 'canary-7f3a-zx81-not-like-a-key';

test.each([
  [`invalid key: ${CANARY}`, 'invalid key: [key]'],
  [`twice ${CANARY}, ${CANARY}`, 'twice [key], [key]'],
  ['Incorrect API key provided: sk-proj-abc123_DEF-456.', 'Incorrect API key provided: [key].'],
  ['sk-ant-api03-AbCdEf123456 was refused', '[key] was refused'],
  ['header was "Bearer abcdef123456"', 'header was "[key]"'],
  ['x-api-key: abcdef123456', '[key]'],
  ['see http://me:secret@host:1/v1', 'see http://host:1/v1'],
  ['the task-list and risk-free words stay', 'the task-list and risk-free words stay'],
  ['a bearer of bad news', 'a bearer of bad news'],
])('redacting turns %j into %j', (text, clean) => {
  expect(makeRedactor({ OPENAI_API_KEY: CANARY })(text)).toBe(clean);
});

test('placeholders in place of a key are not redacted', () => {
  expect(makeRedactor({ OPENAI_API_KEY: 'ollama' })('ollama: no bytes')).toBe('ollama: no bytes');
});

test('a key is in no result, event or list of models, even if a provider repeats the key in an error', async () => {
  const echo = { status: 500, echoKey: true, message: 'your key is' } as const;
  const ollama = await startOllama({ behaviours: { alpha: echo } });
  const anthropic = await startAnthropic({ behaviours: { 'claude-alpha': echo } });
  const openai = await startOpenAI({ behaviours: { alpha: echo } });
  const { host } = new URL(ollama.url);
  const env = {
    OLLAMA_HOST: `http://me:${CANARY}@${host}`,
    ANTHROPIC_API_KEY: CANARY,
    OPENAI_API_KEY: CANARY,
  };
  const models = modelsFor({ anthropic, openai }, { env });
  for (const spec of ['anthropic/claude-alpha', 'openai/alpha', 'ollama/alpha']) {
    const asked = await callModel(models, spec);
    expect(getFailure(asked.result).message).toContain('your key is');
    const heard = JSON.stringify(asked);
    expect(heard).not.toContain(CANARY);
    expect(heard).not.toContain(Buffer.from(`me:${CANARY}`).toString('base64'));
  }
  const sent = [anthropic, openai].map((server) => JSON.stringify(server.chats()[0]?.headers));
  for (const headers of sent) expect(headers).toContain(CANARY);
  expect(JSON.stringify(await models.list())).not.toContain(CANARY);
  for (const server of [ollama, anthropic, openai]) await server.close();
});

test('a key in the model name that a server reports with its answer is replaced by [key]', async () => {
  const openai = await startOpenAI({ models: ['alpha'], served: () => `model-${CANARY}` });
  const models = modelsFor({ openai }, { env: { OPENAI_API_KEY: CANARY } });
  const { result } = await callModel(models, 'openai/alpha');
  expect(result).toMatchObject({ status: 'done', served: 'model-[key]' });
  await openai.close();
});

/** With spaces, at which the test servers cut their pieces. */
const SPACED = 'canary 7f3a zx81 of-four words';
const START = { ollama: startOllama, anthropic: startAnthropic, openai: startOpenAI };
const NAMES = ['ollama', 'anthropic', 'openai'] as const;

describe.each(NAMES)('text that the program receives from %s', (name) => {
  const model = name === 'anthropic' ? 'claude-alpha' : 'alpha';

  async function askWithAnswer(answer: string, asking: Parameters<typeof callModel>[2] = {}) {
    const server = await START[name]({ answer, models: [model, `${name}-${CANARY}`] });
    const { host } = new URL(server.url);
    const env = {
      OPENAI_API_KEY: SPACED,
      ANTHROPIC_API_KEY: CANARY,
      // The password in Ollama's address is a secret, too, and is masked also in the answers of other
      // providers.
      OLLAMA_HOST: `http://me:${encodeURIComponent(SPACED)}@${name === 'ollama' ? host : '127.0.0.1:9'}`,
    };
    const models = modelsFor({ [name]: server }, { env });
    const asked = await callModel(models, `${name}/${model}`, asking);
    const list = JSON.stringify(await models.list());
    await server.close();
    const getStreamed = (type: string) =>
      asked.events
        .map((event) => (event.type === type && 'text' in event ? event.text : ''))
        .join('');
    return { ...asked, list, text: getStreamed('text'), thought: getStreamed('thinking') };
  }

  test('has every secret replaced by [key], even a secret that is split between pieces of the stream', async () => {
    const { result, events, text, thought } = await askWithAnswer(
      `<think>They gave me ${SPACED} to use.</think>It is ${SPACED}, or ${CANARY}: a canary 7f3a zx`,
    );
    expect(result).toMatchObject({
      status: 'done',
      text: 'It is [key], or [key]: a canary 7f3a zx',
      thinking: 'They gave me [key] to use.',
      notes: [`${name}: an API key repeated by the server was removed`],
    });
    expect({ text, thought }).toEqual({ text: result.text, thought: result.thinking });
    expect(JSON.stringify(events)).not.toContain(CANARY);
  });

  test('has a secret replaced by [key] in a structured answer', async () => {
    const schema = z.object({ position: z.string(), confidence: z.number() });
    const { result } = await askWithAnswer(
      JSON.stringify({ position: `I was given ${SPACED}`, confidence: 1 }),
      {
        schema,
      },
    );
    expect(result).toMatchObject({
      status: 'done',
      value: { position: 'I was given [key]', confidence: 1 },
    });
    expect(JSON.stringify(result)).not.toContain(SPACED);
  });

  test('has a secret replaced by [key] in the name of a model', async () => {
    const { list } = await askWithAnswer('Yes.');
    expect(list).toContain(`${name}-[key]`);
    expect(list).not.toContain(CANARY);
  });

  test('stays unchanged if it contains no secret', async () => {
    const { result, text } = await askWithAnswer(
      'Canaries of four words: canary 7f3a, and no more.',
    );
    expect(result).toMatchObject({
      text: 'Canaries of four words: canary 7f3a, and no more.',
      notes: [],
    });
    expect(text).toBe(result.text);
  });
});

describe('the filter that redacts secrets', () => {
  const filterPieces = (pieces: readonly string[], secrets: readonly string[]) => {
    const filter = new SecretFilter(formsOfAll(secrets));
    return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
  };

  test.each([
    [[CANARY], `a ${CANARY} b ${CANARY}${CANARY} c`, 'a [key] b [key][key] c'],
    // In the next four rows, a secret overlaps with another secret or with itself. The rest of an overlapping
    // secret is not masked.
    [['abcdefgh', 'abcdefghijkl'], 'abcdefgh abcdefghijkl abcdefghij', '[key] [key] [key]ij'],
    [['me:abcdefgh', 'abcdefgh'], 'me:abcdefgh me:abc abcdefgh', '[key] me:abc [key]'],
    [['aabaabaab'], 'aabaabaabaab aabaab', '[key]aab aabaab'],
    [['hgfedcba', 'cba12345'], 'hgfedcba12345', '[key]12345'],
    [[], CANARY, CANARY],
    [['short', 'not-needed'], 'short and not-needed', 'short and not-needed'],
  ])(
    'replaces those of %j that count as secrets in the text %j, wherever the text is cut into pieces',
    (secrets, text, clean) => {
      for (let start = 0; start <= text.length; start++)
        for (let end = start; end <= text.length; end++)
          expect(
            filterPieces([text.slice(0, start), text.slice(start, end), text.slice(end)], secrets),
          ).toBe(clean);
      expect(filterPieces([...text], secrets)).toBe(clean);
    },
  );

  test('delays only text that may be the beginning of a secret', () => {
    const filter = new SecretFilter(formsOfAll([CANARY]));
    expect([filter.push('It may '), filter.push('be a can'), filter.push('dle.')]).toEqual([
      'It may ',
      'be a ',
      'candle.',
    ]);
  });

  test('replaces every one of 100,000 repetitions of a key in one piece of text', () => {
    const filter = new SecretFilter(formsOfAll([CANARY, SPACED, 'another-key-altogether']));
    expect(filter.push(CANARY.repeat(100_000))).toBe('[key]'.repeat(100_000));
  });
});
