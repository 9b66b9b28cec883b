/**
 * Two boards on one document with flaws planted in it, answered by hand: once as good seats would, and once
 * with a last part as a bad model answers, which invents quotations, gives them to others, imitates the
 * prompt and votes for somebody else. What was found must reach the reader, with words that were looked up,
 * and nothing that nobody said may pass for said.
 */

import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { agents } from '../../src/protocols/agents/agents.ts';
import { board } from '../../src/protocols/board/board.ts';
import { findBoardQuotations } from '../../src/protocols/board/quotations.ts';
import { loadProtocolReport } from '../../src/protocols/table.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore, typesOf } from '../kernel/desk.ts';
import { makeFailure, ScriptedModels } from '../kernel/scripted-models.ts';
import { importGolden, readGolden } from './journal.ts';

const formatRun = async (name: 'played-board' | 'played-board-badly'): Promise<string> =>
  formatReport(readGolden(name).facts, await loadProtocolReport('board'));
const findQuotations = (name: 'played-board' | 'played-board-badly') =>
  (findBoardQuotations(readGolden(name).facts)[1] ?? []).map(({ words, state, given, by }) => ({
    words,
    state,
    given,
    by,
  }));

describe.each([
  ['played-board', board as Protocol],
  ['played-board-badly', board as Protocol],
  ['played-agent', agents as Protocol],
  ['played-decision', board as Protocol],
  ['played-decision-badly', board as Protocol],
  // This run's predictions are of version 1, see `EDITION`.
  ['played-decision-1', board as Protocol],
] as const)('the recorded run %s', (name, protocol) => {
  it('replays without asking a model', async () => {
    const golden = readGolden(name);
    const models = new ScriptedModels(({ seat }) =>
      makeFailure('internal', `${seat.id} was asked`),
    );
    const journal = importGolden(temporaryStore(), golden);
    const session = new Session({ journal, models, protocol, answer: stopAtGate });
    expect(await session.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    // No step may be done again. A step that is listed here differs from the recording in its prompt or its schema.
    const more = filterKnownFacts(journal.facts(golden.facts.length));
    expect(listFactsOfType(more, 'step.started').map(({ step }) => step)).toEqual([]);
    expect(models.asked).toEqual([]);
    expect(typesOf(more)).toEqual(['run.resumed', 'run.ended']);
  });
});

describe('a recorded board with good answers', () => {
  /**
   * Flaws of the document that the board discusses, each with the words by which the synthesis points it out.
   */
  const FLAWS = {
    'twelve hours of copying in a night of eight': '45,000 seconds, which is 12.5 hours',
    'no way back': 'whoever goes back on day 10 goes back without ten days of payments',
    'a group that never agreed': 'has not replied to a mail of January 12',
    'checks that take a day': 'the range is 5 to 25 hours',
  };

  it.each(Object.entries(FLAWS))(
    'points out this flaw of the document in a seat’s own words: %s',
    (_flaw, words) => {
      const found = findQuotations('played-board').find((quotation) => quotation.words === words);
      expect(found?.state).toBe('said');
      expect(found?.given).toEqual(found?.by);
    },
  );

  it('puts the problem that all three seats mentioned under the heading Consensus', () => {
    const { facts } = readGolden('played-board');
    const [first = ''] = viewOf(facts).syntheses[0]?.text.split('## Points of Agreement') ?? [];
    expect(first).toMatch(/^## Consensus\n[^#]*invoicing job/);
    const [matrix] = listFactsOfType(facts, 'agreement.mapped');
    const invoices = matrix?.points.find(({ text }) => text.includes('invoicing'));
    expect(invoices?.cells.map(({ seat }) => seat).sort()).toEqual([
      'advocate',
      'analyst',
      'critic',
    ]);
    expect(matrix?.dropped).toEqual([]);
  });

  it('has a report that begins with the recommendation and the vote', async () => {
    const [title, recommendation, heard, vote] = (await formatRun('played-board')).split('\n\n');
    expect(title).toMatch(/^# Should we approve/);
    expect(recommendation).toBe(
      '**Recommendation: Refuse February 28, and set March 14 on the condition that a full, timed rehearsal by March 7 passes.**',
    );
    expect(heard).toBe('Synthesis v1 · 3 of 3 advisors');
    expect(vote).toBe(
      'Vote before debate: 2 "Move on March 14, after rehearsal" (Advocate, Analyst; also "March 14, support as fallback") · 1 "Refuse until rehearsed and reversible" (Critic)',
    );
  });

  it('has a report in which all quotations were found in the answers and nothing is missing', async () => {
    const out = await formatRun('played-board');
    expect(out).toContain('_Quotations: 7 looked up, all found._');
    expect(out).not.toMatch(/\[(?:not found|said by|not looked up)/);
    expect(out).toContain('## What is missing\n\nNothing.');
    expect(out).not.toMatch(/Advisors? [A-C]\b/);
  });
});

describe('a recorded board with bad answers by the synthesizer and one seat', () => {
  it('marks invented and misattributed quotations in its report', async () => {
    const all = findQuotations('played-board-badly').map(
      ({ words, state, given }) => `${state} ${given.join('+')}: ${words}`,
    );
    expect(all).toEqual([
      'nowhere : yes, approve the plan as it stands',
      'misattributed advocate: whoever goes back on day 10 goes back without ten days of payments',
      'misattributed critic: the copy is faster than anybody needs and can be repeated twice in one night',
      'nowhere critic: the way back has been tried and it lost nothing',
      'nowhere analyst: beyond all doubt',
      'nowhere advocate: the invoicing job … can wait until the Monday after',
      'nowhere critic: The whole move was rehearsed from end to end in January.',
      'misattributed analyst: 5.4 terabytes at 120 megabytes a second are 45,000 seconds',
      'said critic: has not replied to a mail of January 12',
      'nowhere critic: would approve it with both hands today',
      'said advocate: March 14 is not the last Saturday of its month',
    ]);
    const out = await formatRun('played-board-badly');
    const own = out.slice(out.indexOf('## Synthesis v1'), out.indexOf('## Who holds what'));
    expect(own.match(/\[not found anywhere\]/g)).toHaveLength(6);
    expect(own.match(/\[said by \w+, not by \w+\]/g)).toHaveLength(3);
  });

  it('has a report with a warning before the synthesis', async () => {
    const [, recommendation, care] = (await formatRun('played-board-badly')).split('\n\n');
    expect(recommendation).toContain('[not found anywhere\\]');
    expect(care).toBe(
      '**Read it with care. Quotations in it: 11 looked up, 6 not found anywhere, 3 said by somebody else.**',
    );
  });

  it('counts one vote of a seat whose answer contains two ballots', () => {
    const { facts } = readGolden('played-board-badly');
    expect(listFactsOfType(facts, 'ballot.cast').map(({ seat, option }) => [seat, option])).toEqual(
      [
        ['advocate', 'Move on March 14, after rehearsal'],
        ['analyst', 'Wait'],
        ['critic', 'Refuse until rehearsed and reversible'],
      ],
    );
  });

  it('shows which differently worded options were counted as the same choice', async () => {
    expect(await formatRun('played-board-badly')).toContain(
      'Vote before debate: 3 "Move on March 14, after rehearsal" (Advocate, Analyst, Critic; also "Wait", "Refuse until rehearsed and reversible")',
    );
  });

  it('asks again for a wrong table of positions, then drops its wrong entries', () => {
    const { facts } = readGolden('played-board-badly');
    const [matrix] = listFactsOfType(facts, 'agreement.mapped');
    expect(listFactsOfType(facts, 'call.completed').at(-1)?.notes.join()).toContain('asked again');
    expect(matrix?.dropped.map(({ seat }) => seat)).toEqual(['advocate', 'critic', 'critic']);
    expect(matrix?.points.flatMap(({ cells }) => cells.map(({ seat }) => seat))).toEqual([
      'analyst',
      'advocate',
    ]);
  });

  it('reports which seat cited lines beyond the end of the document', async () => {
    const out = await formatRun('played-board-badly');
    // biome-ignore lint/complexity/useRegexLiterals: control characters, spelled out
    expect(out).not.toMatch(new RegExp('[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]'));
    expect(out).toContain('Analyst cites lines that do not exist');
    expect(out).toContain('billing-move.md has 64 lines');
    expect(out).toContain('\\<answer-');
  });
});
