/** Keys never leave this room, whoever repeats them. */
import { expect, test } from 'vitest';
import { redactor } from '../../src/models/redact.ts';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { ask, failure, modelsFor } from './ask.ts';

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
])('%s', (text, clean) => {
  expect(redactor({ OPENAI_API_KEY: CANARY })(text)).toBe(clean);
});

test('words that stand in for a key are left alone', () => {
  expect(redactor({ OPENAI_API_KEY: 'ollama' })('ollama: no bytes')).toBe('ollama: no bytes');
});

test('a provider that repeats the key is not quoted with it, anywhere', async () => {
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
    const asked = await ask(models, spec);
    expect(failure(asked.result).message).toContain('your key is');
    const heard = JSON.stringify(asked);
    expect(heard).not.toContain(CANARY);
    expect(heard).not.toContain(Buffer.from(`me:${CANARY}`).toString('base64'));
  }
  const sent = [anthropic, openai].map((server) => JSON.stringify(server.chats()[0]?.headers));
  for (const headers of sent) expect(headers).toContain(CANARY);
  expect(JSON.stringify(await models.list())).not.toContain(CANARY);
  for (const server of [ollama, anthropic, openai]) await server.close();
});
