/**
 * Debates by the three methods that come to figures, answered by hand: an estimate with two camps and a
 * seat that moves without a reason, a choice in which one seat read a scale upside down, and ideas of
 * which two lead that one seat each has rated. They replay without asking anybody, and say what they said.
 */
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { debate } from '../../src/protocols/debate/debate.ts';
import { sdkViewOf } from '../../src/sdk/fold.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore, typesOf } from '../kernel/desk.ts';
import { makeFailure, ScriptedModels } from '../kernel/scripted-models.ts';
import { importGolden, readGolden } from './journal.ts';

const NAMES = ['played-delphi', 'played-tradeoff', 'played-brainstorm'] as const;

const readView = (name: (typeof NAMES)[number]) => sdkViewOf(readGolden(name).facts);
const askedAgain = (name: (typeof NAMES)[number]): string[] =>
  listFactsOfType(readGolden(name).facts, 'step.started').flatMap(({ step }) =>
    step.endsWith('/again') ? [step] : [],
  );

describe.each(NAMES)('the recorded debate %s', (name) => {
  it('replays without asking a model', async () => {
    const golden = readGolden(name);
    const models = new ScriptedModels(({ seat }) =>
      makeFailure('internal', `${seat.id} was asked`),
    );
    const journal = importGolden(temporaryStore(), golden);
    const session = new Session({
      journal,
      models,
      protocol: debate as Protocol,
      answer: stopAtGate,
    });
    expect(await session.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    // No step may be done again. A step that is listed here differs from the recording in its prompt, its
    // schema or its input.
    const more = filterKnownFacts(journal.facts(golden.facts.length));
    expect(listFactsOfType(more, 'step.started').map(({ step }) => step)).toEqual([]);
    expect(models.asked).toEqual([]);
    expect(typesOf(more)).toEqual(['run.resumed', 'run.ended']);
  });

  it('has a result that mentions only numbers from the seats’ answers', () => {
    expect(readView(name).outcome?.unknown).toEqual([]);
  });
});

describe('a recorded debate by the method delphi, in which four seats estimate a number', () => {
  const { outcome, figures, ledgers } = readView('played-delphi');

  it('reports two groups of estimates in the first round and one number in the last', () => {
    expect(outcome?.result).toBe('28.9 weeks (median of 4; estimates from 17 to 39).');
    expect(outcome?.first).toBe(
      'two camps, at 13.5 weeks (median of 2; estimates from 13 to 14) and at 38.6 weeks (median of 2; estimates from 38 to 39.1); no single number.',
    );
    const [last] = figures;
    expect(last?.kind === 'ranges' && last.rows.map(({ label }) => label)).toEqual([
      ...['round 1, camp 1', 'round 1, camp 2', 'round 2', 'round 3'],
    ]);
  });

  it('reports for each changed estimate which reasons changed it', () => {
    expect(outcome?.moved).toBe(
      'Seat 1 from 13 to 17 (R6, R8); Seat 2 from 14 to 24 (no reason that points there), then 27 (R7, R9); Seat 3 from 38 to 32 (R2), then 31 (R2).',
    );
    expect(outcome?.belief).toMatch(/; 1 of 5 moves without a reason that points there\.$/);
  });

  it('treats 9 months and 39 weeks as the same estimate', () => {
    expect(outcome?.moved).not.toContain('Seat 4');
  });

  it('lists every reason under its own id, even a copied one', () => {
    const [reasons] = ledgers;
    expect(reasons?.entries.map(({ id }) => id)).toEqual(
      Array.from({ length: 13 }, (_none, at) => `R${at + 1}`),
    );
    expect(reasons?.entries.find(({ id }) => id === 'R12')?.text).toContain('where everybody lies');
  });
});

describe('a recorded debate by the method tradeoff, in which three seats score options', () => {
  const { outcome, figures } = readView('played-tradeoff');

  it('reports that only one of three seats would choose the winning option', () => {
    expect(outcome?.result).toBe(
      '“Keep the monolith, add checkout tests and feature flags” leads with 6.63 of 10, before “Keep the monolith, deploy daily with better tests” with 6.53; an average that few hold: by their own figures 1 of 3 seats would take it.',
    );
  });

  it('reports the smallest change of a criterion’s weight that would make another option win', () => {
    expect(outcome?.turns).toBe(
      'if “Fast, frequent checkout releases” weighed 30.4% instead of 23.3%, “Keep the monolith, deploy daily with better tests” would be first.',
    );
  });

  it('asks again the seat that scored a criterion with the scale upside down', () => {
    expect(askedAgain('played-tradeoff')).toEqual(['score/seat-2/again']);
    const scores = figures.find(
      (figure) => figure.kind === 'table' && figure.columns.includes('O6'),
    );
    expect(scores?.kind === 'table' && scores.columns).toEqual([
      ...['criterion', 'weight', 'O1', 'O2', 'O3', 'O4', 'O5', 'O6'],
    ]);
    // All three seats give the cheapest option, doing nothing, a 10.
    expect(scores?.kind === 'table' && scores.rows[2]).toEqual([
      ...['Low migration cost', '15.6%', '10', '4.67', '4', '0.67', '7', '7.67'],
    ]);
    expect(outcome?.belief).not.toContain('upside down');
  });

  it('merges similar options only if two separate calls agree that they are the same', () => {
    const [options] = listFactsOfType(readGolden('played-tradeoff').facts, 'items.grouped');
    expect(options?.groups).toContainEqual(['o2', 'o5', 'o10']);
    expect(options?.refused).toEqual(['o7 and o8: only one of two calls joined them']);
  });
});

describe('the ideas of a recorded debate by the method brainstorm', () => {
  const { outcome, figures } = readView('played-brainstorm');

  it('include two that share the first place with equal ratings', () => {
    expect(outcome?.result).toBe(
      'First of 25 ideas, with equal marks: Let the teenage jury ask the 60 former visitors and decide on 3,000 euros of the budget by what they heard (I22); Send the key letter at 18 with all old fees forgiven in it, so that the first word from the library after years is a gift (I23). Next: I10.',
    );
  });

  it('are reported with the idea that would lead without the ratings of one seat', () => {
    expect(outcome?.turns).toBe(
      'leaving out Seat 1’s marks puts I22 first; leaving out Seat 3’s marks puts I23 first.',
    );
    expect(outcome?.belief).toMatch(/; marked by one seat only: I22, I23\.$/);
  });

  it('are all in one table, and the three wild cards in another, after one seat was asked a second time for its ratings', () => {
    expect(askedAgain('played-brainstorm')).toEqual(['rate/seat-2/again']);
    const [all, odd] = figures;
    expect(all?.kind === 'table' && all.rows).toHaveLength(25);
    expect(odd?.kind === 'table' && odd.rows.map(([, id]) => id)).toEqual(['I16', 'I7', 'I9']);
  });

  it('are not merged with similar ideas that contain other numbers', () => {
    const [grouped] = listFactsOfType(readGolden('played-brainstorm').facts, 'items.grouped');
    expect(grouped?.refused).toEqual(['I1 and I7: they name different figures']);
  });
});
