/**
 * Whole deliberations by minds of known quality over documents of which it is known what is true in
 * them: what must never happen, whoever sits there. How often the rest happens is `bench/truth`'s. A panel
 * that reads well holds a run over every document, one that is believed in nothing over eight of them; in
 * the long form each holds a hundred.
 */
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../bench/truth/document.ts';
import { DOCUMENTS } from '../../bench/truth/documents.ts';
import type { JudgedRun } from '../../bench/truth/judge.ts';
import { measurePanels } from '../../bench/truth/measure.ts';
import { PANELS } from '../../bench/truth/minds.ts';
import { LONG } from '../long.ts';

/**
 * Returns the number of runs of a panel. Panels whose reader fails the entrance need fewer, since they decide
 * nothing whatever the document says.
 */
function runsOf(name: string): number {
  if (LONG) return 100;
  return name === 'bad' || name === 'flatterer' ? 8 : DOCUMENTS.length;
}
const ROUNDS = 3;

/** The runs of each panel, which all tests share. */
const held = new Map<string, Promise<readonly JudgedRun[]>>();

function judgePanel(name: string): Promise<readonly JudgedRun[]> {
  const known = held.get(name) ?? holdPanel(name);
  held.set(name, known);
  return known;
}

async function holdPanel(name: string): Promise<readonly JudgedRun[]> {
  const panels = PANELS.filter((panel) => panel.name === name);
  const { runs, faults } = await measurePanels({ panels, runs: runsOf(name), rounds: ROUNDS });
  expect(faults).toEqual([]);
  const all = runs.get(name) ?? [];
  expect(all).toHaveLength(runsOf(name));
  return all;
}

const addUp = (all: readonly number[]): number => all.reduce((sum, value) => sum + value, 0);

describe('the documents that simulated panels discuss', () => {
  it.each(DOCUMENTS)(
    '$name is consistent with the list of its true and false statements',
    (document) => {
      expect(faultsOf(document)).toEqual([]);
    },
  );

  it('are at least twelve, from at least three domains', () => {
    expect(DOCUMENTS.length).toBeGreaterThanOrEqual(12);
    expect(new Set(DOCUMENTS.map(({ domain }) => domain)).size).toBeGreaterThanOrEqual(3);
  });
});

describe('the records of a simulated panel', () => {
  it.each(['able', 'bad', 'flatterer', 'saboteur'])(
    'report every command’s outcome rightly and lose no flaw that was found (kind of panel: %s)',
    async (name) => {
      const runs = await judgePanel(name);
      expect(addUp(runs.map(({ misexecuted }) => misexecuted))).toBe(0);
      expect(addUp(runs.map(({ lost }) => lost))).toBe(0);
      expect(addUp(runs.map(({ unmarked }) => unmarked))).toBe(0);
      const alone = runs.filter(({ believed }) => !believed);
      expect(addUp(alone.map(({ settled }) => settled))).toBe(0);
      // The zeros above only mean something if tests, decisions and findings exist.
      expect(addUp(runs.map(({ executed }) => executed))).toBeGreaterThan(0);
      expect(addUp(runs.map(({ decisions }) => decisions))).toBeGreaterThan(0);
      if (name === 'able' || name === 'saboteur')
        expect(addUp(runs.map(({ found }) => found))).toBeGreaterThan(0);
    },
  );

  it('decide more than 80 % of the decidable claims correctly if the reader is able', async () => {
    const runs = await judgePanel('able');
    const decidable = addUp(runs.map((run) => run.decidable));
    expect(addUp(runs.map(({ right }) => right)) / decidable).toBeGreaterThan(0.8);
    expect(runs.filter(({ believed }) => believed).length).toBeGreaterThan(runs.length * 0.8);
  });

  it.each(['bad', 'flatterer'])(
    'contain no decision by reading or argument if the reader is %s, because it fails the reading test',
    async (name) => {
      const runs = await judgePanel(name);
      expect(runs.filter(({ believed }) => believed)).toEqual([]);
      expect(addUp(runs.map(({ settled }) => settled))).toBe(0);
    },
  );
});
