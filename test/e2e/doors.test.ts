/**
 * Tests that hostile bytes from every input reach no terminal, that nothing visible is lost, and that the
 * record has the input as it came. All attacks go through every input at once, to start the program only a
 * few times. The console of `watch` is tested in the long form only.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boardOf } from '../../src/protocols/board/fold.ts';
import { LONG } from '../long.ts';
import { readPage } from '../plain/html-reader.ts';
import { attacks, findMissingWords, joinAttacks } from '../text/escape-corpus.ts';
import { findControlText, findForeignText } from '../text/terminal-bytes.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import {
  HOSTILE_FILE_NAME,
  HOSTILE_MODEL_NAME,
  type HostileScene,
  makeHostileScene,
  PIECES_ANSWER,
  renameModel,
  SHORT_ATTACK,
} from './hostile-scene.ts';
import { type ProgramResult, runProgram } from './program.ts';
import { viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

/** Calls the program in the scene and checks every byte of its output. */
async function callChecked(
  scene: HostileScene,
  args: readonly string[],
  input?: string,
): Promise<ProgramResult> {
  const { cwd, env } = scene;
  const ended = await (input === undefined
    ? runDeliberate(args, { cwd, env })
    : runProgram(args, { cwd, env, input }));
  const name = args.slice(0, 3).join(' ').slice(0, 60);
  expect(findControlText(ended.out), `standard output of ${name}`).toBe('');
  expect(findControlText(ended.err), `standard error of ${name}`).toBe('');
  return ended;
}

const EVIL = ['--preset', 'evil', '--synthesizer', 'ollama/chair', '--attach', 'plan.md'];

/** A console in the scene's folder, whose bytes are checked at the end. */
class Shown {
  readonly terminal: Terminal;
  constructor(
    { cwd, env }: HostileScene,
    args: readonly string[],
    size = { columns: 140, rows: 40 },
  ) {
    const here = process.cwd();
    process.chdir(cwd);
    try {
      this.terminal = new Terminal(args, { ...size, env });
    } finally {
      process.chdir(here);
    }
  }

  /** Presses keys one after the other, each after the screen has reacted to the previous one. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const before = this.terminal.raw.length;
      this.terminal.press(key);
      // Some keys change nothing on the screen, so wait for at most 12 times 25 ms.
      for (let wait = 0; wait < 12 && this.terminal.raw.length === before; wait += 1)
        await new Promise((resolve) => setTimeout(resolve, 25));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async leave(...keys: readonly string[]): Promise<void> {
    await this.press(...keys);
    await Promise.race([
      this.terminal.exited,
      new Promise((resolve) => setTimeout(resolve, 3_000)).then(() => {
        this.terminal.press('\u0003\u0003\u0003');
        return this.terminal.exited;
      }),
    ]);
    this.look();
  }

  /**
   * Checks the bytes so far. Returns the texts that were copied to the clipboard, which the program may
   * write.
   */
  look(): string[] {
    const copied: string[] = [];
    const rest = this.terminal.raw
      .replaceAll('\r\n', '\n')
      .replaceAll(/\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007/g, (_all, base64: string) => {
        copied.push(Buffer.from(base64, 'base64').toString('utf8'));
        return '';
      });
    expect(findForeignText(rest), 'bytes of the terminal').toBe('');
    // `pwned` is a word of the hostile text, inside an escape sequence. It may be visible in the tab Log, which
    // shows the sequence as JSON, but nowhere else.
    const read = rest.replaceAll('\\u001b]0;pwned', '');
    expect(/.{0,200}pwned.{0,50}/s.exec(read)?.[0] ?? '').toBe('');
    for (const text of copied) expect(findControlText(text), 'copied text').toBe('');
    return copied;
  }
}

it('these tests have at least 60 different hostile texts and notice a control sequence in a text', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(60);
  expect(new Set(attacks.map(({ text }) => text)).size).toBe(attacks.length);
  expect(findControlText(SHORT_ATTACK)).not.toBe('');
  expect(findMissingWords('x', joinAttacks('x'))).toEqual([]);
});

