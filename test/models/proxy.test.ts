/** Proxies are followed as curl follows them, and failures of a proxy are told apart from those of a server. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createModels } from '../../src/models/gateway.ts';
import { findProxy } from '../../src/models/network/proxy.ts';
import { makeRedactor } from '../../src/models/redact.ts';
import { startOpenAI } from '../servers/index.ts';
import { startProxy } from '../servers/proxy.ts';
import { callModel, getFailure } from './ask.ts';

describe('findProxy', () => {
  const P = 'http://proxy:3128';

  it.each([
    ['https://a.example/v1', { HTTPS_PROXY: P }, P],
    ['https://a.example/v1', { https_proxy: P, HTTPS_PROXY: 'http://other:1' }, P],
    ['http://a.example/v1', { HTTPS_PROXY: P }, undefined],
    ['http://a.example/v1', { HTTP_PROXY: P }, P],
    ['https://a.example', { ALL_PROXY: 'proxy:3128' }, P],
    ['https://a.example', { all_proxy: P, HTTPS_PROXY: '' }, P],
    ['http://127.0.0.1:1/v1', { ALL_PROXY: P }, undefined],
    ['http://localhost:1/v1', { ALL_PROXY: P }, undefined],
    ['http://[::1]:1/v1', { ALL_PROXY: P }, undefined],
    ['https://a.example', { ALL_PROXY: P, NO_PROXY: '*' }, undefined],
    ['https://a.example', { ALL_PROXY: P, NO_PROXY: 'x.test, example' }, undefined],
    ['https://a.example', { ALL_PROXY: P, no_proxy: '.example' }, undefined],
    ['https://anexample', { ALL_PROXY: P, NO_PROXY: 'example' }, P],
    ['https://a.example', { ALL_PROXY: P, NO_PROXY: 'a.example:443' }, undefined],
    ['https://a.example:8443', { ALL_PROXY: P, NO_PROXY: 'a.example:443' }, P],
    ['http://10.1.2.3:8000', { ALL_PROXY: P, NO_PROXY: '10.0.0.0/8' }, undefined],
    ['http://11.1.2.3:8000', { ALL_PROXY: P, NO_PROXY: '10.0.0.0/8' }, P],
    ['http://10.1.2.3:8000', { ALL_PROXY: P, NO_PROXY: '10.1.2.3:8000' }, undefined],
    ['http://[fd00::7]:8000', { ALL_PROXY: P, NO_PROXY: 'fd00::/8' }, undefined],
    ['http://[fd00::7]:8000', { ALL_PROXY: P, NO_PROXY: '[fd00::7]:9000' }, P],
    ['http://10.1.2.3', { ALL_PROXY: P, NO_PROXY: '10.0.0.0/99,/,:,10.1.2.4' }, P],
  ])('returns for the address %s and the environment %o the proxy %s', (address, env, proxy) => {
    expect(findProxy(address, env as Record<string, string>)?.url).toBe(proxy);
  });
});

function makeProxiedModels(proxy: string) {
  return createModels({
    idleMs: 2_000,
    retry: { attempts: 1 },
    env: { HTTP_PROXY: proxy },
    servers: [
      {
        name: 'lab',
        speaks: 'openai',
        url: 'http://models.invalid/v1',
        keyEnv: [],
        isOwn: true,
      },
    ],
  });
}

describe('a server behind a proxy', () => {
  it('is called through the proxy, and its answer still arrives in pieces', async () => {
    const server = await startOpenAI();
    onTestFinished(() => server.close());
    const proxy = await startProxy(server.url);
    const { result, events } = await callModel(makeProxiedModels(proxy.url), 'lab/alpha');
    expect(result).toMatchObject({ status: 'done' });
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
    expect(proxy.seen).toContain('POST http://models.invalid/v1/chat/completions');
  });

  it('makes a call fail with the reason why the proxy cannot be used', async () => {
    const getRefusal = async (proxy: string) =>
      getFailure((await callModel(makeProxiedModels(proxy), 'lab/x')).result);
    const wants = await startProxy('', 407);
    expect(await getRefusal(wants.url)).toMatchObject({
      code: 'unreachable',
      message:
        'lab: cannot reach http://models.invalid/v1 through the proxy in HTTP_PROXY (it wants a user name and a password)',
      next: 'Put a user name and a password into the address in HTTP_PROXY',
    });
    expect(await getRefusal('http://127.0.0.1:9')).toMatchObject({
      message:
        'lab: cannot reach http://models.invalid/v1 through the proxy in HTTP_PROXY (connection refused)',
      next: 'Check HTTP_PROXY, or name the host in NO_PROXY',
    });
    expect(await getRefusal('socks5://127.0.0.1:9')).toMatchObject({
      message: 'lab: the proxy in HTTP_PROXY speaks socks5, which is not supported',
    });
  });

  it('has the password of its proxy replaced by [key] in messages', () => {
    const redact = makeRedactor({ HTTPS_PROXY: 'http://me:s3cret-proxy-pass@proxy:1' });
    expect(redact('failed with s3cret-proxy-pass')).toBe('failed with [key]');
  });
});

it('a remote server’s prices come from its list of models', async () => {
  const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' };
  const server = await startOpenAI({ described: { pricing, context_length: 65_536 } });
  onTestFinished(() => server.close());
  const proxy = await startProxy(server.url);
  const models = makeProxiedModels(proxy.url);
  const million = { input: 1e6, output: 1e6, cached: 0, cacheWritten: 0, thinking: 0 };
  expect(models.price('lab/alpha', million)).toBeUndefined();
  await callModel(models, 'lab/alpha');
  expect(models.price('lab/alpha', million)).toBe(18);
  expect(models.price('lab/alpha', { ...million, cached: 1e6 })).toBeCloseTo(15.3);
  expect(models.price('lab/unlisted', million)).toBeUndefined();
  expect(models.priceSource?.('lab/unlisted')).toBeUndefined();
  expect(models.priceSource?.('lab/alpha')).toEqual({
    source: 'the models of http://models.invalid/v1',
    asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(await models.window('lab/alpha')).toBe(65_536);
  // The prices and the window above were read from the server's list of models. This list was requested only
  // once, and a call does not request it again.
  await callModel(models, 'lab/beta');
  expect(proxy.seen.filter((url) => url.endsWith('invalid/v1/models'))).toHaveLength(1);
});
