/** Tests the questions before a deliberation in rounds (the walk), with the keyboard of a real terminal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asksForCasting } from '../../src/protocols/rounds/desk/casting.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { runDeliberate } from './calls.ts';
import { makeDatabasePath, makeFolder, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const REHEARSED = ['rounds', '--rehearse', '--rehearse-speed', '1000'];

/** Creates a configuration with two casts of the person's own, one of which is broken. */
function makeConfig(): Record<string, string> {
  const config = makeFolder();
  const casts = join(config, 'deliberate', 'casts');
  mkdirSync(casts, { recursive: true });
  const roles = ['action: the baker', 'guardian: the inspector', 'observer: a guest'];
  writeFileSync(
    join(casts, 'kitchen.yaml'),
    `name: Kitchen\ndescription: What is cooked or baked.\ncast:\n  ${[...roles, 'critic: a rival'].join('\n  ')}\n`,
  );
  writeFileSync(
    join(casts, 'broken.yaml'),
    `name: Broken\ndescription: Not whole.\ncast:\n  ${roles.join('\n  ')}\n`,
  );
  return { XDG_CONFIG_HOME: config };
}

describe('the questions that the program asks before a run of rounds', () => {
  it('start the run in the console once they are answered', async () => {
    const db = makeDatabasePath();
    const terminal = new Terminal(REHEARSED, {
      columns: 80,
      rows: 24,
      env: { DELIBERATE_DB: db, ...makeConfig() },
    });
    await terminal.until(/What are you building/);
    terminal.press('the bakery');
    await terminal.until(/> the bakery/);
    terminal.press('\r');
    await terminal.until(/What is to be decided/);
    // Two pasted lines become one line, and do not start the run.
    terminal.press('\u001b[200~Should we bake\r\nat night?\u001b[201~');
    await terminal.until(/> Should we bake at night\?/);
    terminal.press('\r');
    const casts = await terminal.until(/Who should argue[\s\S]*Ctrl-C leave/);
    expect(casts).toContain('2 Kitchen: What is cooked or baked.');
    expect(casts).toContain('Product architecture');
    // Compare without spaces: the sentence contains a temporary folder's path, and the length of the path decides
    // where the sentence is wrapped.
    expect(casts.replace(/\s+/g, '')).toMatch(/notread:.*broken\.yaml:\d+:cast\.critic/);
    expect(casts).toContain('the inspector');
    terminal.press('2');
    await terminal.until(/right four/);
    terminal.press('4');
    await terminal.until(/> a rival/);
    terminal.press('\u0015the health office\r');
    await terminal.until(/Critic +the health office/);
    terminal.press('5');
    await terminal.until(/How many rounds/);
    terminal.press('\u001b');
    await terminal.until(/right four/);
    terminal.press('5');
    await terminal.until(/another number/);
    terminal.press('2');
    await terminal.until(/one role is left out/);
    terminal.press('2');
    await terminal.until(/only they show which roles/);
    terminal.press('1');
    const review = await terminal.until(/Ready to start/);
    for (const words of [
      'at night?',
      'the bakery',
      'the health office',
      'R3 critic',
      'Enter start',
    ])
      expect(review).toContain(words);
    terminal.press('\r');
    await terminal.until(/REHEARSAL[\s\S]*quit/);
    expect(terminal.alternate).toBe(true);
    const view = viewIn(db);
    expect(view.question).toBe('Should we bake at night?\n\nWhat it is about: the bakery');
    expect(view.config).toMatchObject({
      rounds: 8,
      stress: { 3: 'critic', 5: 'guardian', 7: 'action' },
    });
    const briefs = view.seats.map(({ brief }) => brief).join();
    for (const player of ['the baker', 'the inspector', 'a guest', 'the health office'])
      expect(briefs).toContain(player);
    terminal.process.kill('SIGTERM');
    await terminal.exited;
    expect(terminal.alternate).toBe(false);
  });

  it('can be left with Ctrl-C, and no run is started', async () => {
    const db = makeDatabasePath();
    const terminal = new Terminal([...REHEARSED, 'Why?'], { env: { DELIBERATE_DB: db } });
    await terminal.until(/The question: Why\?/);
    terminal.press('\r');
    await terminal.until(/Who should argue[\s\S]*Ctrl-C leave/);
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(130);
    expect(terminal.alternate).toBe(false);
    expect(terminal.raw).toContain('No run was started.');
    const store = Store.open(db, FACTS);
    expect(store.list()).toEqual([]);
    store.close();
  });

  it('are skipped with --yes, --preset or --cast', () => {
    const tty = { isTTY: true };
    const isCastingAsked = (flags: Readonly<Record<string, unknown>>): boolean =>
      asksForCasting({ flags: { cast: [], ...flags }, env: {}, out: tty, stdin: tty } as never);
    expect(isCastingAsked({})).toBe(true);
    for (const flags of [
      { yes: true },
      { preset: 'software-review' },
      { cast: ['critic=a rival'] },
    ])
      expect(isCastingAsked(flags), JSON.stringify(flags)).toBe(false);
  });

  it('are not shown at a terminal with --cast', async () => {
    const terminal = new Terminal(
      [...REHEARSED, '--cast', 'critic=a rival', '--rounds', '1', 'Why?'],
      { columns: 80, rows: 24, env: { DELIBERATE_DB: makeDatabasePath() } },
    );
    await terminal.until(/REHEARSAL/);
    terminal.process.kill('SIGTERM');
    await terminal.exited;
  });
});