describe('a board with hostile text everywhere', () => {
  it('is printed completely, without control sequences', async () => {
    const scene = await makeHostileScene();
    const { cwd, db } = scene;
    const board = await callChecked(scene, ['board', '--plain', ...EVIL, '--file', 'question.md']);
    expect(board.code, board.err).toBe(0);
    for (const q of ['said', 'whole', 'joined']) expect(findMissingWords(q, board.out)).toEqual([]);
    expect(board.err).toContain('refused safe');
    expect(board.err).toMatch(/json0a/);

    // The run's journal contains a seat's whole answer, the trimmed question and the whole attached text.
    const facts = factsIn(db);
    const said = facts.find((fact) => fact.type === 'call.completed' && fact.seat === 'pieces');
    expect(said?.type === 'call.completed' && said.text).toBe(`said ${PIECES_ANSWER}`);
    const view = viewIn(db);
    expect(view.question).toBe(scene.question.trim());
    expect(JSON.stringify(view.config)).toContain(
      JSON.stringify(readFileSync(join(cwd, 'plan.md'), 'utf8')),
    );

    const [shown, markdown, page, json, records] = await Promise.all([
      callChecked(scene, ['show', 'latest']),
      callChecked(scene, ['export', 'latest', '--format', 'markdown']),
      callChecked(scene, ['export', 'latest', '--format', 'html']),
      callChecked(scene, ['export', 'latest', '--format', 'json']),
      callChecked(scene, [
        'export',
        'latest',
        '--format',
        'records',
        '--to',
        `out ${SHORT_ATTACK.slice(0, 20)}`,
      ]),
    ]);
    for (const { out } of [shown, markdown])
      for (const q of ['asked', 'said', 'whole', 'joined'])
        expect(findMissingWords(q, out)).toEqual([]);
    const { text } = readPage(page.out);
    for (const q of ['asked', 'said', 'whole', 'joined'])
      expect(findMissingWords(q, text)).toEqual([]);
    expect(records.code).toBe(1);
    // The JSON export has the hostile characters escaped; importing it restores the same facts.
    const again = { ...scene, env: { ...scene.env, DELIBERATE_DB: join(scene.home, 'two.db') } };
    expect((await callChecked(again, ['import', '-'], json.out)).code).toBe(0);
    expect(factsIn(again.env.DELIBERATE_DB)).toEqual(facts);
    const imported = await callChecked(again, ['show', 'latest']);
    expect(imported.out).toBe(shown.out);

    // Old versions of the program allowed any text as a model's name. `show` and `export` still accept a run with
    // a hostile name, but `import` refuses the name.
    renameModel(db);
    expect(viewIn(db).seats.find(({ id }) => id === 'named')?.model).toBe(
      `ollama/${HOSTILE_MODEL_NAME}`,
    );
    const [named, , stranger] = await Promise.all([
      callChecked(scene, ['show', 'latest']),
      callChecked(scene, ['export', 'latest', '--format', 'markdown']),
      callChecked(scene, ['export', 'latest', '--format', 'json']),
    ]);
    for (const q of ['asked', 'said', 'whole', 'joined'])
      expect(findMissingWords(q, named.out)).toEqual([]);
    expect(findMissingWords('name', named.out, 'line')).toEqual([]);
    await callChecked(scene, ['replay', 'latest', '--plain', '--speed', '1000']);
    const refused = await callChecked(again, ['import', '-'], stranger.out);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('no model: ')]);

    const lines = await callChecked(
      scene,
      ['board', '--json', '--deltas', ...EVIL],
      scene.question,
    );
    const parsed = lines.out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as Record<string, string>);
    expect(
      parsed.find(({ type, seat }) => type === 'call.completed' && seat === 'pieces')?.text,
    ).toBe(`said ${PIECES_ANSWER}`);
  });

  it('prints follow-ups, retries and forks without control sequences', async () => {
    const scene = await makeHostileScene();
    const seats = ['pieces=ollama/pieces', 'named=ollama/named'].flatMap((seat) => [
      '--seat',
      seat,
    ]);
    const panel = [...seats, '--synthesizer', 'ollama/chair'];
    const callSuccessfully = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await callChecked(scene, args);
      expect(code, `${args[0]}: ${err}`).toBe(0);
      return out;
    };
    await callSuccessfully('board', '--plain', ...panel, 'Why?');
    renameModel(scene.db);
    const asked = joinAttacks('follow', 'line');
    expect(
      findMissingWords('said', await callSuccessfully('ask', 'latest', '--plain', asked)),
    ).toEqual([]);
    expect(boardOf(factsIn(scene.db)).questions.at(-1)).toMatchObject({ text: asked });
    await callSuccessfully('retry', 'latest', '--plain', '--seat', 'named');
    const answered = factsIn(scene.db).filter((fact) => fact.type === 'call.completed');
    expect(
      answered.filter(({ model }) => model === `ollama/${HOSTILE_MODEL_NAME}`).length,
    ).toBeGreaterThan(1);
    const misnamed = ['retry', 'latest', '--plain', '--seat', `named=ollama/${HOSTILE_MODEL_NAME}`];
    expect((await callChecked(scene, misnamed)).code).toBe(2);
    const told = joinAttacks('told', 'line');
    await callSuccessfully('resynthesize', 'latest', '--plain', '--note', told);
    expect(JSON.stringify(factsIn(scene.db))).toContain(JSON.stringify(told).slice(1, -1));
    const shown = await callSuccessfully('show', 'latest');
    for (const q of ['follow', 'told', 'joined'])
      expect(findMissingWords(q, shown, 'line')).toEqual([]);
    const at = [
      '--at',
      'seat/named',
      '--set',
      `seat.named.model=ollama/${HOSTILE_MODEL_NAME} again`,
    ];
    await callChecked(scene, ['fork', 'latest', '--plain', ...at]);
    await callSuccessfully(
      'fork',
      'latest',
      '--plain',
      '--at',
      'seat/named',
      '--set',
      'seat.named.model=ollama/pieces',
    );
    expect(findMissingWords('said', await callSuccessfully('show', 'latest'))).toEqual([]);
  });

  it('prints lists, settings and errors without control sequences', async () => {
    const scene = await makeHostileScene();
    // The first model that the server lists has a hostile name, so no seat gets this model.
    await callChecked(scene, ['board', '--quiet', '--plain', '--no-vote', 'Why?']);
    expect(viewIn(scene.db).seats.map(({ model }) => model)).toEqual(
      ['a', 'pieces', 'thinker'].map((model) => `ollama/${model}`),
    );
    const board = ['board', '--quiet', '--plain', '--no-vote', '--model', 'ollama/a'];
    await callChecked(scene, [...board, '--ask', 'evil']);
    const commands: string[][] = [
      ['list'],
      ['list', '--json'],
      ['list', '--search', 'joined5a'],
      ['list', '--search', SHORT_ATTACK],
      ['watch', 'latest', '--plain'],
      ['replay', 'latest', '--plain'],
      ['models'],
      ['models', '--json'],
      ['models', '--prices'],
      ['doctor', '--quick', `ollama/${HOSTILE_MODEL_NAME}`, 'ollama/json', 'ollama/html'],
      ['doctor', '--quick', '--json', 'ollama/json'],
      ['presets'],
      ['presets', '--json'],
      ['presets', 'check'],
      ['agents'],
      ['agents', 'check'],
      [
        'agent',
        'evil',
        '--rehearse',
        '--rehearse-speed',
        '1000',
        '--plain',
        joinAttacks('in', 'line'),
      ],
      ['config', '--config', 'config.yaml'],
      ['config', '--config', 'misnamed-config.yaml'],
      ['board', '--config', 'misnamed-config.yaml', 'Why?'],
      ['config', '--json', '--model', `ollama/${HOSTILE_MODEL_NAME}`],
      ['config', 'check', '--config', 'broken-config.yaml'],
      ['board', '--config', 'broken-config.yaml', 'Why?'],
      ['board', '--preset', SHORT_ATTACK, 'Why?'],
      [
        'board',
        '--seat',
        `critic=ollama/${HOSTILE_MODEL_NAME}`,
        '--plain',
        joinAttacks('arg', 'line'),
      ],
      ['board', '--seat', SHORT_ATTACK, 'Why?'],
      ['board', '--attach', SHORT_ATTACK, 'Why?'],
      ['board', '--attach', HOSTILE_FILE_NAME, 'Why?'],
      ['show', SHORT_ATTACK],
      ['import', SHORT_ATTACK],
      ['validate', SHORT_ATTACK],
      ['diff', 'latest', SHORT_ATTACK],
      ['fork', 'latest', '--at', SHORT_ATTACK],
      [SHORT_ATTACK],
      ['board', `--${SHORT_ATTACK}`],
      ['completions', SHORT_ATTACK],
      ['completions', 'bash'],
      ['completions', 'runs'],
      ['completions', 'roles'],
    ];
    const outputs: ProgramResult[] = [];
    for (const args of commands) outputs.push(await callChecked(scene, args));
    const getOutput = (word: string, at = 0): string =>
      outputs[commands.findIndex(([name], index) => name === word && index >= at)]?.out ?? '';
    expect(findMissingWords('name', getOutput('models'), 'line')).toEqual([]);
    expect(findMissingWords('rolepieces', getOutput('presets'), 'line')).toEqual([]);
    // The list of agents shortens each entry to one line, so look for one word of the hostile text only.
    expect(getOutput('agents')).toContain('agent0b');
    expect(findMissingWords('config', getOutput('config'), 'line')).toEqual([]);
  });
});

