/** Tests a run that moves from one database to another with the real program, and goes on there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { budgetQuestion } from '../../src/kernel/budget.ts';
import { computeDigest } from '../../src/kernel/digest.ts';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import {
  closeAfterTest,
  makeDatabaseCopier,
  makeDatabasePath,
  makeFolder,
  viewIn,
} from './scene.ts';

const SEATS = ['advocate=ollama/a', 'critic=ollama/b'].flatMap((seat) => ['--seat', seat]);

const models = { models: ['a', 'b', 'c'], answer: 'Keep it.' };
/** The export of a run from another database. */
let text = '';

const imported = makeDatabaseCopier(async (there) => {
  const server = closeAfterTest(await startOllama(models));
  const makeEnv = (db: string) => ({ OLLAMA_HOST: server.url, DELIBERATE_DB: db });
  const here = makeDatabasePath();
  const board = ['board', ...SEATS, '--synthesizer', 'ollama/a', '--plain', 'Split it?'];
  expect((await runDeliberate(board, { env: makeEnv(here) })).code).toBe(0);
  text = (await runDeliberate(['export', 'latest', '--format', 'json'], { env: makeEnv(here) }))
    .out;
  const taken = await runDeliberate(['import', '-'], { env: makeEnv(there), input: text });
  expect(taken.err).toMatch(/^Imported run [0-9a-f-]{13}\./);
  expect(taken.code).toBe(0);
});

/** Imports the run next to a new server, which has been asked nothing yet. */
async function importRun() {
  const there = await imported();
  const server = closeAfterTest(await startOllama(models));
  return { server, there, env: { OLLAMA_HOST: server.url, DELIBERATE_DB: there }, text };
}

describe('an imported run', () => {
  it('keeps this machine’s budget, even if a person lifted the budget on the other machine', async () => {
    const { server, text } = await importRun();
    const archive = JSON.parse(text);
    const { options, default: otherwise } = budgetQuestion('', '');
    const step = { key: 'budget/9t-usd', hash: computeDigest({ options, default: otherwise }) };
    const seq = archive.facts.length;
    const told = [{ answer: 'go-on', by: 'person' }, { attempt: '1' }].map((said, at) => ({
      run: archive.run,
      seq: seq + 1 + at,
      at: archive.createdAt,
      v: 1,
      step: step.key,
      type: at === 0 ? 'gate.answered' : 'step.completed',
      ...said,
    }));
    archive.facts.push(...told);
    archive.steps.push({ ...step, result: 'go-on', firstSeq: seq + 1, lastSeq: seq + 2 });
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() };
    const taken = await runDeliberate(['import', '-'], { env, input: JSON.stringify(archive) });
    expect(taken.code).toBe(0);
    const asked = server.chats().length;
    const more = await runDeliberate(
      ['ask', 'latest', 'And then?', '--budget-tokens', '9', '--plain'],
      {
        env,
      },
    );
    expect([more.code, more.err]).toEqual([130, expect.stringContaining('the budget of 9')]);
    expect(server.chats()).toHaveLength(asked);
  });

  it('is exported again as an identical file', async () => {
    const { env, text, there } = await importRun();
    const file = join(makeFolder(), 'run.json');
    expect(
      (await runDeliberate(['export', 'latest', '--format', 'json', '--to', file], { env })).code,
    ).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const again = await runDeliberate(['import', file], { env });
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('already here')]);

    writeFileSync(file, text.replace('Keep it.', 'Sell it.'));
    const other = await runDeliberate(['import', file], { env });
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('differs from the file')]);
    expect(viewIn(there).calls['seat/critic']?.text).toBe('Keep it.');
    const replaced = await runDeliberate(['export', 'latest', '--format', 'json', '--to', file], {
      env,
    });
    expect([replaced.code, replaced.err]).toEqual([2, expect.stringContaining('already exists')]);
    const yes = ['export', 'latest', '--format', 'json', '--to', file, '--yes'];
    expect((await runDeliberate(yes, { env })).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('can be resumed and forked without repeating recorded calls', async () => {
    const { server, env, there } = await importRun();
    const resumed = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(resumed.err).toContain('is done: every seat has answered');
    expect(server.chats()).toHaveLength(0);

    const parent = viewIn(there).id;
    expect((await runDeliberate(['resynthesize', parent, '--plain'], { env })).code).toBe(0);
    // The server gets three requests: one for the synthesis, and two for the table of positions, which the program
    // requests again because the answer is prose.
    expect(server.chats()).toHaveLength(3);
    expect(viewIn(there).syntheses).toHaveLength(2);

    const change = ['--at', 'seat/critic', '--set', 'seat.critic.model=ollama/c'];
    expect((await runDeliberate(['fork', parent, ...change, '--plain'], { env })).code).toBe(0);
    // The server gets four more requests: one for the changed seat, one for the synthesis, and two for the table of
    // positions. The other seat's answer is copied from the parent.
    expect(server.chats()).toHaveLength(7);
    expect(viewIn(there).calls['seat/advocate']?.inherited).toBe(true);
  });

  it('is refused if the file is damaged or missing, and no run is added', async () => {
    const { text } = await importRun();
    const db = makeDatabasePath();
    const env = { DELIBERATE_DB: db };
    for (const [input, says] of [
      [text.slice(0, text.length / 2), /^deliberate: standard input: not JSON/],
      [
        text.replace('"seq": 3', '"seq": 4'),
        /^deliberate: standard input: facts\[2\]\.seq: out of order/,
      ],
      [
        text.replace('"synthesizer": "ollama/a"', '"synthesizer": 5'),
        /^deliberate: standard input: facts\[0\]\.config\.synthesizer: /,
      ],
      [
        text.replaceAll('"critic"', '"cri\u200btic"'),
        /^deliberate: standard input: facts\[\d+\]\.\S+: the name contains invisible characters/,
      ],
      ['', /not JSON: it ends too early/],
      ['# A report', /not JSON(?!: it ends)/],
    ] as const) {
      const { code, err, out } = await runDeliberate(['import', '-'], { env, input });
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(says);
    }
    expect((await runDeliberate(['import', join(makeFolder(), 'none.json')], { env })).code).toBe(
      2,
    );
    expect((await runDeliberate(['import'], { env })).code).toBe(2);
    expect((await runDeliberate(['list'], { env })).err).toContain('No runs');
  });
});

describe('the history', () => {
  it('shows the passages with the searched words, and no longer finds a run that was removed', async () => {
    const { env, text } = await importRun();
    const found = await runDeliberate(['list', '--search', 'keep'], { env });
    expect(found.out).toMatch(/Split it\?\n {4}Keep it\.\n$/);
    const json = JSON.parse(
      (await runDeliberate(['list', '--search', 'keep', '--json'], { env })).out,
    ) as {
      id: string;
      snippet: string;
    };
    expect(json.snippet).toBe('Keep it.');
    const none = await runDeliberate(['rm', json.id, 'ffff', '--yes'], { env });
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('no run "ffff"')]);
    expect((await runDeliberate(['show', json.id], { env })).code).toBe(0);
    expect(
      (await runDeliberate(['rm', json.id, 'latest', '--yes'], { env })).err.trim().split('\n'),
    ).toHaveLength(1);
    expect((await runDeliberate(['list', '--search', 'keep'], { env })).err).toContain('No runs');
    expect((await runDeliberate(['import', '-'], { env, input: text })).code).toBe(0);
  });
});
