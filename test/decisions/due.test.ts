/** Due predictions and decisions, from facts in a real store to the command line and a real terminal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDueSentence, readDue } from '../../src/app/decisions/due.ts';
import { addDays, dayOf } from '../../src/decisions/dates.ts';
import { fact as decision } from '../../src/decisions/facts.ts';
import { decisionsOf, outcomeOf } from '../../src/decisions/fold.ts';
import { resolvePrediction } from '../../src/decisions/taking.ts';
import type { AnyBody } from '../../src/kernel/vocabulary.ts';
import type { Store } from '../../src/store/store.ts';
import { runDeliberate } from '../e2e/calls.ts';
import { Terminal } from '../e2e/terminal.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeDecisionFact, recordBoard } from './recorded.ts';

const TODAY = dayOf(new Date());

const listDueIds = (store: Store, today: string): string[] =>
  readDue(store, today).map(({ id }) => id);
const callDue = (store: Store, ...words: string[]) =>
  runDeliberate(['due', ...words], { env: { DELIBERATE_DB: store.file } });
const viewOf = (store: Store, run: string) => decisionsOf(store.facts(run));

describe('readDue, which finds predictions, decisions and claims that are due,', () => {
  it('lists what is due on a day, earliest first', () => {
    const store = temporaryStore();
    recordBoard(store, {
      dates: ['2026-05-02', '2026-05-03'],
      more: [makeDecisionFact({ review: '2026-04-01' })],
    });
    recordBoard(store, { dates: ['2026-04-15'] });
    expect(listDueIds(store, '2026-03-31')).toEqual([]);
    expect(listDueIds(store, '2026-04-01')).toEqual(['decision']);
    expect(readDue(store, '2026-05-02').map(({ day }) => day)).toEqual([
      ...['2026-04-01', '2026-04-15', '2026-05-02'],
    ]);
    expect(formatDueSentence(readDue(store, '2026-03-31'))).toBeUndefined();
    expect(formatDueSentence(readDue(store, '2026-04-01'))).toBe('1 decision is due');
    expect(formatDueSentence(readDue(store, '2026-05-03'))).toBe('2 decisions are due');
  });

  it('leaves out predictions that are answered, void, postponed, of a rehearsal or drafted in another run', () => {
    const store = temporaryStore();
    const makeResolution = (outcome: 'yes' | 'void' | 'later', more: object = {}): AnyBody =>
      decision('prediction.resolved', { id: 'P-1-1', outcome, ...more });
    recordBoard(store, { more: [makeResolution('yes')] });
    recordBoard(store, { more: [makeResolution('void', { why: 'sold' })] });
    recordBoard(store, { more: [makeDecisionFact({ follows: false })] });
    recordBoard(store, { rehearsal: true });
    recordBoard(store, { draftedIn: '01a21d61-aaed-7334-a328-1680bb8ee9a4' });
    recordBoard(store, { more: [makeResolution('later', { date: '2026-06-01' })] });
    expect(listDueIds(store, '2026-05-31')).toEqual([]);
    expect(listDueIds(store, '2026-06-01')).toEqual(['P-1-1']);
  });

  it('lists open claims on which the latest decision is based', () => {
    const store = temporaryStore();
    const open_claims = [
      { claim: 'C-1-1', text: 'The queue keeps up.' },
      { claim: 'C-1-2', text: 'Nobody reads it.' },
    ];
    const seen = decision('claim.observed', { claim: 'C-1-2', outcome: 'held' });
    recordBoard(store, { dates: ['2099-01-01'], more: [makeDecisionFact({ open_claims }), seen] });
    expect(listDueIds(store, TODAY)).toEqual(['C-1-1']);
    expect(formatDueSentence(readDue(store, TODAY))).toBeUndefined();
  });

  it('is called by the command `due` with today’s date in the time zone of the process', async () => {
    const store = temporaryStore();
    const moment = new Date();
    const formatDay = (zone: string): string =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(moment);
    const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12'];
    // These two time zones are 26 hours apart, so their dates always differ.
    recordBoard(store, { dates: [formatDay(east)] });
    const readDueList = async (TZ: string): Promise<string> => {
      const shown = new Terminal(['due'], { env: { DELIBERATE_DB: store.file, TZ } });
      await shown.exited;
      return shown.raw;
    };
    expect(await readDueList(east)).toContain('P-1-1');
    expect(await readDueList(west)).toContain('Nothing is due.');
  });
});

describe('`deliberate due --resolve`, by which a person says whether a prediction came true,', () => {
  it('records a second answer to a prediction and keeps the first', async () => {
    const store = temporaryStore();
    const run = recordBoard(store);
    expect(await callDue(store, run, '--resolve', 'p-1-1=yes', '--by', 'Ada')).toMatchObject({
      code: 0,
    });
    expect(await callDue(store, run, '--resolve', 'P-1-1=no')).toMatchObject({ code: 0 });
    const [prediction] = viewOf(store, run).predictions;
    expect(prediction?.resolutions).toMatchObject([
      { outcome: 'yes', by: 'Ada' },
      { outcome: 'no' },
    ]);
    expect(readDue(store, TODAY)).toEqual([]);
  });

  it('lets the answer count that was recorded last, even if the clock was set back', () => {
    const makeEnvelope = (seq: number, day: string) => ({
      run: 'r',
      seq,
      at: `${day}T00:00:00.000Z`,
    });
    const store = temporaryStore();
    const facts = store.facts(recordBoard(store));
    const makeResolution = (outcome: 'yes' | 'no') =>
      decision('prediction.resolved', { id: 'P-1-1', outcome });
    const view = decisionsOf([
      ...facts,
      { ...makeResolution('yes'), ...makeEnvelope(90, '2027-05-01') },
      { ...makeResolution('no'), ...makeEnvelope(91, '2026-01-01') },
    ]);
    const [prediction] = view.predictions;
    expect(prediction && outcomeOf(prediction, view).state).toBe('no');
  });

  it.each([
    ['an unknown prediction', ['P-9-9=yes'], 'the run has no prediction "P-9-9"'],
    ['an id that every object has as a property', ['__proto__=yes'], 'the run has no prediction'],
    ['a word that is no outcome', ['P-1-1=maybe'], '"maybe" is no outcome'],
    ['the outcome “void” without a reason', ['P-1-1=void'], 'say why'],
    ['the outcome “later” without a date', ['P-1-1=later'], 'say when to ask again'],
    [
      'the outcome “later” with a date in the past',
      ['P-1-1=later', '--date', '2020-01-01'],
      'not in the future',
    ],
    [
      'the outcome “later” with today’s date',
      ['P-1-1=later', '--date', TODAY],
      'not in the future',
    ],
    [
      'the outcome “later” with the date 30 February',
      ['P-1-1=later', '--date', '2027-02-30'],
      'is not a date',
    ],
    [
      'the outcome “yes” with a date',
      ['P-1-1=yes', '--date', '2030-01-01'],
      'only later takes a date',
    ],
    [
      'two outcomes of one prediction',
      ['P-1-1=yes', '--resolve', 'p-1-1=no'],
      'says two things of P-1-1',
    ],
    ['an outcome without an id', ['yes'], 'expected ID=OUTCOME'],
    ['the review of a decision that nobody took', ['decision=stands'], 'nothing was decided'],
    [
      'one valid answer together with one to an unknown prediction',
      ['P-1-2=yes', '--resolve', 'P-7-7=no'],
      'no prediction "P-7-7"',
    ],
  ])('refuses %s, and records nothing', async (_what, words, why) => {
    const store = temporaryStore();
    const run = recordBoard(store, { dates: ['2026-03-01', '2026-03-02'] });
    const before = store.facts(run).length;
    const refused = await callDue(store, run, '--resolve', ...words);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain(why);
    expect(store.facts(run)).toHaveLength(before);
  });

  it('refuses a prediction that assumes a recommendation which was not followed, a prediction of another run, and a run that is unknown, unfinished or in use', async () => {
    const store = temporaryStore();
    const other = recordBoard(store, { more: [makeDecisionFact({ follows: false })] });
    const fork = recordBoard(store, { draftedIn: '01a21d61-aaed-7334-a328-1680bb8ee9a4' });
    const open = recordBoard(store, { isOver: false });
    const readRefusal = async (run: string): Promise<string> => {
      const { code, err } = await callDue(store, run, '--resolve', 'P-1-1=yes');
      expect(code).not.toBe(0);
      return err;
    };
    expect(await readRefusal(other)).toContain('P-1-1 is void');
    expect(await readRefusal(fork)).toContain('is a prediction of run 01a21d61');
    expect(await readRefusal('ffffffff')).toContain('ffffffff');
    expect(await readRefusal(open)).toContain('has not ended');
    const held = store.own(other);
    expect(await readRefusal(other)).toContain('is in use by');
    held.release();
  });

  it('makes a postponed prediction and a confirmed decision due again on the day that the person names', async () => {
    const store = temporaryStore();
    const run = recordBoard(store, { more: [makeDecisionFact({ review: '2026-03-01' })] });
    const later = addDays(TODAY, 30);
    expect(listDueIds(store, TODAY)).toEqual(['P-1-1', 'decision']);
    await callDue(store, run, '--resolve', 'P-1-1=later', '--date', '30d');
    await callDue(store, run, '--resolve', 'decision=stands', '--date', later);
    expect(listDueIds(store, addDays(TODAY, 29))).toEqual([]);
    expect(listDueIds(store, later)).toEqual(['P-1-1', 'decision']);
  });

  it('prints what is due as text, or as JSON with --json', async () => {
    const store = temporaryStore();
    const run = recordBoard(store, { command: 'uptime' });
    expect((await callDue(store)).out).toContain('2026-03-01  ');
    expect(JSON.parse((await callDue(store, '--json')).out)).toEqual({
      kind: 'prediction',
      id: 'P-1-1',
      day: '2026-03-01',
      text: 'Figure 1 is above 100.',
      look: 'the dashboard',
      command: 'uptime',
      run,
      imported: false,
    });
  });

  it('keeps both answers if two people answer the same prediction', () => {
    const store = temporaryStore();
    const run = recordBoard(store);
    const [first, second] = [viewOf(store, run), viewOf(store, run)];
    for (const [view, outcome] of [
      [first, 'yes'],
      [second, 'no'],
    ] as const) {
      const journal = store.own(run);
      journal.note([resolvePrediction(view, 'P-1-1', { outcome }, TODAY)]);
      journal.release();
    }
    expect(viewOf(store, run).predictions[0]?.resolutions).toHaveLength(2);
  });
});

describe('deliberate due RUN at a terminal', () => {
  const openDue = (store: Store, run: string, cwd: string): Terminal =>
    new Terminal(['due', run], { env: { DELIBERATE_DB: store.file }, cwd });

  it('runs a command only after the person approved the command', async () => {
    const store = temporaryStore();
    const cwd = temporaryFolder();
    const run = recordBoard(store, {
      command: 'echo ran-it | tee done.txt',
      dates: ['2026-03-01', '2026-03-02'],
    });
    const shown = openDue(store, run, cwd);
    await shown.until(/Run it\?/);
    shown.press('n\r');
    await shown.until(/Enter to skip/);
    expect(() => readFileSync(join(cwd, 'done.txt'))).toThrow();
    shown.press('maybe\r');
    await shown.until(/"maybe" is no outcome.*Enter to skip/s);
    shown.press('\r');
    await shown.until(/Figure 2/);
    await shown.until(/Figure 2.*Run it\?/s);
    shown.press('y\r');
    await shown.until(/Exit 0\..*Enter to skip/s);
    shown.press('yes the dashboard of March\r');
    expect(await shown.exited).toBe(0);
    expect(readFileSync(join(cwd, 'done.txt'), 'utf8')).toBe('ran-it\n');
    expect(viewOf(store, run).predictions.map(({ resolutions }) => resolutions)).toMatchObject([
      [],
      [
        {
          outcome: 'yes',
          evidence: 'the dashboard of March',
          ran: { command: 'echo ran-it | tee done.txt', exit: 0, output: 'ran-it\n' },
        },
      ],
    ]);
  });

  it('neither runs nor offers the command of an imported run', async () => {
    const [there, here] = [temporaryStore(), temporaryStore()];
    const run = recordBoard(there, { command: 'touch done.txt' });
    const cwd = temporaryFolder();
    // Restore the run like `deliberate import`, which marks a run of another person as foreign.
    here.restore(there.archive(run, 'test'), { isForeign: true });
    const shown = openDue(here, run, cwd);
    await shown.until(/never run here/);
    await shown.until(/Enter to skip/);
    shown.press('y\r');
    expect(await shown.exited).toBe(0);
    expect(shown.raw).not.toContain('Run it?');
    expect(() => readFileSync(join(cwd, 'done.txt'))).toThrow();
    expect(viewOf(here, run).predictions[0]?.resolutions).toMatchObject([{ outcome: 'yes' }]);
  });

  it('keeps an answer that another terminal recorded meanwhile', async () => {
    const store = temporaryStore();
    const run = recordBoard(store);
    const shown = openDue(store, run, temporaryFolder());
    await shown.until(/Enter to skip/);
    await callDue(store, run, '--resolve', 'P-1-1=no');
    shown.press('yes\r');
    await shown.until(/answered elsewhere meanwhile/);
    expect(await shown.exited).toBe(0);
    expect(viewOf(store, run).predictions[0]?.resolutions).toMatchObject([{ outcome: 'no' }]);
  });
});

describe('deliberate outcome', () => {
  it('refuses a claim that is not in the run', async () => {
    const store = temporaryStore();
    const run = recordBoard(store);
    const env = { DELIBERATE_DB: store.file };
    const unknown = await runDeliberate(['outcome', run, '--claim', 'C-1-9', 'held'], { env });
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.err).toContain('the run has no claim "C-1-9"');
    expect((await runDeliberate(['outcome', run, 'held'], { env })).code).toBe(2);
  });
});
