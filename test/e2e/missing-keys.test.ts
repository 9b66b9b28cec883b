/** Tests that a run is refused before it begins if a server's key or address is missing. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAnthropic } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { closeAfterTest, makeDatabasePath, makeFolder } from './scene.ts';

const CLAUDE = 'anthropic/claude-haiku-4-5';
const BOARD = [
  'board',
  '--plain',
  '--seat',
  `critic=${CLAUDE}`,
  '--seat',
  'advocate=rehearsal/panel',
];

describe('a run of models whose server has no usable API key or address', () => {
  it.each([
    ['a seat of a board', BOARD, 'Critic, Synthesizer'],
    [
      'only the synthesizer of a board',
      ['board', '--plain', '--seat', 'advocate=rehearsal/panel', '--synthesizer', CLAUDE],
      'Synthesizer',
    ],
    [
      'all roles of rounds',
      ['rounds', '--yes', '--plain', '--model', CLAUDE],
      'Action, Guardian, Observer, Critic, verifier',
    ],
    [
      'only the verifier of rounds',
      ['rounds', '--yes', '--plain', '--model', 'rehearsal/panel', '--verifier', CLAUDE],
      'verifier',
    ],
    [
      'a debate',
      ['debate', '--yes', '--plain', '--method', 'oxford', '--model', CLAUDE],
      'Seat 1, Seat 2',
    ],
    ['an agent', ['agent', 'decision-review', '--plain', '--model', CLAUDE], 'decision-review'],
  ])(
    'is refused with the names of the seats, and nothing is recorded: %s',
    async (_what, args, titles) => {
      const db = makeDatabasePath();
      const { code, out, err } = await runDeliberate([...args, '--db', db, 'Split it?'], {
        env: { HOME: makeFolder() },
      });
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(err).toContain('anthropic: there is no API key, and these would be asked there: ');
      expect(err).toMatch(new RegExp(`asked there: .*${titles}`));
      expect(err).toContain('Set ANTHROPIC_API_KEY, or give them another model.');
      expect(existsSync(db)).toBe(false);
    },
  );

  it('is refused if a configured server’s key is missing or has a line break, or if OLLAMA_HOST is no address', async () => {
    const home = makeFolder();
    mkdirSync(join(home, '.config', 'deliberate'), { recursive: true });
    writeFileSync(
      join(home, '.config', 'deliberate', 'config.yaml'),
      'servers:\n  lab: { speaks: openai, url: "http://127.0.0.1:9/v1", key_env: LAB_KEY }\n',
    );
    const askModel = (model: string, env: Record<string, string>) =>
      runDeliberate(
        ['board', '--plain', '--model', model, '--db', makeDatabasePath(), 'Split it?'],
        {
          env: { HOME: home, ...env },
        },
      );
    const lab = await askModel('lab/one', {});
    expect([lab.code, lab.err]).toEqual([2, expect.stringContaining('Set LAB_KEY')]);
    const broken = await askModel('lab/one', { LAB_KEY: 'one\ntwo' });
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining('a line break')]);
    expect(broken.err).not.toContain('two');
    const host = await askModel('ollama/one', { OLLAMA_HOST: ':::' });
    expect([host.code, host.err]).toEqual([2, expect.stringContaining('not a valid address')]);
  });

  it('is only estimated with --estimate, and only queued with --queue', async () => {
    const env = { HOME: makeFolder() };
    const estimated = await runDeliberate([...BOARD, '--estimate', 'Split it?'], { env });
    expect([estimated.code, estimated.out]).toEqual([
      0,
      expect.stringContaining('No model was called'),
    ]);
    // A run can be queued without an API key, because the worker that takes the run may have the API key.
    const queued = await runDeliberate(
      [...BOARD, '--queue', '--db', makeDatabasePath(), 'Split it?'],
      { env },
    );
    expect([queued.code, queued.err]).toEqual([0, expect.stringContaining('is queued')]);
  });

  it('begins once the key is set', async () => {
    const server = closeAfterTest(await startAnthropic({ models: ['claude-haiku-4-5'] }));
    const { code, err } = await runDeliberate([...BOARD, '--db', makeDatabasePath(), 'Split it?'], {
      env: { HOME: makeFolder(), ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url },
    });
    expect([code, err]).toEqual([0, expect.not.stringContaining('no API key')]);
  });
});
