/** Protocols whose prompts cannot fit a server's window: refused before anything is asked. */
import { expect, it } from 'vitest';
import { startOpenAI } from '../servers/index.ts';
import { call } from './calls.ts';
import { database, serve } from './scene.ts';

it.each([
  ['rounds', ['rounds', '--rounds', '1'], 'a deliberation in rounds'],
  ['plan', ['plan'], 'a plan'],
])('%s says which window it needs, and asks no model', async (_name, command, what) => {
  const described = { meta: { n_ctx: 2_048, n_ctx_train: 8_192, n_vocab: 49_152 } };
  const server = serve(await startOpenAI({ models: ['tiny'], described }));
  const env = {
    OPENAI_BASE_URL: `${server.url}/v1`,
    OLLAMA_HOST: 'http://127.0.0.1:9',
    DELIBERATE_DB: database(),
  };
  const { code, err } = await call([...command, '--plain', '--yes', 'Should we split it?'], {
    env,
  });
  expect(code, err).toBe(2);
  expect(err).toMatch(
    new RegExp(`${what} needs a context of at least \\d,\\d{3} tokens for .*openai/tiny has 2,048`),
  );
  expect(server.chats()).toEqual([]);
});
