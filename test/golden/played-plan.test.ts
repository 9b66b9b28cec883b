/**
 * A whole plan of three rounds, played by hand on the example's documents: every seat by a careful person,
 * who also handed in one conspicuous control.
 */
import { describe, expect, it } from 'vitest';
import { editionOf } from '../../src/protocols/plan/config.ts';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { readGolden } from './journal.ts';

describe('a recorded plan of edition 7', () => {
  const { facts } = readGolden('plan-7');
  const plan = planOf(facts);

  it('found the contradiction that was planted as a control, in both searches for conflicts', () => {
    const [opening] = listFactsOfType(facts, 'run.started');
    expect(editionOf(opening?.config ?? {})).toBe(7);
    expect(Math.max(...plan.answers.map(({ round }) => round))).toBe(3);
    expect(plan.examined.map(({ round, control }) => [round, control?.seen, control?.by])).toEqual([
      [1, true, 'ollama/mind-c'],
      [2, true, 'ollama/mind-a'],
    ]);
  });

  it('planted the less conspicuous of two drafts of a control', () => {
    const asked = listFactsOfType(facts, 'call.completed').find(({ step }) =>
      step.includes('control-1'),
    );
    expect(asked?.text).toContain('is never only whose turn it is');
    expect(plan.examined[0]?.control?.text).toMatch(/^A round in which a game was put aside adds/);
    expect(plan.examined[0]?.control).toMatchObject({
      of: 'game-designer-2',
      shownAs: 'save-keeper-2',
    });
  });

  it('asked a person when an agreement would have given up musts, and when all seats accepted two options', () => {
    expect(plan.musts.map(({ statement, holds }) => [statement, holds])).toEqual([
      ['game-designer-1', false],
      ['wire-engineer-1', false],
    ]);
    expect(plan.decided.map(({ conflict, by }) => [conflict, by])).toEqual([
      ['Q-1', 'person'],
      ['Q-2', 'person'],
    ]);
    expect(deriveStandings(plan).map(({ state }) => state)).toEqual(['settled', 'settled']);
    const live = plan.statements.flatMap(({ id, state }) => (state === 'live' ? [id] : []));
    expect(live).toContain('game-designer-3');
    expect(live).toContain('wire-engineer-6');
  });

  it('ended as converged after every part of the spec had been checked by a reader', () => {
    expect(plan.written?.state).toBe('converged');
    expect(plan.written?.spec.checks).toEqual({
      ...{ carried: 'seen', notCarried: [], notRead: [] },
      ...{ compared: 'seen', contradictions: [], notCompared: [] },
    });
  });
});
