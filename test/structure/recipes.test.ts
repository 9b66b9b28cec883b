/** The recipes of CONTRIBUTING.md, followed to the letter in a copy of the sources, and tried. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Terminal } from '../e2e/terminal.ts';
import {
  addFact,
  addFlag,
  addFlagOfCommand,
  addPresetKind,
  addProtocol,
  addProvider,
  addRecordKind,
  addSchema,
  addSetting,
  addTab,
  completeFact,
  completeProvider,
  completeSetting,
} from './recipes.ts';
import { Sources } from './sources.ts';

let copy: Sources;
let changedForFact: string[];
let changedForKind: string[];
let changedForFlag: string[];

beforeAll(async () => {
  copy = new Sources({ ECHO_KEY: 'a-key-of-echo', ECHO_OTHER: 'not-declared' });
  addProvider(copy);
  changedForFact = copy.listChangedBy(addFact);
  changedForKind = copy.listChangedBy(addRecordKind);
  changedForFlag = copy.listChangedBy(addFlagOfCommand);
  addProtocol(copy);
  addTab(copy);
  addFlag(copy);
  addSetting(copy);
  addPresetKind(copy);
  addSchema(copy);
});

afterAll(() => copy.remove());

describe('a step-by-step recipe of CONTRIBUTING.md', () => {
  it('causes compiler errors only in files that remain to be changed, and none at the end', async () => {
    expect(await copy.listIncomplete()).toEqual([
      'src/app/settings/config.ts',
      'src/models/providers.ts',
      'src/protocols/board/view/says.ts',
    ]);
    completeSetting(copy);
    completeProvider(copy);
    changedForFact.push(...copy.listChangedBy(completeFact));
    const [missing, floors] = await Promise.all([
      copy.listIncomplete(),
      copy.script('test/structure/check.ts'),
      copy.build(),
    ]);
    expect(missing).toEqual([]);
    expect(floors).toContain(' 0 problems');
  });

  it('adds a type of fact by changing two files and the examples', () => {
    expect(changedForFact).toEqual([
      'src/protocols/board/facts.ts',
      'src/protocols/board/view/says.ts',
      'test/kernel/facts.test.ts',
    ]);
  });

  it('adds a kind of record by changing one file; reports, exports, comparisons and a tab then show it', async () => {
    expect(changedForKind).toEqual(['src/protocols/agents/view/records.ts']);
    const runReview = async (question: string): Promise<string> => {
      const fast = ['--rehearse', '--rehearse-speed', '1000', '--seed', '1'];
      const quiet = ['--plain', '--quiet'];
      await copy.deliberate('agent', 'decision-review', ...fast, ...quiet, question);
      return /\S+/.exec(await copy.deliberate('list'))?.[0] ?? '';
    };
    const [first, second] = [
      await runReview('Should we?'),
      await runReview('Should we split the monolith?'),
    ];
    const [shown, compared] = await Promise.all([
      copy.deliberate('show', second),
      copy.deliberate('diff', first, second, '--json'),
      copy.deliberate('export', second, 'page.html'),
    ]);
    expect(shown).toContain('## Last words\n\nHow many words each agent ended with.');
    expect(shown).toMatch(/^\| decision-review \| \d+ \|$/m);
    expect(copy.read('page.html')).toContain('>Last words<');
    expect(JSON.parse(compared)).toHaveProperty('words.changed');
    const console = new Terminal(['bin/deliberate.js', 'open', second], {
      command: process.execPath,
      cwd: copy.folder,
      env: copy.env,
    });
    const tabs = await console.until(/\d Last words/);
    console.press(/(\d) Last words/.exec(tabs)?.[1] ?? '');
    await console.until(/How many words each agent ended with/);
    console.press('q');
    expect(await console.exited).toBe(0);
  });

  it('adds a flag by changing two files and the command that reads it', async () => {
    expect(changedForFlag).toEqual([
      'src/app/flags.ts',
      'src/cli/run-commands.ts',
      'src/cli/show.ts',
    ]);
    const board = [
      'board',
      '--plain',
      '--quiet',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      'Loud?',
    ];
    await copy.deliberate(...board);
    expect(await copy.deliberate('show', 'latest', '--loud')).toContain('# LOUD?');
    expect(await copy.deliberate('help', 'show')).toMatch(/--loud +Print the report in capitals/);
  });

  it('adds a working provider', async () => {
    const board = ['board', '--plain', '--quiet', '--no-vote', '--synthesizer', 'echo/x'];
    const said = await copy.deliberate(...board, '--seat', 'critic=echo/x', 'Should we split it?');
    // The new provider `echo` answers with the ECHO_KEY and ECHO_OTHER that the program gives it. The program gives it
    // only the declared ECHO_KEY, and shows the key in the answer as `[key]`.
    expect(said).toContain('I was asked by echo/x with [key] and undefined');
    expect(await copy.deliberate('config')).toMatch(/^ECHO_KEY +set$/m);
  });

  it('adds a protocol whose runs can be shown, exported and forked', async () => {
    const plain = ['--plain', '--quiet'];
    const coin = ['coin', ...plain, '--coins', '3', '--model', 'echo/x', 'Heads?'];
    expect(await copy.deliberate(...coin)).toContain('3 coins fell: heads');
    const fork = ['fork', 'latest', '--at', 'toss', '--set', 'seat.tosser.model=rehearsal/panel'];
    const [help, shown, exported, listed] = await Promise.all([
      copy.deliberate('help', 'coin'),
      copy.deliberate('show', 'latest'),
      copy.deliberate('export', 'latest', '--format', 'json'),
      copy.deliberate('list'),
    ]);
    expect(help).toMatch(/--coins N +how many are tossed/);
    expect(shown).toContain('I was asked by echo/x');
    expect(exported).toContain('"coin.fell"');
    expect(listed).toMatch(/coin.*Heads\?/);
    expect(await copy.deliberate(...fork, '--rehearse-speed', '1000', ...plain)).toContain(
      '3 coins fell: heads',
    );
  });

  it('adds a working tab of the console and a setting', async () => {
    copy.put('own.yaml', 'coins: 5\n');
    const console = new Terminal(
      ['bin/deliberate.js', 'coin', '--config', 'own.yaml', '--model', 'echo/x', 'Tails?'],
      { command: process.execPath, cwd: copy.folder, env: copy.env },
    );
    await console.until(/2 Tosses/);
    console.press('2');
    await console.until(/Toss by toss\s+5 coins fell: heads/);
    console.press('q');
    expect(await console.exited).toBe(0);
    expect(await copy.deliberate('config', '--coins', '2')).toMatch(/^coins +2 +flag$/m);
  });

  it('adds a kind of preset, with its JSON schema', async () => {
    expect(await copy.deliberate('presets', 'tones')).toMatch(/dry +built-in +Facts alone\./);
    await copy.script('docs/schemas.ts');
    expect(copy.read('docs/schemas/tone.schema.json')).toContain('"avoid"');
    expect(copy.read('docs/schemas/run.schema.json')).toContain('"table.moved"');
    expect(copy.read('docs/schemas/config.schema.json')).toContain('How many coins are tossed.');
  });
});
