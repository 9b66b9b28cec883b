/**
 * Tests the prompts of calls: kept once however often they are sent, without keys, and removed with the run.
 */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Message, ModelRequest, Models } from '../../src/kernel/model.ts';
import { createModels } from '../../src/models/gateway.ts';
import { ARCHIVE } from '../../src/protocols/registry/archive.ts';
import { readArchive } from '../../src/store/archive.ts';
import type { Store } from '../../src/store/store.ts';
import { listFactsOfType, openAttempt, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import {
  makeAnswer,
  makeFailure,
  makeModelRequest,
  makeSeat,
  makeStopped,
  ScriptedModels,
} from '../kernel/scripted-models.ts';
import { makeRunStarted } from './bodies.ts';

const PREFIX = 'What all of them are told first. '.repeat(40);

function openDatabase(store: Store): Database.Database {
  const db = new Database(store.file);
  onTestFinished(() => void db.close());
  return db;
}

function makeRequest(...texts: string[]): ModelRequest {
  const parts = [PREFIX, ...texts].map((text) => ({ text }));
  return {
    ...makeModelRequest(makeSeat('critic', { brief: 'You doubt.' })),
    messages: [{ role: 'user', parts }],
  };
}

/** Records a run with some calls, and returns its id. */
async function recordRun(
  store: Store,
  asks: Readonly<Record<string, ModelRequest>>,
  models: Models = new ScriptedModels(() => makeAnswer('No.')),
  parent: string | null = null,
): Promise<string> {
  const journal = store.create('test', parent);
  journal.note([makeRunStarted('Why?')]);
  const { run } = openAttempt(journal, models, { answer: stopAtGate });
  for (const [step, request] of Object.entries(asks)) await run.ask(step, request);
  journal.release();
  return journal.run;
}

describe('The prompt of a call', () => {
  it('is in the view `calls` beside the answer', async () => {
    const store = temporaryStore();
    const messages: Message[] = [
      { role: 'user', parts: [{ text: PREFIX, stable: true }, { text: 'First?' }] },
      { role: 'assistant', parts: [{ text: 'One.' }] },
      { role: 'user', parts: [{ text: 'And' }, { text: 'then?' }] },
    ];
    const schema = z.object({ two: z.string() });
    const whole: ModelRequest = {
      ...makeModelRequest(makeSeat('critic', { brief: 'You doubt.', temperature: 0.5 })),
      messages,
      schema,
      maxTokens: 100,
      seed: 7,
      task: 'test/answer',
    };
    const models = new ScriptedModels(() =>
      makeAnswer('Two.', { latencyMs: 30, firstTokenMs: 10 }),
    );
    const bare = {
      ...makeModelRequest(makeSeat('critic', { brief: '' })),
      messages: messages.slice(0, 1),
    };
    const run = await recordRun(store, { whole, bare }, models);
    const db = openDatabase(store);
    const [first, second] = db
      .prepare('SELECT * FROM calls WHERE run_id = ? ORDER BY seq')
      .all(run) as Record<string, unknown>[];
    expect(first).toMatchObject({
      task: 'test/answer',
      system: 'You doubt.',
      prompt: 'And\n\nthen?',
      text: 'Two.',
      latency_ms: 30,
      first_token_ms: 10,
      started_at: listFactsOfType(store.facts(run), 'step.started')[0]?.at,
    });
    expect(JSON.parse(String(first?.conversation))).toEqual([
      { role: 'user', content: `${PREFIX}\n\nFirst?` },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'And\n\nthen?' },
    ]);
    expect(JSON.parse(String(first?.schema))).toEqual(z.toJSONSchema(schema));
    expect(JSON.parse(String(first?.options))).toEqual({
      temperature: 0.5,
      max_tokens: 100,
      seed: 7,
    });
    expect(second).toMatchObject({ system: null, schema: null, options: '{}' });
    const kept = db.prepare('SELECT count(*) FROM part WHERE text = ?').pluck();
    expect(kept.get(PREFIX), 'once, though two prompts begin with it').toBe(1);
  });

  it('is stored for failed and stopped calls', async () => {
    const store = temporaryStore();
    const journal = store.create('test');
    journal.note([makeRunStarted('Why?')]);
    const answers = [makeStopped('half'), makeFailure('server', 'no'), makeAnswer('yes')];
    const models = new ScriptedModels(() => answers.shift() ?? makeAnswer('more'));
    const { run } = openAttempt(journal, models);
    await run.ask('s', makeRequest('a'));
    await run.ask('s', makeRequest('b'));
    await run.ask('s', makeRequest('c'));
    const rows = openDatabase(store)
      .prepare('SELECT status, prompt FROM calls ORDER BY seq')
      .raw()
      .all();
    expect(rows).toEqual([
      ['stopped', `${PREFIX}\n\na`],
      ['failed', `${PREFIX}\n\nb`],
      ['done', `${PREFIX}\n\nc`],
    ]);
  });

  it('is copied by a fork', async () => {
    const store = temporaryStore();
    const parent = await recordRun(store, { a: makeRequest('a'), b: makeRequest('b') });
    const models = new ScriptedModels();
    const fork = await recordRun(
      store,
      { a: makeRequest('a'), b: makeRequest('otherwise') },
      models,
      parent,
    );
    expect(models.requests).toHaveLength(1);
    store.remove(parent);
    const rows = openDatabase(store)
      .prepare('SELECT run_id, step, inherited, prompt, started_at IS NULL FROM calls ORDER BY seq')
      .raw()
      .all();
    expect(rows).toEqual([
      [fork, 'a', 1, `${PREFIX}\n\na`, 1],
      [fork, 'b', 0, `${PREFIX}\n\notherwise`, 0],
    ]);
  });

  it('leaves no text in the database file when its run is deleted', async () => {
    const store = temporaryStore();
    const run = await recordRun(store, { a: makeRequest('xylophone zeppelin') });
    const readBytes = (): string =>
      ['', '-wal'].map((end) => readFileSync(`${store.file}${end}`, 'latin1')).join('');
    expect(readBytes()).toContain('xylophone zeppelin');
    store.remove(run);
    expect(readBytes()).not.toContain('xylophone');
    expect(readBytes()).not.toContain('What all of them are told first');
  });

  it('is stored without control characters, with every API key replaced by “[key]”', async () => {
    const store = temporaryStore();
    const { conceal } = createModels({ env: { OPENAI_API_KEY: 'canary+oai/91cc"qq07' } });
    const scripted = new ScriptedModels();
    const models: Models = {
      conceal,
      call: (request, context) => scripted.call(request, context),
      price: () => 0,
    };
    const told = 'a\u200bb \u001b[31mred\u0000 \ud800 and canary+oai/91cc"qq07';
    const request = {
      ...makeRequest(told),
      seat: makeSeat('critic', { brief: 'It is canary%2Boai%2F91cc%22qq07.' }),
      schema: z.object({ key: z.string().describe('canary+oai/91cc"qq07') }),
    };
    await recordRun(store, { a: request }, models);
    const row = openDatabase(store)
      .prepare('SELECT prompt, system, schema FROM calls')
      .get() as object;
    expect(row).toMatchObject({
      system: 'It is [key].',
      prompt: `${PREFIX}\n\nab red \ufffd and [key]`,
    });
    expect(JSON.stringify(row)).not.toContain('canary');
  });

  it('is left out when its run is exported and imported into another database', async () => {
    const [store, other] = [temporaryStore(), temporaryStore()];
    const run = await recordRun(store, { a: makeRequest('a') });
    const text = JSON.stringify(store.archive(run, '1'));
    expect(text).not.toContain('What all of them are told first. What');
    other.restore(readArchive(text, 'f', ARCHIVE));
    expect(
      openDatabase(other)
        .prepare('SELECT prompt, conversation, options, text FROM calls')
        .raw()
        .all(),
    ).toEqual([[null, null, null, 'No.']]);
    // The imported run returns its recorded answer and asks no model.
    const models = new ScriptedModels();
    await openAttempt(other.own(run), models).run.ask('a', makeRequest('a'));
    expect(models.requests).toEqual([]);
  });
});
