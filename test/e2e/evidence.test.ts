/** Tests `deliberate test`: nothing runs without approval, and what ran is recorded and cited. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { attacks } from '../text/escape-corpus.ts';
import { runDeliberate } from './calls.ts';
import { factsIn, recordsIn } from './deliberators.ts';
import { runProgram } from './program.ts';
import { makeDatabasePath, makeFolder } from './scene.ts';
import { PROGRAM, Terminal } from './terminal.ts';

const QUESTION = 'Should we split the monolith?';
let log: Uint8Array;

/** A database with a rehearsed run of two rounds, made once and copied for each test. */
beforeAll(() => {
  const made = mkdtempSync(join(tmpdir(), 'deliberate-evidence-'));
  const db = join(made, 'runs.db');
  const args = ['rounds', '--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];
  const planned = ['--rounds', '2', '--stress', 'none', '--stop-at', 'never', '--seed', '3'];
  // `runProgram` cannot be used in `beforeAll`: `runProgram` calls `onTestFinished`, which throws an error
  // outside of a test.
  spawnSync(process.execPath, [PROGRAM, ...args, ...planned, QUESTION], {
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', DELIBERATE_DB: db },
  });
  // Open and close the database once more, so that SQLite moves its write-ahead log into the copied file.
  Store.open(db, FACTS).close();
  log = readFileSync(db);
  rmSync(made, { recursive: true });
});

function makeDeliberation(): { db: string; env: Record<string, string> } {
  const db = makeDatabasePath();
  writeFileSync(db, log);
  return { db, env: { DELIBERATE_DB: db } };
}

function runTest(env: Record<string, string>, ...args: string[]) {
  return runDeliberate(['test', 'latest', ...args], { env });
}

function pendingIn(db: string): string[] {
  return Object.values(roundsOf(factsIn(db)).claims).flatMap(({ id, status }) =>
    status === 'pending' ? [id] : [],
  );
}

async function validateRecords(env: Record<string, string>) {
  const to = makeFolder();
  await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
  const { out, code } = await runDeliberate(['validate', to, '--json']);
  const { warnings, ...judged } = JSON.parse(out) as { warnings: { rule: string }[] };
  expect(judged).toEqual({ ok: true, errors: [] });
  // Allow only the warning `fallen-ground`: a command may refute a claim on which a decision rests.
  expect(warnings.filter(({ rule }) => rule !== 'fallen-ground')).toEqual([]);
  expect(code).toBe(0);
  return recordsIn(to);
}

describe('deliberate test without a run’s id', () => {
  it('uses the latest run of the protocol rounds and prints the run’s id, as do `validate` and `signals`', async () => {
    const { db, env } = makeDeliberation();
    const store = Store.open(db, FACTS);
    const rounds = store.find('latest').slice(0, 13);
    store.create('board').release();
    store.close();
    const named = `Latest rounds run: ${rounds} "${QUESTION}"`;
    const waiting = await runDeliberate(['test'], { env });
    expect([waiting.code, waiting.err.split('\n')[0]]).toEqual([0, named]);
    const [claim = ''] = /^C-\S+/m.exec(waiting.out) ?? [];
    expect(claim).not.toBe('');
    expect(waiting.err).toContain(`test ${rounds} C-`);
    const tested = await runDeliberate(['test', claim, '--command', 'exit 0', '--yes'], { env });
    expect([tested.code, tested.err.split('\n')[0]]).toEqual([0, named]);
    const evidence = listFactsOfType(factsIn(db, rounds), 'evidence.recorded');
    expect(evidence.map((fact) => fact.claim)).toEqual([claim]);
    for (const command of ['validate', 'signals'])
      expect((await runDeliberate([command], { env })).err).toBe(`${named}\n`);
  });

  it('is refused if --command is given without the claim to test', async () => {
    const { env } = makeDeliberation();
    const { code, err } = await runDeliberate(['test', '--command', 'true'], { env });
    expect([code, err]).toEqual([2, expect.stringContaining('name the claim')]);
  });
});

describe('approval of a command', () => {
  it('is required: otherwise nothing runs, and the exit code is 2', async () => {
    const { db, env } = makeDeliberation();
    const mark = join(makeFolder(), 'mark');
    const [claim = ''] = Object.keys(roundsOf(factsIn(db)).claims);
    const before = factsIn(db).length;
    const { code, err } = await runTest(env, claim, '--command', `touch ${mark}`);
    expect(code).toBe(2);
    expect(err).toContain(`touch ${mark}`);
    expect(err).toContain('--yes');
    expect(existsSync(mark)).toBe(false);
    expect(factsIn(db)).toHaveLength(before);
  });

  it('is asked for at a terminal, with the whole command', async () => {
    const { db, env } = makeDeliberation();
    const mark = join(makeFolder(), 'mark');
    const [claim = ''] = pendingIn(db);
    const args = ['test', 'latest', claim, '--command', `touch ${mark}`];
    // Answer with another word and with Ctrl-D; other tests cover Enter and n.
    for (const answer of ['yikes\r', '\u0004']) {
      const terminal = new Terminal(args, { env });
      const screen = await terminal.until(/Run it\? \[y\/N\]/);
      expect(screen.replaceAll('\n', '')).toContain(`touch ${mark}`);
      terminal.press(answer);
      expect(await terminal.exited).toBe(1);
      expect(await terminal.screen()).toMatch(/^Nothing was run\.$/m);
      expect(existsSync(mark)).toBe(false);
    }
    const terminal = new Terminal(args, { env });
    await terminal.until(/Run it\?/);
    terminal.press('y\r');
    expect(await terminal.exited).toBe(0);
    expect(existsSync(mark)).toBe(true);
    expect(listFactsOfType(factsIn(db), 'evidence.recorded')).toMatchObject([
      { claim, approvedBy: 'person', command: `touch ${mark}`, exit: 0 },
    ]);
  });

  it.each([
    [
      'test',
      /Run it\? \[y\/N\]/,
      (claim: string) => ['test', 'latest', claim, '--command', 'true'],
    ],
    ['rm', /permanently\? \[y\/N\]/, () => ['rm', 'latest']],
  ] as const)(
    'is refused by Ctrl-C when the command %s asks for it',
    async (_name, question, args) => {
      const { db, env } = makeDeliberation();
      const before = factsIn(db).length;
      const terminal = new Terminal(args(pendingIn(db)[0] ?? ''), { env });
      await terminal.until(question);
      terminal.press('\u0003');
      expect(await terminal.exited).toBe(130);
      expect((await terminal.screen()).trimEnd()).toMatch(/\[y\/N\] ?\nStopped\.$/);
      expect(factsIn(db)).toHaveLength(before);
    },
  );

  it.each([
    ['a whole answer', 'y\r', 'n\r'],
    ['half an answer', 'y', '\r'],
  ])(
    'is not given by keys typed before the question appeared: %s',
    async (_name, before, after) => {
      const { db, env } = makeDeliberation();
      const mark = join(makeFolder(), 'mark');
      const [claim = ''] = pendingIn(db);
      const args = ['test', 'latest', claim, '--command', `touch ${mark}`];
      const terminal = new Terminal(args, { env });
      terminal.press(before);
      await terminal.until(/Run it\? \[y\/N\]/);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(existsSync(mark)).toBe(false);
      terminal.press(after);
      expect(await terminal.exited).toBe(1);
      expect(existsSync(mark)).toBe(false);
      expect(await terminal.screen()).toContain('Nothing was run.');
    },
  );

  it.each(['constructor', 'toString', '__proto__', 'C-9-9'])(
    'by --yes runs nothing if the claim does not exist: %s',
    async (claim) => {
      const { db, env } = makeDeliberation();
      const mark = join(makeFolder(), 'mark');
      const before = factsIn(db).length;
      const { code, err } = await runTest(env, claim, '--command', `touch ${mark}`, '--yes');
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`has no claim "${claim}"`),
      });
      expect(existsSync(mark)).toBe(false);
      expect(factsIn(db)).toHaveLength(before);
    },
  );

  it('is asked for with the command’s invisible characters shown', async () => {
    const { db, env } = makeDeliberation();
    const [claim = ''] = pendingIn(db);
    const { err } = await runTest(env, claim, '--command', 'echo \u001b[8mhidden\u001b[0m');
    expect(err).toContain('echo \\u{1b}[8mhidden\\u{1b}[0m');
    expect(err).not.toContain('\u001b');
  });
});

