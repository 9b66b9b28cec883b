/** The real program, killed with SIGKILL while it records predictions, decisions and answers, and then resumed. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { decisionsOf } from '../../src/decisions/fold.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { runDeliberate } from '../e2e/calls.ts';
import { temporaryFolder } from '../store/folder.ts';

const BOARD = [
  'board',
  '--rehearse',
  '--rehearse-speed',
  '1000',
  '--plain',
  '--quiet',
  '--predict',
  '2',
];

function newDatabase(): string {
  return join(temporaryFolder(), 'runs.db');
}

async function callUntilKilled(
  file: string,
  key: string,
  when: string,
  args: readonly string[],
): Promise<void> {
  const env = { ...process.env, HOME: temporaryFolder(), DELIBERATE_DB: file };
  const script = fileURLToPath(new URL('killed.ts', import.meta.url));
  const child = spawn(process.execPath, [script, key, when, ...args], { env, stdio: 'ignore' });
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
  expect(signal).toBe('SIGKILL');
}

function factsIn(file: string): readonly AnyFact[] {
  const store = Store.open(file, FACTS);
  try {
    return store.facts(store.find('latest'));
  } finally {
    store.close();
  }
}

function expectSound(file: string): readonly AnyFact[] {
  const db = new Database(file);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
  const facts = factsIn(file);
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
  return facts;
}

const callProgram = (file: string, ...args: string[]) =>
  runDeliberate(args, { env: { DELIBERATE_DB: file, HOME: temporaryFolder() } });
const countOf = (facts: readonly AnyFact[], type: string): number =>
  facts.filter((fact) => fact.type === type).length;

describe('a board with `--predict`, whose models write and weigh predictions,', () => {
  it.each([
    ['today', 'after'],
    ['drafts', 'before'],
    ['drafts', 'after'],
    ['forecast/advocate', 'before'],
    ['given/advocate', 'after'],
    ['panel', 'before'],
  ])(
    'if killed in its step predictions/1/%s %s the result is stored, neither repeats a recorded call nor loses a prediction when resumed',
    async (key, when) => {
      const file = newDatabase();
      await callUntilKilled(file, `predictions/1/${key}`, when, [...BOARD, 'Split it?']);
      expectSound(file);
      const resumed = await callProgram(
        file,
        'resume',
        'latest',
        '--plain',
        '--quiet',
        '--rehearse-speed',
        '1000',
      );
      expect(resumed.code).toBe(0);
      const facts = expectSound(file);
      const completed = facts.flatMap((fact) =>
        fact.type === 'call.completed' && 'step' in fact ? [String(fact.step)] : [],
      );
      expect(new Set(completed).size).toBe(completed.length);
      for (const type of ['predictions.drafted', 'forecasts.given', 'panel.forecast'])
        expect(countOf(facts, type)).toBe(1);
      const { predictions } = decisionsOf(facts);
      expect(predictions).toHaveLength(2);
      expect(predictions.every(({ panel }) => panel !== undefined)).toBe(true);
    },
  );
});

describe('Killing the process while it records what a person said', () => {
  const STEPS = [
    ['decision.taken', ['decide', 'latest', 'Split billing first', '--review', '90d']],
    ['prediction.resolved', ['due', 'latest', '--resolve', 'P-1-1=yes', '--resolve', 'P-1-2=no']],
  ] as const;

  it.each(STEPS)(
    'leaves no fact %s if the kill comes right before the transaction',
    async (type, args) => {
      const file = newDatabase();
      expect((await callProgram(file, ...BOARD, 'Split it?')).code).toBe(0);
      const before = factsIn(file).length;
      await callUntilKilled(file, 'note', 'before', args);
      expect(expectSound(file)).toHaveLength(before);
      expect((await callProgram(file, ...args)).code).toBe(0);
      const wanted = args.filter((word) => word.startsWith('P-1')).length || 1;
      expect(countOf(expectSound(file), type)).toBe(wanted);
    },
  );

  it.each(STEPS)(
    'leaves every fact %s on record if the kill comes right after the transaction',
    async (type, args) => {
      const file = newDatabase();
      expect((await callProgram(file, ...BOARD, 'Split it?')).code).toBe(0);
      await callUntilKilled(file, 'note', 'after', args);
      const wanted = args.filter((word) => word.startsWith('P-1')).length || 1;
      expect(countOf(expectSound(file), type)).toBe(wanted);
      expect((await callProgram(file, 'decide', 'latest', 'Wait')).code).toBe(0);
    },
  );

  it('leaves no record of an observation about a claim before the transaction, and a complete record after the transaction', async () => {
    const file = newDatabase();
    const rounds = [
      'rounds',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--seed',
      '7',
      '--rounds',
      'brief',
      '--no-predict',
    ];
    expect((await callProgram(file, ...rounds, '--plain', '--quiet', 'Split it?')).code).toBe(0);
    const store = Store.open(file, FACTS);
    const [claim = ''] = store.claimIds(store.find('latest'));
    store.close();
    const args = ['outcome', 'latest', '--claim', claim, 'held', '--note', 'The queue kept up'];
    await callUntilKilled(file, 'note', 'before', args);
    expect(countOf(expectSound(file), 'claim.observed')).toBe(0);
    await callUntilKilled(file, 'note', 'after', args);
    expect(countOf(expectSound(file), 'claim.observed')).toBe(1);
    const { code, err } = await callProgram(file, ...args);
    expect(code).toBe(0);
    expect(err).toContain("The claim's status stays as it was.");
    expect(decisionsOf(factsIn(file)).observations).toMatchObject([
      { claim, outcome: 'held', note: 'The queue kept up' },
      { claim, outcome: 'held' },
    ]);
  });
});
