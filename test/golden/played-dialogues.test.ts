/** Debates by four methods, answered by hand: they replay without asking anybody, and say what they said. */
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { debate } from '../../src/protocols/debate/debate.ts';
import { sdkViewOf } from '../../src/sdk/fold.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { stopAtGate, temporaryStore, typesOf } from '../kernel/desk.ts';
import { makeFailure, ScriptedModels } from '../kernel/scripted-models.ts';
import { importGolden, readGolden } from './journal.ts';

const NAMES = ['played-standard', 'played-advocate', 'played-socratic', 'played-oxford'] as const;

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
    expect(models.asked).toEqual([]);
    const more = filterKnownFacts(journal.facts(golden.facts.length));
    expect(typesOf(more)).toEqual(['run.resumed', 'run.ended']);
  });
});

describe('a recorded debate', () => {
  const readView = (name: (typeof NAMES)[number]) => sdkViewOf(readGolden(name).facts);

  it('names the argument that changed a seat’s mind (method standard)', () => {
    const { outcome, ledgers } = readView('played-standard');
    expect(outcome?.result).toBe(
      'Larger disk now, then archive old orders: 2 of 3 seats in the end.',
    );
    expect(outcome?.moved).toMatch(/^Seat 1 went from “Archive old orders” .* names D4: “/);
    expect(outcome?.belief).toContain('D4 quotes what nobody said.');
    const entries = ledgers[0]?.entries ?? [];
    expect(entries.filter(({ isUnquoted }) => isUnquoted).map(({ id }) => id)).toEqual(['D4']);
    expect(entries.find(({ id }) => id === 'D2')?.quote).toMatch(
      /^A larger server takes .*grows\.$/,
    );
    expect(outcome?.unknown).toEqual([]);
  });

  it('ends with one claim standing, one weakened and one refuted (method advocate)', () => {
    const { outcome, ledgers } = readView('played-advocate');
    expect(outcome?.result).toBe('Of 3 shared claims: 1 stands, 1 is weakened, 1 falls.');
    expect(ledgers[0]?.entries.map(({ status, why }) => [status, why.slice(0, 3)])).toEqual([
      ['stands', 'Q1:'],
      ['weakened', 'Q2:'],
      ['falls', 'Q3:'],
    ]);
    expect(outcome?.belief).toContain('1 further claim could not be quoted');
  });

  it('ends with three reworded statements and one withdrawn statement (method socratic)', () => {
    const { outcome, ledgers } = readView('played-socratic');
    expect(outcome?.result).toBe('Of 4 statements 3 are held in new wordings, 1 was given up.');
    expect(ledgers[1]?.entries).toHaveLength(5);
    expect(outcome?.belief).toMatch(/Seat 3 had no question left\. It recommends nothing\.$/);
  });

  it('is won by the motion, which gains votes in both halves: in the first, and in the second, for which the two debaters swapped sides (method oxford)', () => {
    const { outcome, figures } = readView('played-oxford');
    expect(outcome?.result).toBe('For the motion, since both legs lean to it.');
    expect(figures.map(({ note }) => note)).toEqual(['Sum +2.', 'Sum +1.']);
  });
});
