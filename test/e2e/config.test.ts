/** Tests the configuration: which file wins, where a value was set, and what is wrong. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import type { ProgramResult } from './program.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';

/** A person with a configuration, in a project with another one. */
class Person {
  readonly home = makeFolder();
  readonly cwd = join(this.home, 'project', 'src');
  readonly user = join(this.home, '.config/deliberate/config.yaml');
  readonly project = join(this.home, 'project/.deliberate/config.yaml');
  readonly db = join(this.home, 'runs.db');

  constructor(files: { user?: string; project?: string } = {}) {
    mkdirSync(this.cwd, { recursive: true });
    for (const [which, text] of Object.entries(files))
      this.write(which === 'user' ? this.user : this.project, text);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
    return runDeliberate(args, {
      cwd: this.cwd,
      env: { HOME: this.home, DELIBERATE_DB: this.db, ...env },
    });
  }

  async settings(...args: string[]): Promise<Record<string, { value: unknown; from: string }>> {
    const { out } = await this.run(['config', '--json', ...args]);
    return (JSON.parse(out) as { settings: Record<string, { value: unknown; from: string }> })
      .settings;
  }
}

describe('deliberate config', () => {
  it('shows the current values and where each was set: flag, project, user or default', async () => {
    const person = new Person({
      user: '# mine\npreset: peer-review\nopen: true\nidle_timeout: 2m\nrounds: 5\n',
      project: 'preset: full-board\n\nrounds: audit\n',
    });
    expect(await person.settings('--rounds', '3')).toMatchObject({
      rounds: { value: '3', from: 'flag' },
      preset: { value: 'full-board', from: `${person.project}:1` },
      open: { value: true, from: `${person.user}:3` },
      idle_timeout: { value: 120_000, from: `${person.user}:4` },
      respond: { value: 'report', from: 'default' },
    });
    const { out } = await person.run(['config']);
    expect(out).toMatch(/^rounds +audit +\S+project\/\.deliberate\/config\.yaml:3$/m);
    expect(out).toMatch(/^idle_timeout +2m +\S+config\.yaml:4$/m);
    expect(out).toMatch(/^database +\S+runs\.db +DELIBERATE_DB$/m);
    expect(out).toMatch(/^user file +\S+config\.yaml +read$/m);
  });

  it('prints no API key, no token, and no password or query of an address', async () => {
    const env = {
      ANTHROPIC_API_KEY: 'sk-ant-secret',
      ANTHROPIC_AUTH_TOKEN: 'secret-token',
      OPENAI_WIRE_API: 'chat',
      OLLAMA_HOST: 'https://me:geheim@models.test:1234/?token=hidden',
      OPENAI_BASE_URL: 'not an address with geheim',
    };
    for (const args of [['config'], ['config', '--json']]) {
      const { code, out, err } = await new Person().run(args, env);
      expect(code).toBe(0);
      expect(out + err).not.toMatch(/secret|geheim|hidden/);
      expect(out).toMatch(/ANTHROPIC_API_KEY"?[: ]+"?set/);
      expect(out).toMatch(/ANTHROPIC_AUTH_TOKEN"?[: ]+"?set/);
      expect(out).toMatch(/OPENAI_API_KEY"?[: ]+"?not set/);
      expect(out).toMatch(/OPENAI_WIRE_API"?[: ]+"?chat(?:"|$)/m);
      expect(out).toContain('https://models.test:1234/');
    }
  });

  it('never shows the address of a webhook', async () => {
    const person = new Person({ user: 'notify_webhook: https://chat.test/hidden\n' });
    for (const args of [['config'], ['config', '--json']]) {
      const { out, err } = await person.run(args);
      expect(out + err).not.toMatch(/chat\.test|hidden/);
      expect(out).toMatch(/notify_webhook.*set/);
    }
    person.write(person.user, 'notify_webhook: hidden\n');
    const { out } = await person.run(['config', 'check']);
    expect(out).toContain('notify_webhook: expected an address such as https://chat.example/hook');
  });

  it('check names each problem once, and the problems of both configuration files even if one has an unknown setting', async () => {
    const person = new Person({
      user: 'model: nowhere/x\nsynthesizer: mine/y\nservers:\n  mine: {speaks: openai, url: "http://127.0.0.1:9/v1"}\n',
      project: 'presett: full-board\n',
    });
    const { code, out } = await person.run(['config', 'check']);
    expect(code).toBe(1);
    const lines = out.split('\n').filter((line) => /config\.yaml:\d+/.test(line));
    expect(lines.filter((line) => line.includes('presett'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('there is no server nowhere'))).toHaveLength(1);
    expect(lines).toHaveLength(2);
  });

  it('check names all unknown and invalid settings of both configuration files, and an unknown command under keys once its file has no other problem', async () => {
    const person = new Person({
      user: 'modle: ollama/a\nidle_timeout: soon\nstop_at: 3\nkeys:\n  fly: f\n',
      project: 'rounds: 101\nbudget_usd: 5\nmodel: anthropic/x\n',
    });
    const { code, out } = await person.run(['config', 'check']);
    expect(code).toBe(1);
    expect(out).toContain(`${person.user}:1: modle: unknown key. Did you mean model?`);
    expect(out).toContain(`${person.user}:2: idle_timeout: expected a duration such as 30s`);
    expect(out).toContain(`${person.user}:3: stop_at: expected 4, 5, 6, never or ask`);
    expect(out).toContain(`${person.project}:1: rounds: Too big: expected number to be <=100`);
    person.write(person.project, 'rounds: 3\n');
    person.write(person.user, 'keys:\n  fly: f\n');
    const keys = await person.run(['config', 'check']);
    expect([keys.code, keys.out]).toEqual([
      1,
      expect.stringMatching(/config\.yaml:1: keys: unknown command "fly"/),
    ]);
    person.write(person.user, 'keys:\n  stop: h\n');
    expect(await person.run(['config', 'check'])).toMatchObject({ code: 0, out: 'No problems.\n' });
    expect((await new Person().run(['config', 'check'])).out).toContain(
      'No config file; using the defaults.',
    );
  });

  it('fails if the file that --config names does not exist', async () => {
    const { code, err } = await new Person().run(['config', '--config', 'absent.yaml']);
    expect([code, err]).toEqual([2, expect.stringContaining('absent.yaml: no such file')]);
  });
});

describe('a project’s configuration', () => {
  it.each([
    'model: openai/gpt-5',
    'synthesizer: openai/gpt-5',
    'verifier: openai/gpt-5',
    'budget_usd: 1000',
    'budget_tokens: 1000000',
    'concurrency: 64',
    'keys: { stop: q }',
    'notify_webhook: https://chat.test/hook',
    'notify_command: [sh, -c, id]',
  ])('is refused if it sets %s', async (text) => {
    const person = new Person({ project: `${text}\n` });
    const { code, err } = await person.run(['board', '--rehearse', '--plain', 'Why?']);
    expect(code).toBe(1);
    expect(err).toContain(
      `${person.project}:1: ${text.split(':')[0]}: only your own file may set this`,
    );
  });

  it('is refused if its file is a symbolic link', async () => {
    const person = new Person();
    person.write(join(person.home, 'elsewhere.yaml'), 'preset: peer-review\n');
    mkdirSync(dirname(person.project), { recursive: true });
    symlinkSync(join(person.home, 'elsewhere.yaml'), person.project);
    const { code, err } = await person.run(['config']);
    expect([code, err]).toEqual([2, expect.stringContaining('is a link')]);
  });
});

describe('a run', () => {
  const quick = ['--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];

  it('uses the settings unless a flag says otherwise', async () => {
    const person = new Person({
      user: 'preset: peer-review\nopen: true\nrounds: 1\nstop_at: never\nrespond: auto\n',
    });
    expect((await person.run(['board', ...quick, 'Why?'])).code).toBe(0);
    expect(viewIn(person.db).seats.map(({ role }) => role)).toEqual([
      'expert',
      'critic',
      'generalist',
    ]);
    expect(viewIn(person.db).config).toMatchObject({ open: true });
    expect(
      (await person.run(['board', ...quick, '--no-open', '--preset', 'devils-court', 'Why?'])).code,
    ).toBe(0);
    expect(viewIn(person.db).config).toMatchObject({ open: false });
    expect(viewIn(person.db).seats.map(({ role }) => role)).toContain('devils-advocate');
    expect((await person.run(['rounds', ...quick, '--stress', 'none', 'Why?'])).code).toBe(0);
    expect(viewIn(person.db).config).toMatchObject({ rounds: 1, stopAt: 'never', respond: 'auto' });
  });

  it('uses the budget and the synthesizer from the settings', async () => {
    const server = closeAfterTest(await startOllama({ models: ['a', 'b'] }));
    const person = new Person({
      user: `model: ollama/a\nsynthesizer: ollama/b\nbudget_tokens: 5\n`,
    });
    const { code, err } = await person.run(['board', '--plain', 'Why?'], {
      OLLAMA_HOST: server.url,
    });
    expect(code).toBe(130);
    expect(err).toMatch(/budget|tokens/);
    expect(viewIn(person.db).config).toMatchObject({ synthesizer: 'ollama/b' });
  });

  it('is refused if the person’s own price list is broken, and the error names the file and line', async () => {
    const person = new Person({ user: 'vote: false\n' });
    const list = join(dirname(person.user), 'prices.json');
    for (const [text, said] of [
      ['{', 'must end with a }'],
      ['{"as_of":"2026-01-01","source":1}', 'usd_per_million_tokens: '],
    ] as const) {
      writeFileSync(list, text);
      const { code, err } = await person.run(['board', ...quick, 'Why?']);
      expect(code).not.toBe(0);
      expect(err).toContain(`${list}:1: `);
      expect(err).toContain(said);
    }
  });
});

describe('the effort setting', () => {
  it('can be set for a role, for a seat of a board, or for all seats', async () => {
    const models = ['m1', 'm2', 'm3', 'chair'];
    const ollama = closeAfterTest(
      await startOllama({ models, thinking: { values: [true, false, 'low', 'medium', 'high'] } }),
    );
    const person = new Person({ user: 'effort: medium\n' });
    const folder = dirname(person.user);
    const makeRole = (name: string, more = '') =>
      `---\nname: ${name}\ndescription: x\n${more}---\nLook.\n`;
    person.write(join(folder, 'roles/one.md'), makeRole('One', 'effort: low\n'));
    person.write(join(folder, 'roles/two.md'), makeRole('Two', 'effort: low\n'));
    person.write(join(folder, 'roles/three.md'), makeRole('Three'));
    person.write(
      join(folder, 'boards/mine.yaml'),
      `name: Mine
description: x
seats:
  - { role: one, model: ollama/m1 }
  - { role: two, model: ollama/m2, effort: high }
  - { role: three, model: ollama/m3 }
`,
    );
    const env = { OLLAMA_HOST: ollama.url };
    const board = ['board', '--preset', 'mine', '--synthesizer', 'ollama/chair', '--no-vote'];
    const findEffort = (model: string) => ollama.chats(model).at(-1)?.body?.think;
    const { code } = await person.run([...board, '--plain', 'Why?'], env);
    expect(code).toBe(0);
    expect([...models].map(findEffort)).toEqual(['low', 'high', 'medium', 'medium']);
    const { seats } = viewIn(person.db);
    expect(seats.map(({ effort }) => effort)).toEqual(['low', 'high', 'medium']);
    await person.run([...board, '--effort', 'none', '--plain', 'Why?'], env);
    expect([...models].map(findEffort)).toEqual(['low', 'high', false, false]);
    const refused = await person.run([...board, '--effort', 'hard', 'Why?'], env);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('--effort');
  });
});