describe('rounds with --plain and without --preset', () => {
  const headless = [...REHEARSED, '--plain', '--rounds', '1', '--stress', 'none'];

  it.each([
    [
      'Should we bake at night?',
      'the baker',
      'Using the cast kitchen: it matches "bake" in the question. Choose another with --preset.',
    ],
    [
      'Is the sample of this study large enough?',
      'the experimentalist who runs it',
      'Using the cast research-method: it matches "sample", "study" in the question.',
    ],
    [
      'Where do we hold the party?',
      'the person who has to carry it out',
      'Using the cast any-decision: no other matches the question.',
    ],
  ])('choose the cast for the question %j, and say why', async (question, player, said) => {
    const env = { DELIBERATE_DB: makeDatabasePath(), ...makeConfig() };
    const { code, err } = await runDeliberate([...headless, '--yes', question], { env });
    expect(code).toBe(0);
    expect(err.split('\n').filter((line) => line.includes('Using the cast'))).toEqual([
      expect.stringContaining(said),
    ]);
    const [action, , , critic] = viewIn(env.DELIBERATE_DB).seats;
    expect(action?.brief).toContain(player);
    expect(critic?.brief).not.toContain('red team');
  });

  it('take single roles from --cast, and the others from the cast that fits the question', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath(), ...makeConfig() };
    const cast = ['--cast', 'critic=the health office'];
    const { err } = await runDeliberate([...headless, ...cast, 'Should we bake at night?'], {
      env,
    });
    expect(err).toContain('Using the cast kitchen');
    const [action, , , critic] = viewIn(env.DELIBERATE_DB).seats;
    expect(action?.brief).toContain('the baker');
    expect(critic?.brief).toContain('the health office');
  });
});

describe('a person’s own cast', () => {
  const headless = [...REHEARSED, '--plain', '--quiet', '--rounds', '1', '--stress', 'none'];

  it('is used if --preset names it', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath(), ...makeConfig() };
    const { code } = await runDeliberate([...headless, '--preset', 'kitchen', 'Why?'], { env });
    expect(code).toBe(0);
    expect(
      viewIn(env.DELIBERATE_DB)
        .seats.map(({ brief }) => brief)
        .join(),
    ).toContain('a rival');
  });

  it('that is broken is refused with file and line if --preset names it', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath(), ...makeConfig() };
    const broken = await runDeliberate([...headless, '--preset', 'broken', 'Why?'], { env });
    expect(broken.code).not.toBe(0);
    expect(broken.err).toMatch(/broken\.yaml:\d+: cast\.critic/);
    expect((await runDeliberate([...headless, 'Why?'], { env })).code).toBe(0);
  });
});
