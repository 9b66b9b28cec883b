/**
 * Tests that docs/database.md describes the views as they are, and that each of its queries finds something.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DecisionBody } from '../../src/decisions/facts.ts';
import { openKnowledge } from '../../src/knowledge/knowledge.ts';
import { askWithTools } from '../../src/protocols/common/asking/asking.ts';
import { SDK } from '../../src/sdk/facts.ts';
import { fact } from '../every-fact.ts';
import { importGolden, readGolden } from '../golden/journal.ts';
import { DECISION_EXAMPLES } from '../kernel/decision-examples.ts';
import { openAttempt, temporaryStore } from '../kernel/desk.ts';
import { makeModelRequest, makeSeat } from '../kernel/scripted-models.ts';
import { SDK_EXAMPLES } from '../kernel/sdk-examples.ts';
import { STAGES } from '../plan/facts.ts';
import { makeRehearsalModels, rehearseRun } from '../protocols/rehearse.ts';
import { STAGES as TEAM_STAGES } from '../team/facts.ts';
import { makeRepository, toolsOver } from '../tools/repository.ts';
import { makeRunStarted, makeSynthesisFact } from './bodies.ts';
import { temporaryFolder } from './folder.ts';

const page = readFileSync(new URL('../../docs/database.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
/** The sections of docs/database.md that describe views, by the name of the view. */
const SECTIONS = new Map(
  [...page.matchAll(/^## `(\w+)`\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(
    ([, view = '', text = '']) => [view, text] as const,
  ),
);
const SHELL = /sqlite3 \S+ '(.*)'/g;

const BARS = SDK.make('figure.shown', {
  step: 'tally',
  figure: { kind: 'bars', title: 'Votes', rows: [{ label: 'Keep it', value: 2 }] },
});

/** The facts of a board whose recommendation changes if its critic is left out. */
const WEIGHED = [
  { ...makeRunStarted('Should we?'), protocol: 'board' },
  makeSynthesisFact(1, 'Yes.'),
  fact('run.resumed', { request: { kind: 'weigh', base: 1, first: 2 } }),
  makeSynthesisFact(2, 'No.'),
  fact('influence.weighed', {
    question: 1,
    base: 1,
    without: 'critic',
    version: 2,
    change: 'course',
    how: 'It waits.',
    step: 'influence/1/2',
    rehearsal: false,
  }),
  DECISION_EXAMPLES['predictions.drafted'],
  DECISION_EXAMPLES['forecasts.given'],
  DECISION_EXAMPLES['decision.taken'],
  DECISION_EXAMPLES['prediction.resolved'],
];

/** Returns the facts of a prediction that models forecast, without the stand-in, and that came true. */
function makeResolvedPrediction(run: string): DecisionBody[] {
  const of = { version: 2, question: 3 };
  const [prediction] = DECISION_EXAMPLES['predictions.drafted'].predictions;
  const forecast = { prediction: 'P-2-1', percent: 70, why: 'it was so twice' };
  return [
    {
      ...DECISION_EXAMPLES['predictions.drafted'],
      ...of,
      drafted_in: run,
      predictions: prediction === undefined ? [] : [{ ...prediction, id: 'P-2-1' }],
    },
    {
      ...DECISION_EXAMPLES['forecasts.given'],
      version: 2,
      forecasts: [forecast],
      rehearsal: false,
    },
    {
      ...DECISION_EXAMPLES['panel.forecast'],
      version: 2,
      panel: [{ prediction: 'P-2-1', percent: 60, voices: 1 }],
    },
    { ...DECISION_EXAMPLES['prediction.resolved'], id: 'P-2-1', outcome: 'yes' },
  ];
}

function queriesIn(text: string): string[] {
  return [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);
}

function openDatabase(file: string): Database.Database {
  const db = new Database(file, { readonly: true });
  onTestFinished(() => void db.close());
  return db;
}

/** Creates an index in the database, which also creates its views. */
function createIndex(file: string): void {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.deliberate'));
  writeFileSync(
    join(folder, '.deliberate/clusters.yaml'),
    'clusters: [{name: clock, line: Time controls}]',
  );
  writeFileSync(join(folder, 'clock.md'), '---\ncluster: clock\n---\n# Clock\nIt ticks.\n');
  const knowledge = openKnowledge(file, folder, { create: true });
  knowledge.update({ paths: [folder] });
  knowledge.close();
}

describe('docs/database.md', () => {
  it('lists every public view with its columns in their order and with a query', () => {
    const { file } = temporaryStore();
    createIndex(file);
    const db = openDatabase(file);
    const views = db
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'view' AND (name LIKE '%s' OR name IN ('decisions_taken', 'track')) ORDER BY name",
      )
      .pluck()
      .all();
    expect([...SECTIONS.keys()].sort()).toEqual(views);
    for (const [view, text] of SECTIONS) {
      const columns = db.prepare(`SELECT * FROM ${view}`).columns();
      expect(/^Columns: (.*)$/m.exec(text)?.[1], view).toBe(
        columns.map(({ name }) => name).join(', '),
      );
      expect(queriesIn(text), view).not.toEqual([]);
    }
  });

  it('contains only queries that return at least one row from the various runs of this test', async () => {
    const store = temporaryStore();
    importGolden(store, readGolden('attempts'));
    importGolden(store, readGolden('played-badly'));
    await rehearseRun(store, 'rehearsal/healthy', 6, 3, { control: true });
    const looking = store.create('test');
    looking.note([makeRunStarted('Why?')]);
    const { run } = openAttempt(looking, makeRehearsalModels(), {
      tools: toolsOver(makeRepository()),
    });
    await askWithTools(
      run,
      'seat/critic',
      makeModelRequest(makeSeat('critic', { model: 'rehearsal/panel' })),
    );
    looking.release();
    const plan = store.create('plan');
    plan.note([...STAGES.done]);
    plan.release();
    const team = store.create('team');
    team.note([...TEAM_STAGES.done]);
    team.release();
    const debate = store.create('debate');
    const facts = Object.values(SDK_EXAMPLES);
    debate.note([makeRunStarted('How many?'), BARS, ...facts]);
    debate.release();
    const weighed = store.create('board');
    weighed.note([...WEIGHED, ...makeResolvedPrediction(weighed.run)]);
    weighed.release();
    createIndex(store.file);
    const db = openDatabase(store.file);
    const shell = [...page.matchAll(SHELL), ...readme.matchAll(SHELL)].map(([, sql = '']) => sql);
    expect(shell).toHaveLength(2);
    for (const sql of [...queriesIn(page), ...shell])
      expect(db.prepare(sql).all().length, sql).toBeGreaterThan(0);
  });
});