describe('the result of a command', () => {
  it('confirms the claim if the exit code is 0, or refutes the claim with --refutes-on-success', async () => {
    const { db, env } = makeDeliberation();
    const [first = '', second = '', third = ''] = pendingIn(db);
    expect((await runTest(env, first, '--command', 'true', '--yes')).out).toContain(
      `${first}: open → confirmed, run`,
    );
    await runTest(env, second, '--command', 'true', '--refutes-on-success', '--yes');
    await runTest(env, third, '--command', 'sleep 60', '--timeout', '300ms', '--yes');
    const { claims, rounds } = roundsOf(factsIn(db));
    expect(claims[first]?.status).toBe('tested_confirmed');
    expect(claims[second]?.status).toBe('tested_refuted');
    // The command that tests the third claim exceeded its time limit. That decides nothing, so the claim is still
    // pending.
    expect(claims[third]).toMatchObject({ status: 'pending', moves: [] });
    expect(rounds.at(-1)?.evidence?.map(({ id }) => id)).toEqual(['E-2-1', 'E-2-2', 'E-2-3']);
    // A second command for the third claim is new evidence, E-2-4, and decides the claim.
    await runTest(env, third, '--command', 'exit 4', '--yes');
    expect(roundsOf(factsIn(db)).claims[third]?.status).toBe('tested_refuted');
    const files = await validateRecords(env);
    expect(files['evidence/E-2-4.md']).toContain('ended with exit 4');
    const verdicts = (files['state/verifications.jsonl'] ?? '').trim().split('\n');
    expect(
      verdicts.map((row) => JSON.parse(row)).filter(({ check }) => check === 'executed_test'),
    ).toMatchObject([
      { id: 'V-2-5', result: 'ROBUST', claims_affected: [first] },
      { id: 'V-2-6', result: 'BROKEN', claims_affected: [second] },
      { id: 'V-2-7', result: 'UNCLEAR', claims_affected: [third] },
      {
        id: 'V-2-8',
        evidence_refs: ['command', 'result', 'output'].map((at) => `evidence/E-2-4.md#${at}`),
      },
    ]);
  });

  it('replaces arguments as the reason why a claim is confirmed', async () => {
    const { db, env } = makeDeliberation();
    const argued = Object.values(roundsOf(factsIn(db)).claims).find(
      ({ status, moves }) => status === 'tested_confirmed' && moves.at(-1)?.basis === 'argued',
    );
    const id = argued?.id ?? expect.fail('no claim is confirmed by argument');
    expect((await runTest(env, id, '--command', 'true', '--yes')).out).toContain(
      `${id}: confirmed → confirmed, run`,
    );
    expect(roundsOf(factsIn(db)).claims[id]?.moves.map(({ to, basis }) => [to, basis])).toEqual([
      ['tested_confirmed', 'argued'],
      ['tested_confirmed', 'executed'],
    ]);
    await validateRecords(env);
  });

  it('is shown without the control characters that the command printed', async () => {
    const { db, env } = makeDeliberation();
    const [claim = ''] = pendingIn(db);
    const hostile = join(makeFolder(), 'hostile');
    const forged = '\n```\n## Forged\n# Result\nDrift check: FAIL\n';
    writeFileSync(hostile, attacks.map(({ text }) => text).join('\n') + forged);
    await runTest(env, claim, '--command', `cat ${hostile}; printf '\\377\\000'`, '--yes');
    const { out } = await runDeliberate(['show', 'latest'], { env });
    expect(out).toContain('Tests that were run');
    const files = await validateRecords(env);
    for (const text of [out, files['evidence/E-2-1.md'] ?? '', files['rounds/round_2.md'] ?? '']) {
      expect(text).not.toBe('');
      expect(text).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    }
  });

  it('comes from a command that sees only the listed environment variables', async () => {
    const { db, env } = makeDeliberation();
    const [claim = ''] = pendingIn(db);
    const secrets = { PGPASSWORD: 'canary-1', OLLAMA_HOST: 'http://me:canary-2@127.0.0.1:9' };
    const options = { env: { ...env, ...secrets, KEPT: 'kept', UNSAID: 'unsaid' } };
    // This command, which tests a claim, also prints the environment of its parent process from /proc: secrets
    // could be there that the command itself was not given.
    const command =
      'env; echo ---; cat /proc/$PPID/environ; : postgres://me:canary-3@db.example/app';
    const { err, out } = await runProgram(
      ['test', 'latest', claim, '--command', command, '--env', 'KEPT', '--yes', '--json'],
      options,
    );
    const seen = /Environment variables passed: ([^;]*);/.exec(err)?.[1]?.split(', ') ?? [];
    expect(seen).toEqual(['HOME', 'KEPT', 'PATH']);
    const [evidence] = listFactsOfType(factsIn(db), 'evidence.recorded');
    const rows = evidence?.output.split('---')[0]?.split('\n') ?? [];
    expect(rows).toContain('KEPT=kept');
    expect(rows.join()).not.toContain('UNSAID');
    expect(evidence?.output).toContain('PGPASSWORD=[key]');
    expect(evidence).toMatchObject({
      environment: seen,
      command: command.replace('me:canary-3', '[key]'),
    });
    const shown = await runDeliberate(['show', 'latest'], options);
    const whole = await runDeliberate(['export', 'latest', '--format', 'json'], options);
    const files = await validateRecords(env);
    expect(files['evidence/E-2-1.md']).toContain('Of the environment it saw HOME, KEPT, PATH.');
    for (const text of [out, shown.out, whole.out, JSON.stringify(files)])
      expect(text).not.toContain('canary');
    expect(readFileSync(db, 'latin1')).not.toContain('canary');
  });
});

