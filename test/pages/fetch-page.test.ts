/** Pages over real HTTP on this machine: what is read, redirected and refused, and within which limits. */
import type { LookupAddress } from 'node:dns';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Lookup } from '../../src/pages/connection.ts';
import { fetchPage, type PageOptions } from '../../src/pages/fetch-page.ts';
import { startPages } from '../servers/pages.ts';
import { startProxy } from '../servers/proxy.ts';

const HERE: PageOptions = { env: {}, allowPrivate: true };
const ELSEWHERE: PageOptions = { env: {}, allowPrivate: false };
const MB = 1024 * 1024;
/** A public address that is assigned to nobody. */
const NOBODYS = '2000::1';

/** Returns a lookup that gives these addresses for every name, and the list of names that were looked up. */
function makeLookup(...addresses: string[]) {
  const asked: string[] = [];
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  const lookUp: Lookup = (hostname, _options, done) => {
    asked.push(hostname);
    done(null, found);
  };
  return { asked, lookup: lookUp };
}

/** Writes the part again and again until the response is closed. */
function pourPart(response: ServerResponse, part: Buffer): void {
  const writeMore = (): void => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once('drain', writeMore);
  };
  writeMore();
}

describe('a fetched web page', () => {
  it('is requested once and without credentials', async () => {
    const server = await startPages({
      '/a?x=1': (response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=x' }).end('<p>é</p>'),
    });
    const answer = await fetchPage(`${server.url}/a?x=1#part`, HERE);
    expect(answer).toMatchObject({
      address: `${server.url}/a?x=1`,
      from: `${server.url}/a?x=1`,
      status: 200,
      redirects: [],
      bytes: Buffer.from('<p>é</p>'),
      mediaType: 'text/html; charset=x',
    });
    expect(answer.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(server.requests).toEqual(['GET /a?x=1']);
    expect(server.headers[0]).toMatchObject({ 'accept-encoding': 'identity' });
    expect(server.headers[0]).not.toHaveProperty('cookie');
    expect(server.headers[0]).not.toHaveProperty('authorization');
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('is decompressed if it is compressed by %s', async (encoding, compress) => {
    const text = 'a page of words. '.repeat(10_000);
    const server = await startPages({
      '/': (response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(compress(text)),
    });
    expect(String((await fetchPage(server.url, HERE)).bytes)).toBe(text);
  });

  it.each([
    [401, 'asks for a login (HTTP 401)'],
    [403, 'does not show itself to everybody: it may want a login or a browser (HTTP 403)'],
    [404, 'there is no such page (HTTP 404)'],
    [429, 'asks to be asked later (HTTP 429)'],
    [503, 'its server fails (HTTP 503)'],
    [204, 'the server answers with HTTP 204 and no page'],
    [206, 'the server answers with HTTP 206 and no page'],
    [304, 'the server answers with HTTP 304 and no page'],
  ])('is refused with a reason if its status is %i', async (status, why) => {
    const server = await startPages({ '/': (response) => response.writeHead(status).end() });
    await expect(fetchPage(server.url, HERE)).rejects.toThrow(`${server.url}/: ${why}`);
  });

  it('is refused if it is empty, incomplete or damaged', async () => {
    const server = await startPages({
      '/empty': '',
      '/cut': (response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('half', () => response.destroy());
      },
      '/damaged': (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all'),
      '/nonsense': (response) => response.socket?.end('HTTP/9 what?\r\n\r\n'),
    });
    const fetchPath = (path: string) => fetchPage(`${server.url}${path}`, HERE);
    await expect(fetchPath('/empty')).rejects.toThrow('/empty: the page is empty');
    await expect(fetchPath('/cut')).rejects.toThrow('/cut: the connection broke');
    await expect(fetchPath('/damaged')).rejects.toThrow('/damaged: the connection broke');
    await expect(fetchPath('/nonsense')).rejects.toThrow('/nonsense: cannot reach');
    await expect(fetchPage('http://127.0.0.1:1/', HERE)).rejects.toThrow(
      'http://127.0.0.1:1/: cannot reach http://127.0.0.1:1',
    );
    await expect(fetchPage('https://name.invalid/', HERE)).rejects.toThrow('cannot reach');
  });
});

describe('a limit on web pages', () => {
  it('refuses a page by its stated length, before reading the page', async () => {
    let written = 0;
    const server = await startPages({
      '/': (response) => {
        response.writeHead(200, { 'content-length': 200 * MB });
        const part = Buffer.alloc(MB);
        const writeMore = (): void => {
          written += part.length;
          if (!response.destroyed) response.write(part, writeMore);
        };
        writeMore();
      },
    });
    await expect(fetchPage(server.url, HERE)).rejects.toThrow(
      'too large: 200.0 MB, at most 32.0 MB are read',
    );
    expect(written).toBeLessThan(32 * MB);
  });

  it('refuses a page of unknown length when it has become too large', async () => {
    const server = await startPages({
      '/': (response) => pourPart(response, Buffer.alloc(MB, 97)),
    });
    await expect(fetchPage(server.url, HERE)).rejects.toThrow(
      'longer than 32.0 MB, the most that is read',
    );
    await expect.poll(() => server.open()).toBe(0);
  });

  it('refuses a page that is too large when decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * MB));
    expect(bomb.length).toBeLessThan(MB);
    const server = await startPages({
      '/': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      '/twice': (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb)),
    });
    for (const path of ['/', '/twice'])
      await expect(fetchPage(`${server.url}${path}`, HERE)).rejects.toThrow('longer than 32.0 MB');
  });

  it('ends the wait for a server that sends nothing, or sends too slowly', async () => {
    const server = await startPages({
      '/silent': () => undefined,
      '/slow': (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
      '/hops': '-> /slow',
    });
    for (const path of ['/silent', '/slow', '/hops'])
      await expect(fetchPage(`${server.url}${path}`, { ...HERE, mostMs: 300 })).rejects.toThrow(
        'did not come to its end within 0.3 s',
      );
    await expect.poll(() => server.open()).toBe(0);
  });

  it('lets the caller abort a request before the limit is reached', async () => {
    const server = await startPages({ '/': () => undefined });
    const stop = new AbortController();
    const reading = fetchPage(server.url, { ...HERE, signal: stop.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort(new Error('stopped by hand'));
    await expect(reading).rejects.toThrow('stopped by hand');
  });
});

describe('redirects', () => {
  it('are followed and listed with the fetched page', async () => {
    const server = await startPages({
      '/old': '-> /new?token=hunter2222',
      '/new?token=hunter2222': '-> ./last#part',
      '/last': 'the page',
    });
    const answer = await fetchPage(`${server.url}/old`, HERE);
    expect(answer).toMatchObject({
      address: `${server.url}/old`,
      from: `${server.url}/last`,
      redirects: [`${server.url}/new?token=%5Bkey%5D`, `${server.url}/last`],
      bytes: Buffer.from('the page'),
    });
    expect(JSON.stringify(answer)).not.toContain('hunter2222');
  });

  it.each([
    ['in a circle', { '/': '-> /a', '/a': '-> /b', '/b': '-> /a' }, 'redirects in a circle: '],
    ['to itself', { '/': '-> /' }, 'redirects in a circle: '],
    [
      'without an end',
      Object.fromEntries(
        ['/', '/1', '/2', '/3', '/4', '/5', '/6'].map((path, at) => [path, `-> /${at + 1}`]),
      ),
      'redirects more than 5 times: ',
    ],
    ['to a file', { '/': '-> file:///etc/passwd' }, 'redirects to file:///etc/passwd; only http'],
    ['to no address', { '/': '-> http://[' }, 'redirects to nowhere (HTTP 302)'],
    ['with a password', { '/': '-> http://a:hunter22@127.0.0.1/' }, 'with a user name or'],
  ])('are refused if they go %s', async (_how, pages, why) => {
    const server = await startPages(pages as Record<string, string>);
    const refused = fetchPage(server.url, HERE);
    await expect(refused).rejects.toThrow(`${server.url}/: redirects `);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.not.toThrow('hunter22');
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });

  it('are refused without a target address', async () => {
    const server = await startPages({ '/': (response) => response.writeHead(302).end() });
    await expect(fetchPage(server.url, HERE)).rejects.toThrow('redirects to nowhere (HTTP 302)');
  });
});

describe('a private network address', () => {
  it.each(['127.0.0.1', 'localhost', '127.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'])(
    'is refused if written as %s',
    async (host) => {
      const server = await startPages({ '/': 'secret' });
      const { port } = new URL(server.url);
      await expect(fetchPage(`http://${host}:${port}/`, ELSEWHERE)).rejects.toMatchObject({
        message: expect.stringContaining('is on this machine or in a private network'),
        next: expect.stringContaining('--allow-private'),
      });
      expect(server.connections()).toBe(0);
    },
  );

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://[fd00::1]/'])(
    'is refused before anything is sent: %s',
    (address) => expect(fetchPage(address, ELSEWHERE)).rejects.toThrow('in a private network'),
  );

  it('is refused if a host name has no public address, and is not tried if the name also has a public one', async () => {
    const server = await startPages({ '/': 'secret' });
    const { port } = new URL(server.url);
    const alone = makeLookup('127.0.0.1', '::1');
    await expect(
      fetchPage(`http://public.example:${port}/`, { ...ELSEWHERE, lookup: alone.lookup }),
    ).rejects.toThrow('it is on this machine or in a private network (127.0.0.1)');
    // If a host has a private and a public address, only the public one is tried, where no server answers.
    const among = makeLookup('127.0.0.1', NOBODYS);
    const options = { ...ELSEWHERE, lookup: among.lookup, mostMs: 2_000 };
    await expect(fetchPage(`http://public.example:${port}/`, options)).rejects.toThrow();
    expect(server.connections()).toBe(0);
  });

  it('is not reached by a second lookup of a host name, because each name is looked up only once', async () => {
    const server = await startPages({ '/': 'secret' });
    const { port } = new URL(server.url);
    let asked = 0;
    const lookUp: Lookup = (_hostname, _options, done) => {
      asked += 1;
      // The host name would have a public address at a first lookup, and a private one at a second.
      done(null, [
        asked === 1 ? { address: NOBODYS, family: 6 } : { address: '127.0.0.1', family: 4 },
      ]);
    };
    const options = { ...ELSEWHERE, lookup: lookUp, mostMs: 2_000 };
    await expect(fetchPage(`http://rebound.example:${port}/`, options)).rejects.toThrow();
    expect([asked, server.connections()]).toEqual([1, 0]);
  });

  it('is refused as the target of a redirect', async () => {
    const secret = await startPages({ '/secret': 'secret' });
    const outside = await startPages({
      '/': `-> ${secret.url}/secret`,
      '/10': '-> http://10.0.0.1/',
    });
    // The proxy answers requests for public.example from the server `outside`, so that no test uses the
    // internet.
    const proxy = await startProxy(outside.url);
    const options = { ...ELSEWHERE, env: { http_proxy: proxy.url }, lookup: makeLookup().lookup };
    await expect(fetchPage('http://public.example/', options)).rejects.toThrow(
      `http://public.example/: ${secret.url}/secret, which it redirects to, is on this machine`,
    );
    await expect(fetchPage('http://public.example/10', options)).rejects.toThrow(
      'http://10.0.0.1/, which it redirects to, is on this machine or in a private network',
    );
    expect(secret.connections()).toBe(0);
  });
});

describe('a proxy', () => {
  it('is used for public addresses, for private ones only if these are allowed, and not if it speaks SOCKS5', async () => {
    const server = await startPages({ '/a': 'the page' });
    const proxy = await startProxy(server.url);
    const env = { HTTP_PROXY: proxy.url };
    const unknown = makeLookup().lookup;
    const answer = await fetchPage('http://public.example/a', {
      ...ELSEWHERE,
      env,
      lookup: unknown,
    });
    expect(String(answer.bytes)).toBe('the page');
    expect(proxy.seen).toEqual(['GET http://public.example/a']);
    const inside = { ...ELSEWHERE, env, lookup: makeLookup('10.0.0.1').lookup };
    await expect(fetchPage('http://intranet.example/a', inside)).rejects.toThrow(
      'in a private network (10.0.0.1)',
    );
    expect(proxy.seen).toHaveLength(1);
    const allowed = await fetchPage('http://intranet.example/a', { ...inside, allowPrivate: true });
    expect(String(allowed.bytes)).toBe('the page');
    const odd = { ...ELSEWHERE, env: { http_proxy: 'socks5://x' }, lookup: unknown };
    await expect(fetchPage('http://public.example/a', odd)).rejects.toThrow(
      'the proxy in http_proxy speaks socks5, which is not supported',
    );
  });
});
