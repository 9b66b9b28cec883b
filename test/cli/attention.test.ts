/** Calling a person back: when, with which bytes, and with nothing of a stranger's in them. */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Bell } from '../../src/app/flags.ts';
import { listenForAbsence } from '../../src/app/run/attention.ts';
import { callCommand, callWebhook, noticeSequence } from '../../src/app/run/notify.ts';
import { FakeRun } from '../console/fake-run.ts';

function collectNotices(
  play: (run: FakeRun) => void,
  bell: Bell = 'bell',
  env: Record<string, string> = {},
  question = 'Why?',
): string[] {
  const run = new FakeRun();
  const written: string[] = [];
  const caller = listenForAbsence({ bell, env, write: (text) => written.push(text), facts: [] });
  if (caller !== undefined) run.bus.subscribe(caller);
  play(run.open(question));
  return written;
}

const GATE = { step: 'gate/1', prompt: 'Go on?', options: [], default: 'yes' };

describe('notifying a person', () => {
  test('happens at the end of a run that took over 10 seconds, and not after a shorter one', () => {
    expect(collectNotices((run) => run.wait(11_000).end('done'))).toEqual(['\u0007']);
    expect(collectNotices((run) => run.wait(11_000).end('failed', 'x'))).toEqual(['\u0007']);
    expect(collectNotices((run) => run.wait(9_000).end('done'))).toEqual([]);
  });

  test('happens neither at the end of a run nor at a question if it is switched off', () => {
    expect(collectNotices((run) => run.wait(11_000).end('done'), 'never')).toEqual([]);
    const ask = (run: FakeRun): void => void run.wait(11_000).tell('gate.opened', GATE);
    expect([collectNotices(ask), collectNotices(ask, 'never')]).toEqual([['\u0007'], []]);
  });

  test('does not happen if the person stopped the run', () => {
    expect(collectNotices((run) => run.wait(11_000).end('stopped'))).toEqual([]);
    expect(collectNotices((run) => run.wait(11_000).end('stopped', 'the budget'))).toEqual([
      '\u0007',
    ]);
  });

  test('happens when the run asks the person a question more than 10 seconds after its start', () => {
    expect(
      collectNotices((run) => {
        run.wait(11_000).tell('gate.opened', GATE);
        run.wait(60_000).tell('gate.answered', { step: 'gate/1', answer: 'yes', by: 'person' });
        run.wait(1_000).end('done');
      }),
    ).toEqual(['\u0007']);
  });

  test('does not happen for the end of a run that was recorded before this process began', () => {
    const run = new FakeRun().open('Why?').wait(11_000).end('done');
    const written: string[] = [];
    listenForAbsence({
      bell: 'bell',
      env: {},
      write: (text) => written.push(text),
      facts: run.facts,
    });
    expect(written).toEqual([]);
  });
});

