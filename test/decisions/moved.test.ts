/** Runs with predictions and decisions that are exported, imported, forked, and decided on by two at once. */
import { describe, expect, it } from 'vitest';
import { fact as decision } from '../../src/decisions/facts.ts';
import { decisionsOf } from '../../src/decisions/fold.ts';
import { predictionTables } from '../../src/decisions/table.ts';
import type { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { runDeliberate } from '../e2e/calls.ts';
import { runProgram as start } from '../e2e/program.ts';
import { Terminal } from '../e2e/terminal.ts';
import { fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { Agent } from '../mcp/agent.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeDecisionFact, recordBoard } from './recorded.ts';

const envOf = (store: Store) => ({ DELIBERATE_DB: store.file, HOME: temporaryFolder() });
const callProgram = (store: Store, args: readonly string[], input?: string) =>
  runDeliberate(args, { env: envOf(store), ...withoutUndefined({ input }) });
const viewOf = (store: Store, run: string) => decisionsOf(store.facts(run));

describe('A run that is exported as JSON and imported on another machine', () => {
  const said = [
    makeDecisionFact({ review: '2026-04-01', by: 'Ada' }),
    decision('prediction.resolved', { id: 'P-1-1', outcome: 'yes', by: 'Ada', evidence: 'a.log' }),
  ];

  it('keeps its decision, answers and due dates', async () => {
    const [there, here] = [temporaryStore(), temporaryStore()];
    const run = recordBoard(there, {
      dates: ['2026-03-01', '2026-03-02'],
      command: 'touch ran.txt',
      more: said,
    });
    const exported = await callProgram(there, ['export', run, '--format', 'json']);
    expect((await callProgram(here, ['import', '-'], exported.out)).code).toBe(0);
    expect(viewOf(here, run)).toEqual(viewOf(there, run));
    const { out } = await callProgram(here, ['due', '--json']);
    const rows = out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(rows).toMatchObject([
      { id: 'P-1-2', day: '2026-03-02', imported: true },
      { id: 'decision', day: '2026-04-01', imported: true },
    ]);
    expect((await callProgram(here, ['due'])).out).toContain(', of an imported run');
  });

  it('never has its commands executed, even if the person answers yes', async () => {
    const [there, here] = [temporaryStore(), temporaryStore()];
    const run = recordBoard(there, { command: 'touch ran.txt' });
    const exported = await callProgram(there, ['export', run, '--format', 'json']);
    await callProgram(here, ['import', '-'], exported.out);
    const shown = new Terminal(['due', run], { env: envOf(here), cwd: temporaryFolder() });
    await shown.until(/Enter to skip/);
    expect(shown.raw).toContain('never run here as the run was imported');
    expect(shown.raw).not.toContain('Run it?');
    shown.press('yes\r');
    expect(await shown.exited).toBe(0);
    expect(viewOf(here, run).predictions[0]?.resolutions).toMatchObject([{ outcome: 'yes' }]);
    expect(viewOf(here, run).predictions[0]?.resolutions[0]?.ran).toBeUndefined();
  });
});

describe('A fork of a run that has predictions', () => {
  const BOARD = ['board', '--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];

  it('does not copy the person’s decision, and says which run its predictions were copied from', async () => {
    const store = temporaryStore();
    expect((await callProgram(store, [...BOARD, '--predict', '2', 'Split it?'])).code).toBe(0);
    const parent = store.find('latest');
    expect((await callProgram(store, ['decide', parent, 'Split it'])).code).toBe(0);
    const forked = await callProgram(store, [
      ...['fork', parent, '--at', 'synthesis/1', '--set', 'synthesizer=rehearsal/panel'],
      ...['--plain', '--quiet', '--rehearse-speed', '1000'],
    ]);
    expect(forked.code).toBe(0);
    const child = store.find('latest');
    expect(child).not.toBe(parent);
    const view = viewOf(store, child);
    expect(view.taken).toEqual([]);
    expect(view.predictions.map(({ parent: from }) => from)).toEqual([parent, parent]);
    const [table] = predictionTables(view, (seat) => seat);
    expect(table?.notes.join('\n')).toContain(`a fork of, ${parent}, and are resolved there`);
    const refused = await callProgram(store, ['due', child, '--resolve', 'P-1-1=yes']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`deliberate due ${parent.slice(0, 13)}`);
  });
});

describe('Two processes that record a decision at the same time', () => {
  it('record one decision each, or one process is told that the run is in use', async () => {
    const store = temporaryStore();
    const run = recordBoard(store);
    const ended = await Promise.all(
      ['Split billing first', 'Wait a year'].map((text) =>
        start(['decide', run, text], { env: envOf(store) }),
      ),
    );
    const done = ended.filter(({ code }) => code === 0).length;
    expect(done).toBeGreaterThan(0);
    for (const { code, err } of ended) if (code !== 0) expect(err).toContain('is in use by');
    const { taken: decisions } = viewOf(store, run);
    expect(decisions.map(({ number }) => number)).toEqual([1, 2].slice(0, done));
    const facts = store.facts(run);
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
  });
});

describe('A coding agent that uses the MCP server', () => {
  it('can read what is due, but neither decide nor answer predictions', async () => {
    const store = temporaryStore();
    const run = recordBoard(store, {
      dates: ['2026-03-01'],
      more: [makeDecisionFact({ review: '2026-04-01' })],
    });
    const agent = await Agent.start({ db: store.file });
    const readResource = async (name: string): Promise<string> => {
      const { contents } = await agent.client.readResource({ uri: `deliberate://${name}` });
      const [content] = contents;
      return content !== undefined && 'text' in content ? String(content.text) : '';
    };
    const due = await readResource('due');
    expect(due).toContain(`2026-03-01  ${run.slice(0, 13)}  P-1-1  prediction`);
    expect(due).toContain('Split billing first.');
    expect(await readResource('track')).toContain('No prediction of a run has been answered');
    const { tools } = await agent.client.listTools();
    expect(
      tools.map(({ name }) => name).filter((name) => /decide|due|outcome|resolve/.test(name)),
    ).toEqual([]);
  });
});

describe('The home screen in a terminal', () => {
  it.each([
    [80, 24],
    [120, 40],
  ] as const)(
    'shows at the top how many decisions are due, at %i × %i cells',
    async (columns, rows) => {
      const store = temporaryStore();
      recordBoard(store, { more: [makeDecisionFact({ review: '2026-04-01' })] });
      recordBoard(store);
      const env = { ...envOf(store), OLLAMA_HOST: 'http://127.0.0.1:9' };
      const terminal = new Terminal([], { env, columns, rows });
      await terminal.until(/2 decisions are due: deliberate due/);
      const [first] = (await terminal.screen()).split('\n');
      expect(first).toContain('2 decisions are due');
      terminal.press('\u0003');
      terminal.press('\u0003');
      await terminal.exited;
    },
  );

  it('shows how many decisions are due even if the list of seats leaves no room for recent runs', async () => {
    const store = temporaryStore();
    recordBoard(store);
    const env = { ...envOf(store), OLLAMA_HOST: 'http://127.0.0.1:9' };
    const terminal = new Terminal([], { env, columns: 80, rows: 12 });
    await terminal.until(/1 decision is due: deliberate due/);
    expect(await terminal.screen()).not.toContain('all runs');
  });
});

describe('The track record on the screen of the history', () => {
  it('shows the reason if the database cannot be read', async () => {
    const store = temporaryStore();
    recordBoard(store, { more: [fact('run.ended', { status: 'done' })] });
    const terminal = new Terminal(['history'], { env: envOf(store), columns: 80, rows: 24 });
    await terminal.until(/Split it\?/);
    store.close();
    const { rmSync, writeFileSync } = await import('node:fs');
    for (const end of ['', '-wal', '-shm']) rmSync(`${store.file}${end}`, { force: true });
    writeFileSync(store.file, 'This is no database. '.repeat(100));
    terminal.press('t');
    await terminal.until(/It cannot be read: /);
    expect(await terminal.screen()).not.toMatch(/^ …/m);
    terminal.press('b');
    await terminal.until(/by lineage, of all runs[\s\S]*It cannot be read: /);
  });
});
