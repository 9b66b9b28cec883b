/** Tests `deliberate config get`, `set`, `unset`, `path` and `edit`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import type { ProgramResult } from './program.ts';
import { closeAfterTest, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

const MINE = `# Mine, for all machines.

# The small one is fast.
model: ollama/a # see the doctor

# As in my editor.
keys:
  stop: h
open: true # others may know
`;

class Person {
  readonly home = makeFolder();
  readonly cwd = join(this.home, 'project');
  readonly file = join(this.home, '.config/deliberate/config.yaml');

  constructor(text?: string) {
    mkdirSync(this.cwd);
    if (text !== undefined) this.write(this.file, text);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  get text(): string {
    return readFileSync(this.file, 'utf8');
  }

  config(words: string, env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
    const args = ['config', ...words.split(' ')];
    return runDeliberate(args, { cwd: this.cwd, env: { HOME: this.home, ...env } });
  }
}

describe('config get', () => {
  it('prints the current value, and with --json also where it was set', async () => {
    const person = new Person(`${MINE}idle_timeout: 90\n`);
    person.write(join(person.cwd, '.deliberate/config.yaml'), 'open: false\n');
    expect(await person.config('get model')).toMatchObject({ code: 0, out: 'ollama/a\n' });
    expect((await person.config('get keys.stop')).out).toBe('h\n');
    expect((await person.config('get idle_timeout')).out).toBe('90s\n');
    expect(JSON.parse((await person.config('get open --json')).out)).toEqual({
      key: 'open',
      value: false,
      from: `${person.cwd}/.deliberate/config.yaml:1`,
    });
  });

  it('ends with 1 if the value was never set, and names the default on standard error only', async () => {
    const { code, out, err } = await new Person().config('get quorum');
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('quorum is not set; default: all seats\n');
  });

  it('prints no address of a webhook, no value of a header and no query of an address', async () => {
    const person = new Person(
      [
        'notify_webhook: https://hooks.test/geheim',
        'notify_command: [tell, sk-ant-geheim-geheim]',
        'tools: { t: { url: "https://t.test/mcp?key=geheim", headers: { X-Key: geheim } } }',
        'servers: { s: { speaks: openai, url: "http://s.test/v1", headers: { X-Key: geheim } } }',
        '',
      ].join('\n'),
    );
    for (const key of ['notify_webhook', 'notify_command', 'tools', 'servers', 'servers.s'])
      for (const more of ['', ' --json']) {
        const { code, out, err } = await person.config(`get ${key}${more}`);
        expect([code, out + err]).toEqual([0, expect.not.stringContaining('geheim')]);
      }
    expect((await person.config('get tools.t.headers.X-Key')).out).toBe('set\n');
    expect((await person.config('')).out).not.toContain('geheim');
  });
});

describe('changing a setting with "config set" or "config unset"', () => {
  it('keeps all other values and their comments', async () => {
    const person = new Person(MINE);
    for (const words of ['set model ollama/b', 'set keys.home.add +', 'set patience 30s'])
      expect(await person.config(words)).toMatchObject({ code: 0 });
    const expected = MINE.replace('ollama/a', 'ollama/b').replace(
      'stop: h\n',
      'stop: h\n  home.add: +\n',
    );
    expect(person.text).toBe(`${expected}patience: 30s\n`);
    for (const words of ['unset keys.stop', 'unset keys.home.add', 'unset open', 'unset patience'])
      expect(await person.config(words)).toMatchObject({ code: 0 });
    expect(person.text).toBe(
      '# Mine, for all machines.\n\n# The small one is fast.\nmodel: ollama/b # see the doctor\n',
    );
    expect(await person.config('unset model')).toMatchObject({ code: 0 });
    expect(person.text).toBe('# Mine, for all machines.\n');
    expect(await person.config('unset model')).toMatchObject({ code: 1 });
  });

  it('creates the file if there is none, and accepts lists and nested names with dots', async () => {
    const person = new Person();
    await person.config('set notify_command tell me');
    expect(person.text).toBe('notify_command:\n  - tell\n  - me\n');
    expect(await person.config('set tools.t.command [node,tools.js]')).toMatchObject({ code: 0 });
    expect(await person.config('set tools.t.env TOKEN_OF_T OTHER')).toMatchObject({ code: 0 });
    expect(JSON.parse((await person.config('get tools.t')).out)).toEqual({
      command: ['node', 'tools.js'],
      env: ['TOKEN_OF_T', 'OTHER'],
    });
  });

  it.each([
    ['set modle ollama/a', 'Did you mean model?'],
    ['set rounds many', 'rounds: expected brief, standard, audit or a number'],
    ['set keys.stop q', '"q" would mean both "stop" and "quit"'],
    ['set keys.stpo x', 'stpo'],
    ['set tools.t.url nowhere', 'tools.t.url: expected an address'],
    ['set __proto__ 1', 'there is no setting "__proto__"'],
    ['unset constructor', 'there is no setting "constructor"'],
    ['set model', 'expected a setting and its value'],
    ['gte model', 'Did you mean get?'],
  ])(
    'is refused for the arguments %j with an explanation, and the file stays unchanged',
    async (words, sentence) => {
      const person = new Person(MINE);
      const { code, out, err } = await person.config(words);
      expect([code, out, err]).toEqual([2, '', expect.stringContaining(sentence)]);
      expect(person.text).toBe(MINE);
    },
  );

  it('can correct a wrong value in the file, but is refused if the file is not valid YAML', async () => {
    const person = new Person('rounds: many\nopen: true\n');
    expect(await person.config('set rounds 5')).toMatchObject({ code: 0 });
    expect(person.text).toBe('rounds: 5\nopen: true\n');
    person.write(person.file, 'rounds: [\n');
    expect(await person.config('set rounds 5')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not valid YAML'),
    });
    expect(person.text).toBe('rounds: [\n');
  });

  it('adds the server to the name of a model: small:1b is stored as ollama/small:1b', async () => {
    const ollama = closeAfterTest(await startOllama({ models: ['small:1b'] }));
    const person = new Person();
    const env = { OLLAMA_HOST: ollama.url };
    expect(await person.config('set model small:1b', env)).toMatchObject({ code: 0 });
    expect(person.text).toBe('model: ollama/small:1b\n');
    person.write(join(person.cwd, '.deliberate/config.yaml'), '\nopen: false\n');
    expect((await person.config('set open true')).err).toContain(
      `Here ${person.cwd}/.deliberate/config.yaml:2 goes first.`,
    );
  });
});

describe('the person’s configuration file', () => {
  it('has its path printed by "config path", unless --config names another file', async () => {
    const person = new Person();
    expect(await person.config('path')).toMatchObject({ code: 0, out: `${person.file}\n` });
    expect((await person.config('path --config /elsewhere.yaml')).out).toBe('/elsewhere.yaml\n');
  });

  it('is not opened in an editor by "config edit" if there is no terminal', async () => {
    const person = new Person(MINE);
    const { code, err } = await person.config('edit', { EDITOR: 'touch edited;' });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`Edit the file yourself: ${person.file}`),
    ]);
    expect(existsSync(join(person.cwd, 'edited'))).toBe(false);
  });

  it('is changed by "config edit" only if the edited text is valid; an invalid text is kept elsewhere', async () => {
    const person = new Person(MINE);
    const editor = join(person.home, 'editor');
    // At its first start, this editor writes a mistake into the file; at its second start, it corrects the mistake.
    writeFileSync(
      editor,
      '#!/bin/sh\nif grep -q many "$1"; then sed -i s/many/5/ "$1"; else echo "rounds: many" >> "$1"; fi\n',
    );
    chmodSync(editor, 0o755);
    const env = { HOME: person.home, EDITOR: editor };
    const terminal = new Terminal(['config', 'edit'], { env });
    const asked = await terminal.until(/Edit it again\? \[y\/N\]/);
    expect(asked.replaceAll('\n', '')).toContain('rounds: expected brief');
    expect(person.text).toBe(MINE);
    terminal.press('y\r');
    expect(await terminal.exited).toBe(0);
    expect(person.text).toBe(`${MINE}rounds: 5\n`);
    person.write(person.file, MINE);
    const second = new Terminal(['config', 'edit'], { env });
    await second.until(/Edit it again\? \[y\/N\]/);
    second.press('n\r');
    expect(await second.exited).toBe(1);
    const [, kept = ''] =
      /Your text is kept in (\S+\.yaml)/.exec((await second.screen()).replaceAll('\n', '')) ?? [];
    expect(readFileSync(kept, 'utf8')).toBe(`${MINE}rounds: many\n`);
    expect(person.text).toBe(MINE);
  });
});