describe('consoles with hostile text everywhere', () => {
  const END = /[✓◐] done|■ |✗ failed/;

  it('show no control sequences in any view of a board, on the home screen or in the history', async () => {
    const scene = await makeHostileScene();
    const shown = new Shown(scene, ['board', ...EVIL, '--file', 'question.md']);
    await shown.terminal.until(END);
    // The keys open columns, zoom, thinking, citations, search, tabs, vote, help and dialogs.
    await shown.press(
      'T',
      'z',
      'G',
      'g',
      '\u001b',
      '\t',
      'T',
      'g',
      '\t',
      '\t',
      '#',
      '\r',
      '\u001b',
      '\u001b',
    );
    await shown.press(
      '/',
      'words\r',
      'n',
      '\u001b',
      'v',
      'j',
      'j',
      '\r',
      '\u001b',
      'v',
      '6',
      'G',
      '\r',
      '1',
    );
    await shown.press(
      '?',
      '\u001b',
      ':',
      '\u001b',
      'M',
      '\u001b',
      'r',
      '\u001b',
      'a',
      '\u001b',
      '|',
      '\u001b',
    );
    await shown.press('g', '\t', 'y', 'Y', 'W', 'e', 'm');
    await shown.leave('q', 'q');
    const copied = shown.look().join('\n');
    expect(copied).not.toBe('');
    const written = readdirSync(scene.cwd).filter((file) => file.startsWith('deliberate-'));
    expect(written.length).toBeGreaterThan(0);
    const texts = written.map((file) => readFileSync(join(scene.cwd, file), 'utf8')).join('\n');
    expect(findControlText(texts)).toBe('');
    for (const q of ['said', 'joined']) expect(findMissingWords(q, texts)).toEqual([]);

    renameModel(scene.db);
    const screens = (
      [
        [
          ['retry', 'latest', '--seat', 'named'],
          END,
          ['\t', 'T', 'M', '\u001b', 'v', '\u001b', '4', '\r', 'd', '\u001b'],
        ],
        [[], /Recent/, ['\u001b', 'j', '\r', '\u001b', 'b', '\u001b', '?', '\u001b']],
        [['history'], /history +1 shown/, ['j', '/', 'joined\r', '\r', '\u001b', '?', '\u001b']],
        [
          ['replay', 'latest', '--speed', '50'],
          /replay/,
          ['E', 'G', '4', '\r', 'd', '\u001b', ',', '1'],
        ],
        [['watch', 'latest'], /asked0a|safe/, ['v', '4', '\r', 'd', '\u001b', '1', '\t', 'T']],
      ] as const
    )
      .filter(([[command]]) => LONG || command !== 'watch')
      .map(([args, ready, keys]) => async () => {
        const other = new Shown(scene, args, { columns: 100, rows: 30 });
        await other.terminal.until(ready);
        await other.press(...keys);
        await other.leave('q', '\u0003', '\u0003');
      });
    for (const screen of screens) await screen();
  });

  it('show no control sequences from a pasted note or follow-up question', async () => {
    const scene = await makeHostileScene();
    const slow = ['board', '--rehearse', '--rehearse-speed', '3', '--seed', '7', 'Why?'];
    const shown = new Shown(scene, slow);
    await shown.terminal.until(/\d+ tok/);
    // Remove only the sequence that ends a paste from the pasted text, as terminals do.
    const formatPaste = (text: string): string =>
      `\u001b[200~${text.replaceAll('\u001b[201~', '')}\u001b[201~`;
    await shown.press('i', formatPaste(joinAttacks('note', 'line')), '\r');
    await shown.terminal.until(/note0a/);
    await shown.press('s');
    await shown.terminal.until(END);
    await shown.press('a', formatPaste(joinAttacks('more', 'line')), '\r');
    await shown.terminal.until(/more0a/);
    await shown.press('s', '4', 'G', '\r');
    await shown.leave('q', 'q');
    const given = JSON.stringify(factsIn(scene.db));
    expect(findMissingWords('note', given, 'line')).toEqual([]);
    const told = await callChecked(scene, ['show', 'latest']);
    expect(findMissingWords('note', told.out, 'line')).toEqual([]);
  });

  it('show no control sequences in any view of rounds', async () => {
    const scene = await makeHostileScene();
    const rounds = [
      'rounds',
      '--preset',
      'evil',
      '--model',
      'ollama/a',
      '--verifier',
      'ollama/a',
      '--rounds',
      '2',
      '--stop-at',
      'never',
      '--yes',
    ];
    const held = await callChecked(scene, [
      ...rounds,
      '--plain',
      '--attach',
      'plan.md',
      joinAttacks('arg', 'line'),
    ]);
    expect(held.code, held.err).toBe(0);
    const to = join(scene.home, 'records');
    const [records] = await Promise.all([
      callChecked(scene, ['export', 'latest', '--format', 'records', '--to', to]),
      callChecked(scene, ['validate', 'latest']),
      callChecked(scene, ['signals', 'latest']),
      callChecked(scene, ['show', 'latest']),
      callChecked(scene, ['diff', 'latest', 'latest']),
    ]);
    expect(records.code, records.err).toBe(0);
    for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
      expect(findControlText(entry.name)).toBe('');
      // Attachments are copies of a person's own files, so they may contain control characters.
      if (entry.isFile() && !entry.parentPath.endsWith('attachments'))
        expect(
          findControlText(readFileSync(join(entry.parentPath, entry.name), 'utf8')),
          entry.name,
        ).toBe('');
    }
    // The records pass `validate` only if they cite headings by their text without control characters.
    const validated = await callChecked(scene, ['validate', to]);
    expect(validated.code, validated.out).toBe(0);
    const shown = new Shown(scene, ['open', 'latest']);
    await shown.terminal.until(END);
    for (const tab of ['2', '3', '4', '5', '6', '1'])
      await shown.press(tab, 'j', 'j', '\r', 'd', 'j', '#', '\u001b', 'G');
    await shown.leave('\u001b', 'q', 'q');
  });
});