describe('a notice to the person', () => {
  const finishRun = (run: FakeRun) => void run.wait(11_000).end('done');

  test.each([
    [{ TERM: 'xterm-256color' }, '\u001b]9;deliberate: Done: Why?\u0007'],
    [{ TERM: 'xterm-kitty' }, '\u001b]99;;deliberate: Done: Why?\u001b\\'],
    [{ TERM: 'foot' }, '\u001b]777;notify;deliberate;Done: Why?\u001b\\'],
    [
      { TERM: 'xterm-256color', VTE_VERSION: '7600' },
      '\u001b]777;notify;deliberate;Done: Why?\u001b\\',
    ],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/x' }, '\u0007'],
  ])('is shown by the escape sequence that fits the environment %o', (env, wanted) => {
    expect(collectNotices(finishRun, 'notice', env)).toEqual([wanted]);
  });

  test('contains no control sequence from the run’s question', () => {
    const question = 'a;b \u001b]52;c;eA==\u0007 \u0007 \u009d0;x\u009c \u001b\\ \n \u202e c';
    for (const env of [{}, { TERM: 'xterm-kitty' }, { TERM: 'foot' }]) {
      const [sent = ''] = collectNotices(finishRun, 'notice', env, question);
      expect(sent.match(/[\u0000-\u001f\u007f-\u009f\u202e]/g)?.join('')).toMatch(
        /^\u001b(?:\u0007|\u001b)$/,
      );
      expect(sent).not.toContain('52;c');
    }
    expect(noticeSequence('t', 'a;b', { TERM: 'foot' })).toContain(';a,b\u001b');
  });

  test('is shown by the desktop’s own tool if the program runs on a desktop', async () => {
    const place = mkdtempSync(join(tmpdir(), 'deliberate-notice-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const tool = join(place, 'notify-send');
    writeFileSync(tool, `#!/bin/sh\nprintf '%s\\n' "$@" > '${place}/args'\n`);
    chmodSync(tool, 0o700);
    const env = { PATH: place, DISPLAY: ':0' };
    expect(collectNotices(finishRun, 'notice', env, '$(id) <b>x</b>?')).toEqual([]);
    await vi.waitFor(() =>
      expect(readFileSync(join(place, 'args'), 'utf8').split('\n').slice(0, 4)).toEqual([
        '--app-name=deliberate',
        '--',
        'deliberate',
        'Done: $(id) &lt;b&gt;x&lt;/b&gt;?',
      ]),
    );
  });

  test('is shown by the terminal if the desktop’s tool fails', async () => {
    const place = mkdtempSync(join(tmpdir(), 'deliberate-notice-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    writeFileSync(join(place, 'notify-send'), '#!/bin/sh\nexit 1\n', { mode: 0o700 });
    const written = collectNotices(finishRun, 'notice', { PATH: place, DISPLAY: ':0' });
    await vi.waitFor(() => expect(written).toEqual(['\u001b]9;deliberate: Done: Why?\u0007']));
  });
});

describe('notifying by webhook or command', () => {
  const NOTICE = { title: 'deliberate', body: 'Done: Why?' };

  async function startServer(answer: (path: string) => [number, Record<string, string>?]) {
    const heard: { path: string; body: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      heard.push({ path: request.url ?? '', body, headers: request.headers });
      response.writeHead(...answer(request.url ?? '')).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    return { heard, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  test('posts the notice to the webhook as JSON, and sends no credentials', async () => {
    const { heard, address } = await startServer(() => [200]);
    await callWebhook(`${address}/hook`)(NOTICE);
    expect(heard).toMatchObject([{ path: '/hook', body: '{"text":"deliberate: Done: Why?"}' }]);
    expect(heard[0]?.headers.authorization).toBeUndefined();
  });

  test('fails if the webhook returns an error or a redirect', async () => {
    const { heard, address } = await startServer((path) =>
      path === '/gone' ? [404] : [302, { location: '/other' }],
    );
    await expect(callWebhook(`${address}/gone`)(NOTICE)).rejects.toThrow('returned HTTP 404');
    await expect(callWebhook(`${address}/secret`)(NOTICE)).rejects.not.toThrow(/secret/);
    expect(heard.map(({ path }) => path)).toEqual(['/gone', '/secret']);
  });

  test('passes the text to the command as arguments, without a shell', async () => {
    const place = mkdtempSync(join(tmpdir(), 'deliberate-notice-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    writeFileSync(
      join(place, 'mine'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${place}/args'\n/usr/bin/env > '${place}/env'\n`,
      { mode: 0o700 },
    );
    const env = { PATH: place, OPENAI_API_KEY: 'sk-secret' };
    await callCommand(['mine', '-q'], env)({ title: 't', body: '$(id); x' });
    expect(readFileSync(join(place, 'args'), 'utf8')).toBe('-q\nt\n$(id); x\n');
    expect(readFileSync(join(place, 'env'), 'utf8')).not.toContain('sk-secret');
    await expect(callCommand(['not-there'], env)(NOTICE)).rejects.toThrow('not-there: not found');
  });

  test('rings the bell if the webhook or command fails, even if the bell is switched off', async () => {
    const run = new FakeRun();
    const [written, sent]: [string[], Promise<void>[]] = [[], []];
    const caller = listenForAbsence({
      bell: 'never',
      env: {},
      facts: [],
      write: (text) => written.push(text),
      also: [async () => Promise.reject(new Error('gone'))],
      sending: (promise) => sent.push(promise),
    });
    if (caller !== undefined) run.bus.subscribe(caller);
    run.open('Why?').wait(11_000).end('done');
    await Promise.all(sent);
    expect(written).toEqual(['\u0007']);
  });
});
