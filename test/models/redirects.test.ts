/**
 * Tests that no part of a request leaves the server to which it was sent, wherever a redirect of this server
 * leads.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordedRequest, ServerOptions } from '../servers/index.ts';
import { startAnthropic, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { callModel, getFailure, modelsFor } from './ask.ts';

type Name = 'ollama' | 'anthropic' | 'openai';
const START = { ollama: startOllama, anthropic: startAnthropic, openai: startOpenAI };
const SPECS = {
  ollama: 'ollama/alpha',
  anthropic: 'anthropic/claude-alpha',
  openai: 'openai/alpha',
};
const VARIABLES = {
  ollama: 'OLLAMA_HOST',
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
};
const KEYS = {
  ANTHROPIC_API_KEY: 'canary-key-of-anthropic',
  OPENAI_API_KEY: 'canary-key-of-openai',
};

async function startServer(name: Name, redirect?: ServerOptions['redirect']): Promise<TestServer> {
  const server = await START[name](redirect ? { redirect } : {});
  onTestFinished(() => server.close());
  return server;
}

const isChat = ({ path }: RecordedRequest) => /chat|messages/.test(path);

describe.each(['ollama', 'anthropic', 'openai'] as const)('the provider %s', (name) => {
  test.each([301, 302, 303, 307, 308])(
    'does not follow a redirect with the status %d to another server',
    async (status) => {
      const there = await startServer(name);
      const here = await startServer(name, ({ path }) => ({
        status,
        location: `${there.url}${path}?k=1`,
      }));
      const models = modelsFor({ [name]: here }, { env: KEYS });
      const { result } = await callModel(models, SPECS[name]);
      const endpoint = `${here.url}${name === 'openai' ? '/v1' : ''}`;
      expect(getFailure(result)).toMatchObject({
        code: 'redirected',
        message: `${name}: ${endpoint} redirects to another server, ${there.url} (HTTP ${status}); nothing was sent there`,
        next: `If you trust ${there.url}, set ${VARIABLES[name]} to it`,
        attempts: 1,
      });
      const listing = (await models.list()).find((provider) => provider.name === name);
      expect(listing?.models).toEqual([]);
      expect(listing?.error).toContain(`redirects to another server, ${there.url}`);
      expect(await models.window(SPECS[name])).toBeUndefined();
      expect(there.requests).toEqual([]);
      expect(here.chats()).toHaveLength(1);
    },
  );

  test('treats another scheme or port as another server', async () => {
    for (const [location, words] of [
      ['https://127.0.0.1/x', 'https://127.0.0.1'],
      ['//127.0.0.1:2/x', 'http://127.0.0.1:2'],
      ['http://me:secret@elsewhere.invalid/x', 'http://elsewhere.invalid'],
      ['file:///etc/passwd', 'file: address'],
    ] as const) {
      const here = await startServer(name, () => ({ status: 307, location }));
      const { code, message } = getFailure(
        (await callModel(modelsFor({ [name]: here }), SPECS[name])).result,
      );
      expect({ code, message }).toEqual({
        code: 'redirected',
        message: expect.stringContaining(`another server, ${words} (HTTP 307)`),
      });
    }
  });

  test.each([307, 308])(
    'follows a redirect with the status %d within its server',
    async (status) => {
      const seen = new Set<string>();
      const here = await startServer(name, ({ path, method }) => {
        if (seen.has(method + path)) return undefined;
        seen.add(method + path);
        return { status, location: path };
      });
      const models = modelsFor({ [name]: here });
      const { result } = await callModel(models, SPECS[name]);
      expect(result).toMatchObject({ status: 'done', attempts: 1 });
      const [first, second] = here.chats();
      expect(second?.body).toEqual(first?.body);
      expect((await models.list()).find((provider) => provider.name === name)?.models).toHaveLength(
        3,
      );
    },
  );

  test('fails at a redirect with the status 302, after which a POST request would become a GET request', async () => {
    const here = await startServer(name, (request) =>
      isChat(request) ? { status: 302, location: '/login?next=1' } : undefined,
    );
    const { result } = await callModel(modelsFor({ [name]: here }), SPECS[name]);
    expect(getFailure(result)).toMatchObject({
      code: 'redirected',
      message: expect.stringMatching(
        /redirects to \/login \(HTTP 302\); the request was not sent again$/,
      ),
      next: `Set ${VARIABLES[name]} to the address it redirects to`,
    });
    expect(here.requests.filter(({ path }) => path === '/login')).toEqual([]);
  });

  test('fails at a redirect loop, and at a redirect without a target', async () => {
    const circle = await startServer(name, (request) =>
      isChat(request) ? { status: 307, location: request.path } : undefined,
    );
    const round = getFailure((await callModel(modelsFor({ [name]: circle }), SPECS[name])).result);
    expect(round.message).toContain('redirects more than 5 times');
    expect(circle.chats()).toHaveLength(6);
    for (const location of [undefined, 'http://']) {
      const here = await startServer(name, () => ({
        status: 307,
        ...(location ? { location } : {}),
      }));
      const lost = getFailure((await callModel(modelsFor({ [name]: here }), SPECS[name])).result);
      expect(lost.message).toContain('redirects to nowhere (HTTP 307)');
    }
  });
});
