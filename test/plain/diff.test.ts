/** What two runs say differently: by plain values. */

import { describe, expect, it } from 'vitest';
import { EMPTY_VIEW, type RunView, viewOf } from '../../src/kernel/view.ts';
import { diffRuns, formatRunDiff } from '../../src/plain/diff.ts';
import { diffAgents } from '../../src/protocols/agents/view/diff.ts';
import type { RoundsView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { foldRounds, roundsOf } from '../../src/protocols/rounds/fold.ts';
import { diffRounds, formatRoundsDiff } from '../../src/protocols/rounds/view/diff.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { readGolden } from '../golden/journal.ts';
import { makeSeat } from '../kernel/scripted-models.ts';

function makeView(...bodies: FactBody[]): RoundsView {
  return roundsOf(
    bodies.map((body, index) => ({ ...body, run: 'r', seq: index + 1, at: '2026-01-01' })),
  );
}

const started = fact('round.started', { round: 1, lead: 'action' });
const makeClaim = (id: string, text = `${id} holds`): FactBody =>
  fact('claim.raised', {
    id,
    round: 1,
    raised_by: 'critic',
    text,
    testable_as: 'run it',
    step: 'round-1/F/critic',
  });
const moveClaim = (id: string, to: 'tested_confirmed' | 'tested_refuted'): FactBody =>
  fact('claim.moved', { claim: id, round: 1, from: 'pending', to, why: 'so' });
const makeVerdict = (result: 'BROKEN' | 'ROBUST'): FactBody =>
  fact('verification.recorded', {
    id: 'V-1-1',
    round: 1,
    check: 'critic_attack_on_action_trace',
    result,
    evidence_refs: ['a', 'b'],
    notes: 'n',
  });
const makeDecision = (id: string, text: string, cite = 'C-1-1'): FactBody =>
  fact('decision.made', {
    id,
    round: 1,
    text,
    cites: [{ type: 'claim', id: cite, relation: 'based-on' }],
    made_by: 'consensus',
    round_artifact_refs: [],
    step: 'round-1/G/assessment',
  });

describe('the comparison of two runs of rounds', () => {
  const before = makeView(
    started,
    makeVerdict('ROBUST'),
    makeClaim('C-1-1'),
    makeClaim('C-1-2'),
    moveClaim('C-1-1', 'tested_confirmed'),
    makeDecision('D-1-1', 'Keep it.'),
  );
  const after = makeView(
    started,
    makeVerdict('BROKEN'),
    makeClaim('C-1-1'),
    makeClaim('C-1-3'),
    moveClaim('C-1-1', 'tested_refuted'),
    makeDecision('D-1-1', 'Keep it.', 'V-1-1'),
    makeDecision('D-1-2', 'Split it.'),
  );

  it('lists what differs by id and field', () => {
    const found = diffRounds(before, after);
    expect(found.claims).toEqual({
      added: [{ id: 'C-1-3', summary: 'open: C-1-3 holds' }],
      removed: [{ id: 'C-1-2', summary: 'open: C-1-2 holds' }],
      changed: [{ id: 'C-1-1', fields: { status: { from: 'confirmed', to: 'refuted' } } }],
    });
    expect(found.verifications).toEqual({
      added: [],
      removed: [],
      changed: [{ id: 'V-1-1', fields: { result: { from: 'ROBUST', to: 'BROKEN' } } }],
    });
    expect(found.decisions).toEqual({
      added: [{ id: 'D-1-2', summary: 'Split it.' }],
      removed: [],
      changed: [
        { id: 'D-1-1', fields: { cites: { from: 'based-on C-1-1', to: 'based-on V-1-1' } } },
      ],
    });
    expect(formatRoundsDiff(found)).toBe(
      [
        'Claims: 1 added, 1 removed, 1 changed',
        '- C-1-2  open: C-1-2 holds',
        '+ C-1-3  open: C-1-3 holds',
        '~ C-1-1  status: confirmed → refuted',
        '',
        'Verdicts: 0 added, 0 removed, 1 changed',
        '~ V-1-1  result: ROBUST → BROKEN',
        '',
        'Decisions: 1 added, 0 removed, 1 changed',
        '+ D-1-2  Split it.',
        '~ D-1-1  cites: based-on C-1-1 → based-on V-1-1',
        '',
      ].join('\n'),
    );
  });

  it('says only “Identical.” if the runs are equal, and swaps added and removed claims if the runs are swapped', () => {
    expect(formatRoundsDiff(diffRounds(before, before))).toBe('Identical.\n');
    const [there, back] = [diffRounds(before, after), diffRounds(after, before)];
    expect(back.claims.added).toEqual(there.claims.removed);
    expect(back.claims.removed).toEqual(there.claims.added);
  });

  it('shows the new wording of a claim that a person has edited', () => {
    const edit = fact('claim.edited', {
      claim: 'C-1-1',
      round: 2,
      text: 'It holds under load.',
      was: 'C-1-1 holds',
    });
    const edited = foldRounds(before, { ...edit, run: 'r', seq: 9, at: '2026-01-01' });
    expect(edited.claims['C-1-1']).toMatchObject({
      text: 'It holds under load.',
      status: 'tested_confirmed',
      edits: [{ round: 2, was: 'C-1-1 holds' }],
    });
    expect(diffRounds(before, edited).claims.changed).toEqual([
      { id: 'C-1-1', fields: { text: { from: 'C-1-1 holds', to: 'It holds under load.' } } },
    ]);
  });

  it('contains no terminal control sequences', () => {
    const hostile = makeView(started, makeClaim('C-1-1', 'a\u001b[31m\nb'));
    expect(formatRoundsDiff(diffRounds(makeView(started), hostile))).toContain('open: a b\n');
  });
});

describe('the comparison of two boards', () => {
  const makeBoard = (model: string, included: string[], text: string): RunView => ({
    ...EMPTY_VIEW,
    seats: [makeSeat('critic', { model })],
    syntheses: [
      {
        version: 1,
        model: 'test/chair',
        text,
        included,
        excluded: included.includes('critic') ? [] : [{ seat: 'critic', reason: 'timed out' }],
        labels: {},
        missing: [],
        rehearsal: false,
      },
    ],
  });
  const before = makeBoard(
    'test/a',
    ['advocate', 'critic'],
    '## Consensus\nYes.\n## Recommendation\nGo.',
  );
  const after = makeBoard('test/b', ['advocate'], '## Consensus\nYes.\n## Recommendation\nWait.');

  it('lists seats, models and sections of the synthesis that differ', () => {
    expect(diffRuns(before, after)).toEqual({
      included: { from: ['advocate', 'critic'], to: ['advocate'] },
      excluded: { from: [], to: ['critic (timed out)'] },
      models: { critic: { from: 'test/a', to: 'test/b' } },
      sections: { Recommendation: { from: 'Go.', to: 'Wait.' } },
    });
    expect(formatRunDiff(diffRuns(before, after))).toContain('Recommendation: Go. → Wait.');
  });

  it('does not depend on the order in which the synthesizer saw the seats', () => {
    const shuffled = makeBoard('test/a', ['critic', 'advocate'], before.syntheses[0]?.text ?? '');
    expect(formatRunDiff(diffRuns(before, shuffled))).toBe('Identical.\n');
  });

  it('works for a board without a synthesis', () => {
    const none = { ...before, syntheses: [] };
    expect(diffRuns(none, before).sections.Recommendation).toEqual({ from: '', to: 'Go.' });
  });
});

describe('the comparison of two runs of agents', () => {
  const golden = readGolden('agents').facts;
  const toRun = (facts: readonly Fact[]) => ({ view: viewOf(facts), facts });

  it('says only “Identical.” if every agent had the same result', () => {
    expect(diffAgents(toRun(golden), toRun(golden)).text).toBe('Identical.\n');
  });

  it('lists agents with different answers, and agents of only one run', () => {
    const last = golden.findLast((fact) => fact.type === 'agent.completed');
    const other = golden.map(
      (fact): Fact => (fact === last && last ? { ...last, text: 'No.\u001b[2J' } : fact),
    );
    const { found, text } = diffAgents(toRun(golden), toRun(other));
    expect(found.agents?.changed.map(({ id, fields }) => [id, Object.keys(fields)])).toEqual([
      [last?.path, ['text']],
    ]);
    const shorter = golden.slice(
      0,
      golden.findLastIndex((fact) => fact.type === 'agent.started'),
    );
    expect(diffAgents(toRun(golden), toRun(shorter)).found.agents?.removed).toHaveLength(1);
    expect(text).toContain(`~ ${last?.path}  text:`);
    expect(text).not.toContain('\u001b');
  });
});
