/** Tests the home screen and the history with the keyboard of a real terminal. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { attachmentsOf } from '../../src/text/documents/attachment.ts';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';
import { Terminal, type TerminalOptions } from './terminal.ts';

interface Home {
  readonly db: string;
  readonly state: string;
  readonly env: Record<string, string>;
}

/** Creates the environment of a machine without any model server, unless `env` names one. */
function makeMachine(env: Record<string, string> = {}): Home {
  const base = makeFolder();
  const db = join(base, 'runs.db');
  return {
    db,
    state: join(base, 'state', 'deliberate', 'home.json'),
    env: {
      HOME: base,
      XDG_STATE_HOME: join(base, 'state'),
      DELIBERATE_DB: db,
      OLLAMA_HOST: 'http://127.0.0.1:1',
      ...env,
    },
  };
}

function openHome({ env }: Home, options: TerminalOptions = {}, args: string[] = []): Terminal {
  return new Terminal(['--rehearse-speed', '1000', ...args], {
    columns: 80,
    rows: 24,
    ...options,
    env,
  });
}

const ALONE = /What is to be decided/;

describe('the home screen', () => {
  it('starts the agent that a person chooses from the list', async () => {
    const home = makeMachine();
    const terminal = openHome(home);
    await terminal.until(ALONE);
    terminal.press('Why do our builds fail?');
    terminal.press('\u0014');
    await terminal.until(/Protocol +Rounds/);
    terminal.press('\u0014');
    await terminal.until(/Protocol +Agent/);
    // Move down to the line `Agent`, and open the list of agent files.
    terminal.press('\t\t\r');
    await terminal.until(/Which agent\?/);
    terminal.press('writer\r');
    await terminal.until(/Agent +writer /);
    terminal.press('c');
    await terminal.until(/Turn Rehearsal on/);
    terminal.press('\r');
    await terminal.until(/✓ done|done/);
    const view = viewIn(home.db);
    expect(view.protocol).toBe('agent');
    expect(view.question).toBe('Why do our builds fail?');
    expect(view.config).toMatchObject({ root: 'writer' });
    terminal.press('q');
    await terminal.until(/Recent/);
  });

  it('leads from a question to the synthesis of a rehearsal if no model is found', async () => {
    const home = makeMachine();
    mkdirSync(join(home.state, '..'), { recursive: true });
    writeFileSync(home.state, '{"protocol": 7');
    const terminal = openHome(home);
    await terminal.until(/What is to be decided[\s\S]*Classic Triad/);
    expect(terminal.alternate).toBe(true);
    expect(existsSync(home.state)).toBe(true);
    terminal.press('Should we split the monolith?');
    await terminal.until(/> Should we split the monolith\?/);
    terminal.press('\r');
    const nothing = await terminal.until(/No model was found/);
    expect(nothing).toContain('ollama at http://127.0.0.1:1');
    expect(nothing).toContain('ANTHROPIC_API_KEY');
    terminal.press('\r');
    await terminal.until(/✓ done[\s\S]*Synthesis v1/);
    terminal.press('q');
    const back = await terminal.until(/Recent +✓ done/);
    expect(back).toContain('Should we split');
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    expect(terminal.alternate).toBe(false);
    // The terminal's paste mode is switched off again, and the window has its old title.
    expect(terminal.raw).toContain('\u001b[?2004l');
    expect(terminal.raw).toContain('\u001b[23;2t');
    expect(viewIn(home.db).status).toBe('done');
    expect(viewIn(home.db).rehearsal).toBe(true);
  });

  it('remembers the models that were chosen for seats, but neither their new instructions nor the question', async () => {
    const server = closeAfterTest(await startOllama({ models: ['m1', 'm2', 'm3'] }));
    const home = makeMachine({ OLLAMA_HOST: server.url });
    const terminal = openHome(home, { columns: 120, rows: 40 });
    await terminal.until(/Advocate +ollama\/m1[\s\S]*Analyst +ollama\/m3/);
    // Give the first seat another model from a list that typing narrows.
    terminal.press('\u001b');
    await terminal.until(/Enter change/);
    terminal.press('jj');
    await terminal.until(/b brief/);
    terminal.press('\r');
    await terminal.until(/Which model for Advocate\?/);
    terminal.press('m2');
    await terminal.until(
      (screen) => !screen.includes('ollama/m1') && screen.includes('> ollama/m2'),
    );
    terminal.press('\r');
    await terminal.until(/Advocate +ollama\/m2/);
    // Give the seat instructions of its own, which are not saved as a preset.
    terminal.press('b');
    await terminal.until(/Instructions for the/);
    terminal.press('\u001b[200~Speak only of cost.\nAnd of time. \u001b[201~');
    await terminal.until(/Speak only of cost/);
    terminal.press('\r');
    await terminal.until(/custom instructions/);
    // The instructions that were just typed for the seat last for one session of the home screen. Opening and
    // leaving the history does not discard them.
    terminal.press('\u0012');
    await terminal.until(/No runs yet/);
    terminal.press('q');
    await terminal.until(/custom instructions[\s\S]*Ctrl-J new line/);
    terminal.press('Ship it?\r');
    await terminal.until(/✓ done/);
    const view = viewIn(home.db);
    expect(view.seats.map(({ id, model }) => `${id}=${model}`)).toEqual([
      'advocate=ollama/m2',
      'critic=ollama/m1',
      'analyst=ollama/m2',
    ]);
    expect(view.seats[0]?.brief).toContain('Speak only of cost.\nAnd of time.');
    expect(statSync(home.state).mode & 0o777).toBe(0o600);
    const remembered = readFileSync(home.state, 'utf8');
    expect(remembered).toContain('ollama/m2');
    expect(remembered).not.toContain('Ship it');
    expect(remembered).not.toContain('cost');
    terminal.press('q');
    await terminal.until(/Recent/);
    terminal.press('q');
    await terminal.exited;
    const again = openHome(home, { columns: 120, rows: 40 });
    await again.until(/Advocate +ollama\/m2/);
    again.press('\u0003');
    expect(await again.exited).toBe(0);
  });

  it('takes the question from an editor, or keeps the old question if the editor fails', async () => {
    const place = makeFolder();
    const writeEditor = (text: string): void => {
      writeFileSync(join(place, 'edit'), `#!/bin/sh\n${text}`);
      chmodSync(join(place, 'edit'), 0o755);
    };
    writeEditor(
      'cat "$1"; printf "the editor is here"; sleep 0.5\nprintf "One line.\\nAnother line.\\n" > "$1"\n',
    );
    const terminal = openHome(
      makeMachine({ EDITOR: 'edit', PATH: `${place}:${process.env.PATH ?? ''}` }),
    );
    await terminal.until(ALONE);
    terminal.press('draft');
    await terminal.until(/> draft/);
    terminal.press('\u0007');
    const lent = await terminal.until(/the editor is here/);
    expect(lent).toContain('draft');
    expect(terminal.alternate).toBe(false);
    await terminal.until(/> One line\.\s+Another line\./);
    expect(terminal.alternate).toBe(true);
    // Undo restores the question that the text from the person's editor has replaced.
    terminal.press('\u001f');
    await terminal.until(/> draft/);
    writeEditor('exit 1\n');
    terminal.press('\u0007');
    const kept = await terminal.until(/editor "edit" ended with an error/);
    expect(kept).toContain('> draft');
    terminal.press('\u0003');
    await terminal.until(/Press Ctrl-C again/);
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(0);
  });

  it('appears again with the typed question if the person leaves the questions before a run of rounds', async () => {
    const terminal = openHome(makeMachine(), {}, ['--rehearse']);
    await terminal.until(ALONE);
    terminal.press('\u001b[200~First line\r\nsecond line\u001b[201~');
    await terminal.until(/> First line\n +second line/);
    terminal.press('\\\r');
    terminal.press('third');
    await terminal.until(/second line\n +third/);
    terminal.resize(30, 8);
    await terminal.until(/terminal too small/);
    terminal.resize(140, 40);
    await terminal.until(/second line\n +third[\s\S]*Ctrl-C quit/);
    terminal.press('\u001a');
    await terminal.until(() => !terminal.alternate);
    process.kill(terminal.process.pid, 'SIGCONT');
    await terminal.until(/third/);
    await terminal.until(() => terminal.alternate);
    terminal.press('\u0014');
    await terminal.until(/Protocol +Rounds/);
    terminal.press('\r');
    await terminal.until(/What are you building/);
    terminal.press('\u0003');
    await terminal.until(/second line\n +third/);
    terminal.press('\u0003');
    await terminal.until(/Press Ctrl-C again/);
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(0);
    await terminal.until(() => !terminal.alternate);
  });

  it('restores a typed question after a crash, and attaches a file', async () => {
    const base = makeFolder();
    writeFileSync(join(base, 'plan.md'), 'the plan\n'.repeat(40));
    mkdirSync(join(base, 'src'));
    writeFileSync(join(base, 'src', 'clock.ts'), 'export const TICK = 3;\n');
    const home = makeMachine();
    const drafts = join(home.state, '..', 'drafts');
    const first = openHome(home, {}, ['--rehearse']);
    await first.until(ALONE);
    first.press('Is @plan.md done?');
    await first.until(/> Is @plan/);
    await expect.poll(() => existsSync(join(drafts, 'home.txt'))).toBe(true);
    first.process.kill('SIGKILL');
    await first.exited;
    const terminal = openHome(home, {}, ['--rehearse']);
    await terminal.until(/> Is @plan\.md done\?/);
    terminal.press('\u0006');
    await terminal.until(/Attach which file/);
    terminal.press(join(base, 'none.md'));
    await terminal.until(/none\.md/);
    terminal.press('\r');
    await terminal.until(/no\s+such\s+file/);
    // The refused path is still in the field, and Tab completes the path after a part of it is corrected.
    terminal.press('\u007f'.repeat('none.md'.length));
    await terminal.until(/\/ *$/m);
    terminal.press('pl\t');
    await terminal.until(/plan\.md/);
    terminal.press('\r');
    await terminal.until(/Files[\s\S]*plan\.md/);
    // Shift-Tab moves backwards: from the question to the last line, which is for runs, and then to the line of folders.
    terminal.press('\u001b[Z');
    terminal.press('\u001b[Z');
    terminal.press('\r');
    await terminal.until(/Which folder can seats read/);
    terminal.press(`${join(base, 'none')}\r`);
    await terminal.until(/no\s+such\s+folder/);
    terminal.press('\u007f'.repeat('none'.length));
    terminal.press('src\r');
    await terminal.until(/Folders +src +\//);
    terminal.press('c');
    await terminal.until(/3 of 3 seats answered/);
    expect(viewIn(home.db).config).toMatchObject({ look: [{ name: 'src' }] });
    expect(attachmentsOf(viewIn(home.db).config)).toMatchObject([{ name: 'plan.md' }]);
    // The home screen's draft is deleted when its question is sent. A follow-up that was begun is stored as
    // another draft.
    expect(existsSync(join(drafts, 'home.txt'))).toBe(false);
    terminal.press('a');
    await terminal.until(/Follow-up question to the same seats/);
    terminal.press('And\nif not?');
    await terminal.until(/if not\?/);
    terminal.press('\u001b');
    await terminal.until(/q back/);
    terminal.press('a');
    await terminal.until(/> And[\s\S]*if not\?/);
    await expect.poll(() => readdirSync(drafts)).toHaveLength(1);
    terminal.process.kill('SIGKILL');
    await terminal.exited;
    const [file = ''] = readdirSync(drafts);
    expect(readFileSync(join(drafts, file), 'utf8')).toBe('And\nif not?');
    expect(statSync(join(drafts, file)).mode & 0o777).toBe(0o600);
  });

  it('is replaced by the help if there is no terminal', async () => {
    const { code, out } = await runDeliberate([]);
    expect(code).toBe(0);
    expect(out).toContain('board [QUESTION]');
    for (const words of [['--help'], ['-h'], ['help']])
      expect(await runDeliberate(words)).toEqual({ code: 0, signal: null, out, err: '' });
    expect((await runDeliberate(['--version'])).out).toMatch(/^\d+\.\d+/);
    const bogus = await runDeliberate(['--bogus']);
    expect(bogus.code).toBe(2);
    expect(bogus.err).toContain('has no flag --bogus');
  });
});

describe('the history', () => {
  it('opens a run without asking any model, and removes and forks runs', async () => {
    const home = makeMachine();
    for (const question of ['Shall we paint it red?', 'Shall we sell the boat?'])
      await runDeliberate(
        ['board', '--rehearse', '--rehearse-speed', '1000', '--quiet', question],
        {
          env: home.env,
        },
      );
    const terminal = new Terminal(['history', '--rehearse-speed', '1000'], {
      columns: 80,
      rows: 24,
      env: home.env,
    });
    await terminal.until(/> ✓ done[^\n]*sell the boat[\s\S]*paint it red/);
    terminal.press('j');
    terminal.press('\r');
    await terminal.until(/✓ done[\s\S]*r re-synthesize/);
    terminal.press('q');
    // After returning from a run, the cursor is on this run.
    await terminal.until(/> ✓ done[^\n]*paint it red/);
    terminal.press('/');
    terminal.press('paint');
    await terminal.until((screen) => /1 shown/.test(screen) && !screen.includes('boat'));
    terminal.press('\r');
    await terminal.until(/Enter open/);
    const before = countFacts(home.db);
    terminal.press('\r');
    await terminal.until(/✓ done[\s\S]*r re-synthesize/);
    terminal.press('q');
    await terminal.until(/Search: paint/);
    terminal.press('p');
    await terminal.until(/Synthesis v1[\s\S]*played/);
    terminal.press('q');
    await terminal.until(/Search: paint/);
    expect(countFacts(home.db)).toBe(before);
    terminal.press('x');
    await terminal.until(/permanently\? y removes/);
    terminal.press('y');
    await terminal.until(/No match\./);
    terminal.press('\u001b');
    await terminal.until(/sell the boat/);
    terminal.resize(120, 30);
    await terminal.until(/Advocate rehearsal/);
    terminal.press('f');
    await terminal.until(/> seat\/advocate seat\.advocate\.model=/);
    terminal.press('rehearsal/other\r');
    // Wait until the run is done, because `q` asks for a confirmation while a run goes on.
    await terminal.until(/✓ done[\s\S]*Synthesis v1/);
    terminal.press('q');
    await terminal.until(/2 shown/);
    expect(viewIn(home.db).seats[0]?.model).toBe('rehearsal/other');
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
  });
});

function countFacts(db: string): number {
  const store = Store.open(db, FACTS);
  try {
    return store.list().reduce((sum, { id }) => sum + store.facts(id).length, 0);
  } finally {
    store.close();
  }
}

describe('deliberate open', () => {
  it('follows a run of another process; if it is opened again after that process was killed, it can resume the run', async () => {
    const home = makeMachine();
    const writer = new Program(['board', '--rehearse', '--rehearse-speed', '0.2', 'Long?'], {
      env: home.env,
    });
    await expect.poll(() => (existsSync(home.db) ? countFacts(home.db) : 0)).toBeGreaterThan(3);
    const watching = new Terminal(['open', 'latest'], { env: home.env });
    await watching.until(/live, open elsewhere/);
    watching.press('q');
    expect(await watching.exited).toBe(0);
    writer.child.kill('SIGKILL');
    await writer.ended;
    const before = countFacts(home.db);
    const terminal = new Terminal(['open', 'latest', '--rehearse-speed', '1000'], {
      env: home.env,
    });
    await terminal.until(/■ stopped[\s\S]*its process ended[\s\S]*c resume/);
    expect(countFacts(home.db)).toBe(before);
    terminal.press('c');
    await terminal.until(/✓ done[\s\S]*Synthesis v1/);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
  });
});
