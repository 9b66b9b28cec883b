/**
 * Tests the board with the real program, real streams over loopback and a real terminal. The short form
 * stops one model of each provider in one board; the long form stops three models of each.
 */
import { describe, expect, it } from 'vitest';
import { LONG } from '../long.ts';
import {
  type Behaviour,
  startAnthropic,
  startOllama,
  startOpenAI,
  type TestServer,
} from '../servers/index.ts';
import { makeVariedText } from '../servers/varied.ts';
import { waitUntil } from '../until.ts';
import { runDeliberate } from './calls.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeDatabasePath, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const TALK = Array.from(
  { length: 120 },
  (_, index) => `Sentence ${index} has ${makeVariedText(2, index * 2)}in it.`,
).join(' ');
const HEADINGS =
  '## Consensus\nAll.\n\n## Points of Agreement\nSome.\n\n## Points of Divergence\nFew.\n\n## Recommendation\nKeep it.';
/**
 * Advisors talk for about 15 s at 50 tokens a second; the synthesizer, whose model is `chair`, answers
 * briefly.
 */
const answer = ({ model }: { model: string }): string => (model === 'chair' ? HEADINGS : TALK);

/** Starts three models of a provider, and returns the seats that use them. */
async function startProvider(
  name: 'ollama' | 'anthropic' | 'openai' | 'mixed',
): Promise<{ env: Record<string, string>; seats: string[]; servers: TestServer[] }> {
  const options = { models: ['a', 'b', 'c'], tokensPerSecond: 50, answer };
  const ollama = closeAfterTest(await startOllama(options));
  const anthropic = closeAfterTest(await startAnthropic(options));
  const openai = closeAfterTest(await startOpenAI(options));
  const of = {
    ollama: ['ollama'],
    anthropic: ['anthropic'],
    openai: ['openai'],
    mixed: ['ollama', 'anthropic', 'openai'],
  }[name];
  return {
    servers: [ollama, anthropic, openai],
    env: {
      OLLAMA_HOST: ollama.url,
      ANTHROPIC_BASE_URL: anthropic.url,
      ANTHROPIC_API_KEY: 'test-key',
      OPENAI_BASE_URL: `${openai.url}/v1`,
      OPENAI_API_KEY: 'test-key',
    },
    seats: ['advocate', 'critic', 'analyst'].flatMap((role, index) => [
      '--seat',
      `${role}=${of[index % of.length]}/${['a', 'b', 'c'][index]}`,
    ]),
  };
}

/** Returns the estimated tokens in the title row. */
function tokensIn(screen: string): number {
  const [, count = '', unit] = / ~([\d.]+)(k?) tok/.exec(screen) ?? [];
  return Number(count || Number.NaN) * (unit === 'k' ? 1000 : 1);
}

const SINGLE = LONG ? (['ollama', 'anthropic', 'openai'] as const) : [];

describe.each(['mixed', ...SINGLE] as const)('three %s models', (name) => {
  it('stream in columns, and the key s closes the connections', async () => {
    const { env, seats, servers } = await startProvider(name);
    const db = makeDatabasePath();
    const terminal = new Terminal(['board', ...seats, 'Should we split it?'], {
      env: { ...env, DELIBERATE_DB: db },
    });
    await terminal.until(/ Advocate .* Critic .* Analyst /);
    const early = await terminal.until(
      (screen) => (screen.match(/Sentence 3 /g) ?? []).length === 3,
    );
    expect(early).not.toContain('Sentence 20 ');
    const streaming = servers.flatMap((server) => server.chats());
    expect(streaming).toHaveLength(3);
    expect(streaming.every((request) => request.closedAt === undefined)).toBe(true);
    terminal.press('s');
    // The answers would take ten more seconds, so a closed connection shows that they were stopped.
    await expect
      .poll(() => streaming.every((request) => request.closedAt !== undefined))
      .toBe(true);
    expect(streaming.filter((request) => request.finished !== undefined)).toEqual([]);
    const stopped = await terminal.until(/■ stopped/);
    // The stopped calls have no token count from the server, so the estimate has to stay in the total.
    expect(tokensIn(stopped)).toBeGreaterThanOrEqual(tokensIn(early));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(servers.flatMap((server) => server.chats())).toHaveLength(3);
    // All seats were stopped before they finished, so there is nothing to synthesize, and the person is told.
    terminal.press('r');
    await terminal.until(/no seat has answered/i);
    expect(servers.flatMap((server) => server.chats())).toHaveLength(3);
    terminal.press('q');
    expect(await terminal.exited).toBeGreaterThan(0);
    expect(terminal.alternate).toBe(false);
    expect(terminal.raw).toContain('deliberate resume');
    const calls = Object.values(viewIn(db).calls).filter(({ seat }) => seat !== 'synthesizer');
    expect(calls.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped']);
    for (const { text } of calls) expect(text).toContain('Sentence 3 ');
    expect(calls.map(({ usage }) => usage.estimated)).toEqual([true, true, true]);
    expect((await runDeliberate(['list', '--db', db], { env })).out).toMatch(/ ~\d\S* tok/);
    expect((await runDeliberate(['show', 'latest', '--db', db], { env })).out).toMatch(
      /\| tokens \| ~\d\S* in, ~\d\S* out/,
    );
  });
});

describe('after a stop', () => {
  it('the key r makes a synthesis that names the seats without an answer', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: ['quick', 'slow', 'slower', 'chair'],
        tokensPerSecond: 50,
        answer: (request) =>
          request.model === 'quick' ? answer(request).slice(0, 300) : answer(request),
      }),
    );
    const db = makeDatabasePath();
    const terminal = new Terminal(
      [
        'board',
        '--seat',
        'advocate=ollama/quick',
        '--seat',
        'critic=ollama/slow',
        '--seat',
        'critic=ollama/slower',
        '--synthesizer',
        'ollama/chair',
        'Should we?',
      ],
      { env: { OLLAMA_HOST: server.url, DELIBERATE_DB: db } },
    );
    await terminal.until(/ Advocate .*✓/);
    terminal.press('s');
    await terminal.until(/■ stopped/);
    expect(server.chats()).toHaveLength(3);
    terminal.press('r');
    await terminal.until(/Another synthesis/);
    terminal.press('\r');
    const screen = await terminal.until(/Synthesis v1.*1 of 3 advisors[\s\S]*Recommendation/);
    expect(screen).toMatch(/without.*critic.*stopped/i);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    expect(viewIn(db).syntheses[0]).toMatchObject({
      included: ['advocate'],
      excluded: [
        { seat: 'critic', reason: 'stopped' },
        { seat: 'critic-2', reason: 'stopped' },
      ],
    });
  });
});

