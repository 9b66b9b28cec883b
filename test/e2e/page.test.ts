/**
 * Tests `export` of a page and of a trace with the program itself, and the page in a browser if one is
 * installed.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { reportPage } from '../../src/protocols/registry/report-page.ts';
import { readPage } from '../plain/html-reader.ts';
import { makeOwnRun } from '../plain/pages.ts';
import { needAll } from '../setup/needs.ts';
import { readTrace } from '../telemetry/otlp-reader.ts';
import { CHROMIUM, domOf, NO_CHROMIUM, serveSite } from './browser.ts';
import { runDeliberate } from './calls.ts';
import { makeFolder } from './scene.ts';

it('a board is exported as a page and as a trace', async () => {
  const cwd = makeFolder();
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > "${cwd}/opened"\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  const env = {
    HOME: cwd,
    DELIBERATE_DB: join(cwd, 'runs.db'),
    PATH: `${bin}:${process.env.PATH}`,
  };
  const callHere = (...args: string[]) => runDeliberate(args, { env, cwd });
  await callHere('board', '--rehearse', '--rehearse-speed', '1000', '--quiet', 'Split it?');

  const written = await callHere('export', 'latest', '--to', 'report.html');
  expect(written, written.err).toMatchObject({ code: 0, out: '' });
  const html = readFileSync(join(cwd, 'report.html'), 'utf8');
  const page = readPage(html);
  expect(page.textsOfClass('answer')[0]).toContain('3 of 3 advisors');
  expect(page.textsOfClass('badge')[0]).toContain('REHEARSAL');
  // The page also shows the prompts, with their system messages.
  expect(page.textsOfClass('prompts')[0]).toContain('[system]');
  for (const to of [[], ['--to', '-'], ['--to=-']])
    expect((await callHere('export', 'latest', '--format', 'html', ...to)).out).toBe(html);

  const opened = await callHere('export', 'latest', '--open');
  expect(opened.code, opened.err).toBe(0);
  const file = readFileSync(join(cwd, 'opened'), 'utf8');
  expect(file).toMatch(/\/deliberate-[0-9a-f-]{13}\.html$/);
  expect(readFileSync(file, 'utf8')).toBe(html);
  // Exporting with --open again overwrites the first file, since the program chose the file's name itself.
  expect((await callHere('export', 'latest', '--open')).code).toBe(0);
  const nowhere = await runDeliberate(['export', 'latest', '--open'], {
    env: { ...env, PATH: `${bin}-` },
    cwd,
  });
  expect([nowhere.code, nowhere.err]).toEqual([
    1,
    expect.stringContaining('No program to open it'),
  ]);
  expect((await callHere('export', 'latest', '--open', '--format', 'json')).err).toContain(
    '--open requires --format html',
  );
  expect((await callHere('export', 'latest', '--content')).err).toContain('--content requires');

  const trace = await callHere('export', 'latest', '--format', 'otlp');
  const { spans } = readTrace(trace.out);
  expect(spans.filter(({ name }) => name.startsWith('chat')).length).toBeGreaterThan(3);
  expect((await callHere('export', 'latest', '--format', 'otlp')).out).toBe(trace.out);
});

it('a run sends its trace to a collector, without any text of questions or answers', async () => {
  const cwd = makeFolder();
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      bodies.push(body);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = {
    HOME: cwd,
    DELIBERATE_DB: join(cwd, 'runs.db'),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    TRACEPARENT: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  const args = ['board', '--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];
  expect((await runDeliberate([...args, 'Split the larder?'], { env, cwd })).code).toBe(0);
  const sent = bodies.flatMap((body) => readTrace(body).spans);
  const exported = readTrace(
    (await runDeliberate(['export', 'latest', '--format', 'otlp'], { env, cwd })).out,
  );
  expect(new Map(sent.map((span) => [span.spanId, span]))).toEqual(
    new Map(exported.spans.map((span) => [span.spanId, span])),
  );
  expect(exported.spans.at(-1)?.links).toEqual([
    { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' },
  ]);
  expect(bodies.join('')).not.toContain('larder');
  server.close();
  server.closeAllConnections();
  expect((await runDeliberate([...args, 'And without it?'], { env, cwd })).code).toBe(0);
});

// These tests are skipped without Chromium.
describe('in Chromium', () => {
  needAll(CHROMIUM !== undefined, NO_CHROMIUM);

  it('a report with hostile text fetches none of the addresses in that text, and runs no script', async () => {
    const { url: at, asked } = await serveSite();
    const evil = `</title></style><script src="${at}/a"></script><script>document.title='pwned'</script><img src="${at}/b" onerror="document.title='pwned'"> ![i](${at}/c) <link rel=stylesheet href="${at}/d"> <meta http-equiv=refresh content="0;url=${at}/e"> <svg onload="document.title='pwned'"> }body{background:url(${at}/f)}`;
    const facts = makeOwnRun().map((fact) =>
      'text' in fact || 'question' in fact ? { ...fact, text: evil, question: evil } : fact,
    ) as AnyFact[];
    const cwd = makeFolder();
    const file = join(cwd, 'page.html');
    writeFileSync(file, await reportPage('red-team', facts));
    const dom = await domOf(`file://${file}`);
    expect(dom).toContain('<h1>');
    expect(dom).not.toMatch(/<title>pwned/);
    expect(dom).not.toMatch(/<(?:script|img|link)\b/);
    expect(asked).toEqual([]);
  });
});