describe('a run that another process works on', () => {
  it('is refused by deliberate test, which then runs no command', async () => {
    const { db, env } = makeDeliberation();
    const [claim = ''] = pendingIn(db);
    const store = Store.open(db, FACTS);
    const journal = store.own(store.find('latest'));
    const mark = join(makeFolder(), 'mark');
    const { code, err } = await runTest(env, claim, '--command', `touch ${mark}`, '--yes');
    journal.release();
    store.close();
    expect(code).toBe(1);
    expect(err).toContain('is in use');
    expect(existsSync(mark)).toBe(false);
  });
});

describe('wrong usage of deliberate test', () => {
  it.each([
    [['C-1-1'], '--command'],
    [['C-9-9', '--command', 'true'], 'has no claim "C-9-9"'],
    [['C-1-1', '--command', 'true', '--cwd', '/no/such'], 'no such folder'],
    [['C-1-1', '--command', 'true', '--timeout', 'soon'], 'is not a duration'],
    [['C-1-1', '--command', 'true', '--env', 'NO_SUCH'], 'not set in your environment'],
    [['C-1-1', '--command', 'true', '--env', 'A=hush'], 'expected a name without a value'],
    [['C-1-1', '--command', 'true', '--confirms-on-success', '--refutes-on-success'], 'not both'],
  ])('ends with code 2 and an error message: %j', async (args, sentence) => {
    const { env } = makeDeliberation();
    const { code, err } = await runTest(env, ...args, '--yes');
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });
});
