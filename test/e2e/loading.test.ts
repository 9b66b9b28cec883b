/**
 * Tests a server that is still loading its model when a command looks for models, as llama.cpp does for
 * seconds or minutes.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startOpenAI } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { closeAfterTest, makeDatabasePath } from './scene.ts';

/**
 * Starts a server that answers the first requests for its list of models with 503. It passes every other
 * request on to a server that has loaded its model. Resolves to its address.
 */
async function loadingFor(requests: number): Promise<string> {
  const loaded = closeAfterTest(await startOpenAI({ models: ['tiny'] }));
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    if (request.url === '/v1/models' && asked <= requests) {
      const error = { code: 503, message: 'Loading model', type: 'unavailable_error' };
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error }));
      return;
    }
    const body = await text(request);
    const answer = await fetch(`${loaded.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
    });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

it('a run waits for a server that is loading its model', async () => {
  const env = {
    OPENAI_BASE_URL: await loadingFor(2),
    OLLAMA_HOST: 'http://127.0.0.1:9',
    DELIBERATE_DB: makeDatabasePath(),
  };
  const { code, out, err } = await runDeliberate(['board', '--plain', 'Should we?'], { env });
  expect(code, err).toBe(0);
  expect(err).toMatch(/^openai at .* is loading its model; waiting up to 10 minutes …$/m);
  expect(out).toContain('openai/tiny');
});

it('a command that only lists models names a server that is still loading its model', async () => {
  const env = { OPENAI_BASE_URL: await loadingFor(1_000), OLLAMA_HOST: 'http://127.0.0.1:9' };
  const { out } = await runDeliberate(['models'], { env });
  expect(out).toContain('Loading model');
});