describe('a seat that gets no answer from its model', () => {
  const deaths: [string, Behaviour, RegExp][] = [
    ['a reset connection', 'reset', /connection lost/],
    ['a stream that ends without a mark of its end', 'no-end', /connection lost/],
    ['an error line in a stream with status 200', 'error-event', /server error|connection lost/],
    ['a stream that stalls', 'stall-mid-stream', /timed out/],
    ['a truncated line', 'truncated-line', /malformed|connection lost/],
    ['HTTP 500', { status: 500 }, /server error/],
    ['a model that is not installed', 'not-installed', /not found/],
  ];
  it.each(deaths)(
    'is named with the reason, and the other seats continue: %s',
    async (_name, behaviour, reason) => {
      const server = closeAfterTest(
        await startOllama({
          models: behaviour === 'not-installed' ? ['good'] : ['good', 'bad'],
          behaviours: { bad: behaviour },
          answer: HEADINGS,
        }),
      );
      const db = makeDatabasePath();
      const { code, out, err } = await runDeliberate(
        [
          'board',
          '--plain',
          '--idle-timeout',
          '1s',
          '--seat',
          'advocate=ollama/good',
          '--seat',
          'critic=ollama/bad',
          '--seat',
          'analyst=ollama/good',
          'Should we?',
        ],
        { env: { OLLAMA_HOST: server.url, DELIBERATE_DB: db } },
      );
      expect(code).toBe(0);
      const heading = out.split('\n').find((line) => line.startsWith('# Synthesis v1')) ?? '';
      expect(heading).toContain('2 of 3 advisors');
      expect(heading).toMatch(/without Critic/);
      expect(heading).toMatch(reason);
      expect(err).toMatch(/Critic: No answer: /);
      expect(viewIn(db).syntheses[0]?.included.toSorted()).toEqual(['advocate', 'analyst']);
      const shown = await runDeliberate(['show', 'latest'], { env: { DELIBERATE_DB: db } });
      expect(shown.out).toContain(heading.slice(2));
    },
  );

  it('leads to an error that suggests "ollama pull" if the model is not installed', async () => {
    const server = closeAfterTest(await startOllama({ models: ['good'] }));
    const { err } = await runDeliberate(
      ['board', '--plain', '--model', 'ollama/qwen3:8b', 'Should we?'],
      {
        env: { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() },
      },
    );
    expect(err).toContain('Try: ollama pull qwen3:8b');
  });
});

describe('kill -9 while three streams run', () => {
  it('resuming asks only the unfinished seats again', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: ['a', 'b', 'c'],
        tokensPerSecond: 200,
        answer: (request) =>
          request.model === 'a' ? answer(request).slice(0, 200) : answer(request),
      }),
    );
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const first = new Program(['board', '--no-vote', '--plain', 'Should we?'], { env });
    await first.waitForStderr(/Advocate has answered/);
    await expect
      .poll(() => server.chats().filter((request) => request.answered !== undefined).length)
      .toBe(3);
    first.child.kill('SIGKILL');
    await first.ended;
    const listed = await runDeliberate(['list'], { env });
    expect(listed.out).toContain('interrupted');
    const second = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(second.code).toBe(0);
    // The model `a` gets the advocate's request before the kill, and the request for a synthesis at the end.
    expect(server.chats('a')).toHaveLength(2);
    expect(server.chats('b')).toHaveLength(2);
    expect(server.chats('c')).toHaveLength(2);
    expect(second.out).toContain('# Synthesis v1 · 3 of 3 advisors');
    expect(server.chats()).toHaveLength(3 + 2 + 1);
  });
});

describe('a terminal that stops reading', () => {
  it('does not stop the answers, and shows their end or the synthesis once it reads again', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a', 'b', 'c'], tokensPerSecond: 100, answer: TALK }),
    );
    const db = makeDatabasePath();
    const terminal = new Terminal(['board', 'Should we?'], {
      env: { OLLAMA_HOST: server.url, DELIBERATE_DB: db },
    });
    await server.waitForChat(3);
    await terminal.until(/Sentence 3 /);
    terminal.process.pause();
    // The models' answers have to be recorded although the terminal is paused and nobody reads the screen.
    const listAnswered = () =>
      Object.values(viewIn(db).calls).filter(
        ({ seat, state }) => seat !== 'synthesizer' && state === 'done',
      );
    await waitUntil(() => listAnswered().length >= 3, 'three answers while the terminal rests');
    terminal.process.resume();
    await terminal.until(/Sentence 119|Synthesis v1/);
    terminal.press('\u0003\u0003');
  });
});
