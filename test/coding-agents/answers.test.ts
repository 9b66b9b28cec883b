/** Tests the answers of a coding agent in a sandbox, with a stand-in that behaves and misbehaves. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureAgent } from '../../src/coding-agents/probe.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { hasBwrap } from '../workshop/bench.ts';
import { makeStandInAgent } from './orders.ts';
import { makeAgentPlace, seatOf, writeFile } from './seat.ts';

// The sandbox hides these folders. If the project is in one of them, the stand-in agent, which is a file of the
// project, cannot be started in the sandbox.
const isHidden = /^\/(?:tmp|var\/tmp|run|dev)\//.test(import.meta.dirname);
needAll(hasBwrap && !isHidden, NO_BWRAP);

describe('a coding agent in a sandbox', () => {
  it('answers over the Agent Client Protocol, with thinking and usage separate from the answer', async () => {
    const place = makeAgentPlace();
    const orders = ['noise Loading settings …', 'stderr 50', 'think Hm.', 'tool read a.txt'];
    const usage = { totalTokens: 160, inputTokens: 100, outputTokens: 20, cachedReadTokens: 40 };
    const { attempt, text, thinking } = await seatOf(
      place,
      makeStandInAgent([...orders, 'say "Yes."', `usage ${JSON.stringify(usage)}`]),
    ).ask();
    expect(attempt).toEqual({
      ok: true,
      usage: { input: 140, output: 20, cached: 40, cacheWritten: 0, thinking: 0 },
      notes: ['read a.txt'],
    });
    expect(text).toBe('Yes.');
    expect(thinking).toBe('Hm.[read a.txt]\n');
  });

  it('sees only its own settings of the person’s home, and no API key but those that its definition lists', async () => {
    const place = makeAgentPlace();
    writeFile(join(place.home, '.stand-in/settings.json'), '{}');
    writeFile(join(place.home, '.ssh/id_ed25519'), 'PRIVATE');
    place.env.ANTHROPIC_API_KEY = 'sk-not-for-agents';
    place.env.STAND_IN_TOKEN = 'a-token-of-the-person';
    const agent = makeStandInAgent(['tell'], { home: ['.stand-in'], env: ['STAND_IN_TOKEN'] });
    const { text } = await seatOf(place, agent).ask();
    const { cwd, prompt, env, home } = JSON.parse(text);
    expect(home).toEqual(['.stand-in']);
    expect(cwd).toBe(place.folder);
    expect(prompt[0].text).toMatch(/^You are a critic\.\n\n.*\(repo\).*\n\nWhy\?$/s);
    expect(env.HOME).toBe(place.home);
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
    // The key that the agent was given is masked in its answer.
    expect(env.STAND_IN_TOKEN).toBe('[key]');
  });

  it('cannot change the folder, its .git or the home: what it writes into its home is discarded', async () => {
    const place = makeAgentPlace();
    writeFile(join(place.home, '.stand-in/settings.json'), '{}');
    writeFile(join(place.home, 'notes.txt'), 'mine');
    // The link leads out of the agent's folder: an agent could make such a link in order to write to `/var`.
    symlinkSync('/var', join(place.folder, 'way'));
    const { attempt, text } = await seatOf(
      place,
      makeStandInAgent(
        [
          ...[
            'write new.txt x',
            'write .git/hooks/pre-commit x',
            'write /etc/x x',
            'write a.txt x',
            'write way/x x',
          ],
          ...['link HOME/way-out /etc', 'write HOME/notes.txt x', 'write HOME/.stand-in/x x'],
        ],
        { home: ['.stand-in'] },
      ),
    ).ask();
    expect(attempt.ok).toBe(true);
    expect(text.trim().split('\n')).toEqual([
      ...Array<string>(5).fill('not written: EROFS'),
      ...['written', 'written', 'written'],
    ]);
    expect(readdirSync(place.folder).sort()).toEqual(['.git', 'a.txt', 'way']);
    expect(existsSync('/var/x')).toBe(false);
    expect(readdirSync(place.home).sort()).toEqual(['.stand-in', 'notes.txt']);
    expect(readFileSync(join(place.home, 'notes.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(join(place.home, '.stand-in'))).toEqual(['settings.json']);
  });

  it('keeps its answer if another program saves a file in its folder meanwhile, and a note names the file', async () => {
    const place = makeAgentPlace();
    const { ask } = seatOf(place, makeStandInAgent(['say "Half."', 'say " Whole."']));
    const { attempt } = await ask(
      {},
      { onText: () => writeFile(join(place.folder, 'saved.txt'), 'mine') },
    );
    expect(attempt).toMatchObject({ ok: true });
    expect(attempt.notes).toEqual([
      `changed meanwhile, and not by it, as its sandbox lets it write none of these: ${join(place.folder, 'saved.txt')}`,
    ]);
  });

  it('gets permission only for reading, searching and fetching', async () => {
    const place = makeAgentPlace();
    const kinds = ['read', 'search', 'fetch', 'edit', 'execute', 'switch_mode', 'unheard-of'];
    const { attempt, text } = await seatOf(
      place,
      makeStandInAgent([...kinds.map((kind) => `ask ${kind}`), 'ask read with-a-diff']),
      { look: false },
    ).ask();
    expect(text.trim().split('\n')).toEqual([
      ...['ask read', 'ask search', 'ask fetch'].map((order) => `${order.slice(4)}: once`),
      ...['edit', 'execute', 'switch_mode', 'unheard-of', 'read with-a-diff'].map(
        (kind) => `${kind}: no`,
      ),
    ]);
    expect(attempt.notes).toContain('not allowed: edit edit');
  });

  it('has a separate session for each question, which continues if the answer has to be corrected', async () => {
    const place = makeAgentPlace();
    const { ask } = seatOf(place, makeStandInAgent(['tell', 'then "mended"']), { look: false });
    const first = await ask();
    const question = { role: 'user' as const, parts: [{ text: 'Why?' }] };
    const schema = { role: 'user' as const, parts: [{ text: 'Fit this.' }] };
    const sent = [question, schema];
    const second = await ask({ messages: sent });
    const said = { role: 'assistant' as const, parts: [{ text: second.text }] };
    const problem = { role: 'user' as const, parts: [{ text: 'That is none.' }] };
    const third = await ask({ messages: [question, said, problem, schema] });
    const sessionOf = ({ text }: { text: string }): string =>
      /"session":"(s\d)"/.exec(text)?.[1] ?? '';
    expect([first, second, third].map(sessionOf)).toEqual(['s1', 's2', 's2']);
    expect(third.text).toContain('That is none.\\n\\nFit this.');
    expect(third.text).not.toContain('Why?');
    expect(third.text).toMatch(/mended$/);
  });

  it('is switched to the configured mode and model', async () => {
    const place = makeAgentPlace();
    const agent = makeStandInAgent(['models fast slow', 'tell'], { mode: 'ask' });
    const { ask } = seatOf(place, agent, { look: false });
    const { attempt, text } = await ask({ model: 'slow' });
    expect(JSON.parse(text)).toMatchObject({ model: 'slow', mode: 'ask' });
    expect(attempt.served).toBe('slow');
    expect((await ask({ model: 'slwo' })).attempt).toMatchObject({
      failure: { code: 'not-found', next: 'Did you mean stand-in/slow? It has fast, slow' },
    });
  });

  it('can renew the tokens in the person’s login file, but cannot put other content into this file', async () => {
    const place = makeAgentPlace();
    const makeLogin = (token: string): string => JSON.stringify({ tokens: { refresh: token } });
    const file = join(place.home, '.stand-in/auth.json');
    writeFile(file, makeLogin('the-first-token-there-was'));
    const renewing = seatOf(
      place,
      makeStandInAgent([`relogin ${makeLogin('the-second-token-there-is')}`, 'say "done"'], {
        login: ['.stand-in/auth.json'],
      }),
    );
    expect((await renewing.ask()).attempt.ok).toBe(true);
    await renewing.provider.endRun?.('run');
    expect(readFileSync(file, 'utf8')).toBe(makeLogin('the-second-token-there-is'));

    const breaking = seatOf(
      place,
      makeStandInAgent(['relogin {"hooks":"rm"}', 'say "the-second-token-there-is"'], {
        login: ['.stand-in/auth.json'],
      }),
    );
    expect((await breaking.ask()).text).toBe('[key]');
    await breaking.provider.endRun?.('run');
    expect(readFileSync(file, 'utf8')).toBe(makeLogin('the-second-token-there-is'));
  });

  it('fails with a code and a message that fit how its answer ended, such as at a limit, with a refusal or without sign-in', async () => {
    const { ask } = seatOf(makeAgentPlace(), makeStandInAgent([]), { look: false });
    const fault = { codex: { error: { message: 'Reconnecting', additionalDetails: 'HTTP 500' } } };
    const over = { codex: { threadStatus: { type: 'systemError' } } };
    const ways: readonly (readonly [orders: readonly string[], code: string, message: RegExp])[] = [
      [['stop max_tokens'], 'truncated', /^Stand-in: the answer was cut at its limit of tokens$/],
      [['stop max_turn_requests'], 'unfinished', /its own limit of requests$/],
      [['stop refusal'], 'refused', /^Stand-in declined to answer$/],
      [['stop cancelled'], 'unfinished', /stopped by itself/],
      [['fail HTTP 429: usage limit reached, resets 3pm'], 'rate-limited', /limit of your plan/],
      [['say "Claude AI usage limit reached|1760000000"'], 'rate-limited', /limit of your plan/],
      [['say "Invalid API key · Please run /login"'], 'auth', /^Stand-in is not signed in/],
      [['fail the model x may not exist'], 'not-found', /may not exist$/],
      [['fail something broke'], 'server', /^Stand-in: something broke$/],
      [
        [`meta ${JSON.stringify(fault)}`, `meta ${JSON.stringify(over)}`, 'say "HTTP 500"'],
        ...(['server', /^Stand-in: Reconnecting: HTTP 500$/] as const),
      ],
    ];
    for (const [orders, code, message] of ways) {
      const text = ['say "Half"', ...orders].map((order) => `! ${order}`).join('\n');
      const only = orders[0]?.startsWith('say') ? text.slice(text.indexOf('\n')) : text;
      const { attempt } = await ask({ messages: [{ role: 'user', parts: [{ text: only }] }] });
      expect(attempt, orders.join()).toMatchObject({
        ok: false,
        failure: { code, message: expect.stringMatching(message), retry: false },
      });
      expect(attempt.usage.input).toBeGreaterThan(1_000);
    }
    const limited = await ask({
      messages: [{ role: 'user', parts: [{ text: '! fail usage limit reached, resets 3pm' }] }],
    });
    expect(limited.attempt).toMatchObject({
      failure: { next: 'It is lifted: 3pm. Until then give this seat another model' },
    });
  });

  it.each([
    [
      'another protocol version',
      ['version 9'],
      'malformed',
      /^Stand-in speaks version 9 of the Agent Client Protocol/,
    ],
    [
      'a crash',
      ['leave segmentation fault'],
      'interrupted',
      /its last line was: segmentation fault$/,
    ],
    ['too much text', ['flood'], 'malformed', /^Stand-in wrote more than \d+ MB for one answer/],
    [
      'too much output of tools',
      ['flood-tools'],
      'malformed',
      /^Stand-in wrote more than 64 MB for one answer/,
    ],
    ['no sign-in', ['auth other'], 'auth', /^Stand-in is not signed in/],
  ])('fails with a message that gives the reason: %s', async (_why, orders, code, message) => {
    const { ask } = seatOf(makeAgentPlace(), makeStandInAgent(orders), { look: false });
    expect((await ask()).attempt).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringMatching(message), retry: false },
    });
  });

  it('may print warnings and token counts, which do not become part of its answer', async () => {
    const usage = { inputTokens: 50, outputTokens: 5, totalTokens: 55, cachedReadTokens: 10 };
    const orders = [
      'say "Warning: an old model.\\n\\n"',
      'say "Yes."',
      `count ${JSON.stringify(usage)}`,
    ];
    const { ask } = seatOf(makeAgentPlace(), makeStandInAgent(orders), { look: false });
    const { attempt, text } = await ask();
    expect(text).toBe('Yes.');
    expect(attempt).toMatchObject({
      notes: ['warned: an old model.'],
      usage: { input: 50, cached: 10 },
    });
  });

  it('fails if it sends nothing for the idle time after its start', async () => {
    const { ask } = seatOf(makeAgentPlace(), makeStandInAgent(['mute']), { look: false });
    const { attempt } = await ask({}, { idleMs: 300 });
    expect(attempt).toMatchObject({
      failure: { code: 'timeout', message: 'Stand-in: nothing came for 0.3 s' },
    });
  });

  it.each<[string, string[], number, string, unknown]>([
    ['it says nothing', ['mute'], 1_500, 'timeout', 'Stand-in: nothing came for 1.5 s'],
    [
      'it waits for a person to sign in at a browser',
      ['auth other', 'linger'],
      // In this test the program waits for a sign-in to the coding agent for half of the idle time, five seconds.
      // The idle time has to be long enough for the agent's process to start.
      10_000,
      'auth',
      expect.stringMatching(/^Stand-in is not signed in/),
    ],
  ])(
    'fails when the doctor tests it, and the doctor reports the reason: %s',
    async (_what, orders, idleMs, code, message) => {
      const place = makeAgentPlace();
      const agent = makeStandInAgent(orders, { authenticate: 'key' });
      const options = { env: place.env, unsandboxed: false, quick: true, idleMs };
      expect(await measureAgent(agent, options)).toMatchObject({
        failure: { code, message },
      });
      expect(readdirSync(join(place.env.XDG_STATE_HOME ?? '', 'deliberate/agents'))).toEqual([]);
    },
  );

  it('that asks for a sign-in is signed in with the method that its definition names, and answers', async () => {
    const agent = makeStandInAgent(['auth key', 'say "in"'], { authenticate: 'key' });
    expect((await seatOf(makeAgentPlace(), agent, { look: false }).ask()).text).toBe('in');
  });

  it('leaves no files and no processes, even if a process ignores the stop', async () => {
    const place = makeAgentPlace();
    const mark = `left-${process.pid}-${Math.random()}`;
    const { ask, provider } = seatOf(
      place,
      makeStandInAgent([
        'refuse-sigterm',
        'ignore-cancel',
        `child ${mark}`,
        'say "waiting"',
        'wait',
      ]),
      { look: false },
    );
    const stop = new AbortController();
    const { attempt } = await ask({}, { signal: stop.signal, onText: () => stop.abort() });
    expect(attempt).toMatchObject({ ok: false, failure: { message: 'stopped' } });
    await provider.endRun?.('run');
    expect(processesWith(mark)).toEqual([]);
    expect(existsSync(join(place.env.XDG_STATE_HOME ?? '', 'deliberate/agents'))).toBe(true);
    expect(readdirSync(join(place.env.XDG_STATE_HOME ?? '', 'deliberate/agents'))).toEqual([]);
  });

  it('is killed if it ignores a stop, and a call of another seat to it then fails and can be retried', async () => {
    const place = makeAgentPlace();
    const { ask } = seatOf(place, makeStandInAgent(['ignore-cancel', 'say "waiting"', 'wait']), {
      look: false,
    });
    const stop = new AbortController();
    const other = ask({ seatId: 'analyst' });
    await ask({}, { signal: stop.signal, onText: () => stop.abort() });
    expect((await other).attempt).toMatchObject({
      failure: { retry: true, message: 'Stand-in was ended for another seat that was stopped' },
    });
  });

  it('is not started for a folder that contains the whole home', async () => {
    const place = makeAgentPlace();
    const { ask } = seatOf(place, makeStandInAgent(['say "no"']));
    const { attempt } = await ask({}, { folders: [{ name: 'all', path: place.home }] });
    expect(attempt).toMatchObject({
      failure: { code: 'rejected', next: 'Name a folder below it with --look' },
    });
  });
});

it('an agent that is not installed is not offered', async () => {
  const { ask, provider } = seatOf(
    makeAgentPlace(),
    makeStandInAgent([], { command: 'no-such-agent' }),
  );
  expect(provider.isUnasked).toBe(true);
  expect(await provider.list(new AbortController().signal)).toEqual([]);
  expect((await ask()).attempt).toMatchObject({
    failure: { code: 'unreachable', next: 'Install it: npm install -g stand-in' },
  });
});

/** Returns the ids of processes with a word among their arguments. */
function processesWith(word: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${word}`);
    } catch {
      return false;
    }
  });
}
