/** How SQLite reads the views of decisions: a view must stay usable over thousands of predictions. */
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { SQL_VIEWS } from '../../src/decisions/sql-views.ts';
import { temporaryStore } from '../kernel/desk.ts';

function planOf(view: string): string[] {
  const store = temporaryStore();
  const db = new Database(store.file, { readonly: true });
  const rows = db.prepare(`EXPLAIN QUERY PLAN SELECT * FROM ${view}`).all();
  db.close();
  return rows.map((row) => (row as { detail: string }).detail);
}

describe('the SQL views of decisions', () => {
  it.each(SQL_VIEWS.map(({ name }) => name))(
    'look up facts by an index on their type, so that no view reads every fact of every run: %s',
    (name) => {
      expect(planOf(name).filter((detail) => /^SCAN fact\b/.test(detail))).toEqual([]);
    },
  );

  it.each(['predictions', 'forecasts', 'resolutions'])(
    'have no correlated subquery except those that look for a later fact which replaces a fact: %s',
    (name) => {
      // Allow only the correlated subqueries that find out, once for each fact, whether a later fact replaces
      // the fact.
      const most = { predictions: 1, forecasts: 2, resolutions: 0 }[name] ?? 0;
      const correlated = planOf(name).filter((detail) => detail.startsWith('CORRELATED'));
      expect(correlated.length).toBeLessThanOrEqual(most);
    },
  );
});
