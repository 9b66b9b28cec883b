/**
 * Tests obstacles before a server: a certificate that no authority has signed, and proxies that refuse a
 * tunnel.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createModels } from '../../src/models/gateway.ts';
import { needProgram } from '../setup/needs.ts';
import { callModel, getFailure } from './ask.ts';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function modelsAt(url: string, env: Readonly<Record<string, string>> = {}) {
  return createModels({
    env,
    idleMs: 2_000,
    retry: { attempts: 1 },
    servers: [{ name: 'lab', speaks: 'openai', url, keyEnv: [], isOwn: true }],
  });
}

it('the failure for an untrusted certificate says how to trust the certificate', async () => {
  needProgram('openssl');
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=127.0.0.1'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1'],
    ],
    { stdio: 'ignore' },
  );
  const server = createSecureServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"data":[{"id":"alpha"}]}');
    },
  );
  const url = `https://127.0.0.1:${await listen(server)}/v1`;
  const refused = getFailure((await callModel(modelsAt(url), 'lab/alpha')).result);
  expect(refused).toMatchObject({
    code: 'unreachable',
    next: 'If you trust it, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority',
    attempts: 1,
  });
  expect(refused.message).toMatch(/^lab: the certificate of https:.* is not trusted \(self.signed/);
  const gateway = new URL('../../src/models/gateway.ts', import.meta.url).href;
  const script = `const { createModels } = await import(${JSON.stringify(gateway)});
    const server = { name: 'lab', speaks: 'openai', url: process.argv[1], keyEnv: [], isOwn: true };
    const [listing] = await createModels({ env: {}, servers: [server] }).list({ only: 'lab' });
    console.log(JSON.stringify(listing));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, url],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: cert } },
  );
  expect(JSON.parse(stdout)).toMatchObject({ models: [{ spec: 'lab/alpha' }] });
});

it.each([
  ['wants a password', 407, /through the proxy in HTTPS_PROXY \(it wants a user name and a/],
  ['refuses', 403, /through the proxy in HTTPS_PROXY \(it answered with HTTP 403\)$/],
])('a failed call is blamed on the proxy if the proxy %s', async (_what, status, said) => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(`${request.method} ${request.url}`);
    socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
  });
  const address = `http://me:s3cret-proxy-pass@127.0.0.1:${await listen(proxy)}`;
  const models = modelsAt('https://models.invalid/v1', { HTTPS_PROXY: address });
  const refused = getFailure((await callModel(models, 'lab/alpha')).result);
  expect(refused.message).toMatch(said);
  expect(refused.next).toContain('HTTPS_PROXY');
  expect(JSON.stringify(refused)).not.toContain('s3cret-proxy-pass');
  expect(new Set(asked)).toEqual(new Set(['CONNECT models.invalid:443']));
});
