/** How a board reads: names, marked quotations, one vote, the recommendation first; boards of earlier versions too. */
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { formatReport } from '../../src/plain/report.ts';
import { board } from '../../src/protocols/board/board.ts';
import { boardOf } from '../../src/protocols/board/fold.ts';
import { findBoardQuotations } from '../../src/protocols/board/quotations.ts';
import { getFirstRecommendation } from '../../src/protocols/board/recommended.ts';
import { text } from '../../src/protocols/board/view/plain.ts';
import { report } from '../../src/protocols/board/view/report.ts';
import { exportQuotations } from '../../src/protocols/common/quotations/exported.ts';
import { type GoldenStep, importGolden, readGolden } from '../golden/journal.ts';
import { listFactsOfType, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, textOf } from '../kernel/scripted-models.ts';
import { BoardHarness, listAskedTasks, makeBallot, makePanel } from './board-desk.ts';

const WORDS: Readonly<Record<string, string>> = {
  advocate: 'The ledger can be split within a month.',
  critic: 'The ledger is where the last three outages began.',
  analyst: 'Nine weeks of two people is what it costs.',
};

/** A synthesis that quotes the critic, gives the critic's words to the analyst, and invents something. */
function synthesisFor(prompt: string): string {
  const findLetter = (seat: string): string =>
    new RegExp(`from="Advisor (.)">\\n${WORDS[seat]}`).exec(prompt)?.[1] ?? '?';
  return [
    '## Consensus',
    'None.',
    '## Points of Agreement',
    `- Advisor ${findLetter('critic')}: “the ledger is where the last three outages began”.`,
    `- Advisor ${findLetter('analyst')}: “the ledger is where the last three outages began”.`,
    '## Points of Divergence',
    `Advisor ${findLetter('advocate')} says “nothing of this was ever said here”.`,
    '## Recommendation',
    `Split the **ledger** first, as Advisors ${findLetter('advocate')} and ${findLetter('critic')} propose. Drop it if May passes.`,
  ].join('\n');
}

const makeQuotingPanel = (matrix: 'grouped' | 'failed' = 'grouped') =>
  makePanel((asked, task) => {
    const words = WORDS[task];
    if (words !== undefined) return makeAnswer(`${words}${makeBallot(`Option of ${task}`)}`);
    if (task === 'synthesis') return makeAnswer(synthesisFor(textOf(asked)));
    if (task !== 'agreement') return undefined;
    if (matrix === 'failed') return makeFailure('invalid-output', 'no JSON');
    return makeAnswer('', {
      value: {
        points: [],
        same: [
          { option: 'O1', as: 'O2' },
          { option: 'O2', as: 'O3' },
        ],
      },
    });
  });

async function runBoard(matrix?: 'grouped' | 'failed'): Promise<BoardHarness> {
  const bench = new BoardHarness();
  await bench.begin(makeQuotingPanel(matrix), { vote: true });
  return bench;
}

/** What a pipe is told, in its order. */
function formatForPipe({ facts }: BoardHarness): string {
  let out = '';
  const lines = new PlainLines({ write: (some) => (out += some) }, { write: () => true }, text);
  for (const fact of facts) lines.fact(fact);
  return out;
}
const formatForReport = ({ facts }: BoardHarness): string => formatReport(facts, report);
const countTimes = (words: string, all: string): number => all.split(words).length - 1;

describe('a synthesis formatted for reading', () => {
  it.each([
    ['in piped output', formatForPipe],
    ['in a report', formatForReport],
  ])('names seats and marks wrong quotations %s', async (_where, read) => {
    const bench = await runBoard();
    const out = read(bench);
    expect(out).not.toMatch(/Advisors? [A-C]\b/);
    expect(out).toContain('- critic: “the ledger is where the last three outages began”.');
    expect(out).toContain(
      '- analyst: “the ledger is where the last three outages began” [said by critic, not by analyst].',
    );
    expect(out).toContain('“nothing of this was ever said here” [not found anywhere]');
    expect(out).toContain('3 looked up, 1 not found anywhere, 1 said by somebody else');
    // Names and marks are added only to what a person reads. The journal keeps the synthesis as the model wrote
    // it.
    expect(bench.view.syntheses[0]?.text).toMatch(/Advisors? [A-C]\b/);
    expect(bench.view.syntheses[0]?.text).not.toContain('[not found');
  });

  it('is exported with the result of each quotation’s check', async () => {
    const { facts } = await runBoard();
    expect(
      exportQuotations(findBoardQuotations(facts))?.map(({ state, given, by }) => [
        state,
        given,
        by,
      ]),
    ).toEqual([
      ['said', ['critic'], ['critic']],
      ['misattributed', ['analyst'], ['critic']],
      ['nowhere', ['advocate'], []],
    ]);
  });

  it('is checked against the answers that existed when it was written', async () => {
    const bench = await runBoard();
    const models = makePanel((_asked, task) =>
      task === 'critic' ? makeAnswer('I changed my mind.') : undefined,
    );
    await bench.open(models).resume({ kind: 'retry', seats: ['critic'] });
    await bench.session.resume({ kind: 'resynthesize', version: 2 });
    expect(bench.view.calls['seat/critic']?.text).toBe('I changed my mind.');
    expect(findBoardQuotations(bench.facts)[1]?.map(({ state }) => state)).toEqual([
      'said',
      'misattributed',
      'nowhere',
    ]);
  });

  it('is not checked for quotations if the run is not a board', async () => {
    const facts = readGolden('rounds').facts;
    expect(exportQuotations(findBoardQuotations(facts))).toBeUndefined();
  });
});

describe('the vote of a board in text output', () => {
  it.each([
    ['grouped', 'Vote before debate: 3 "'],
    ['failed', 'Vote before debate: 1 "'],
  ] as const)(
    'is printed exactly once, after the end of the call that groups equal options (outcome: %s)',
    async (matrix, first) => {
      const bench = await runBoard(matrix);
      for (const out of [formatForPipe(bench), formatForReport(bench)]) {
        expect(countTimes('ote before debate', out)).toBe(1);
        expect(out).toContain(first);
      }
      if (matrix === 'grouped')
        expect(formatForReport(bench)).toMatch(/In independent votes: "Option of \w+" [\d.]+\. /);
    },
  );

  it('is not printed beside a synthesis that leaves out a seat', async () => {
    const bench = await runBoard();
    await bench.open(makeQuotingPanel()).resume({ kind: 'weigh', base: 1, first: 2 });
    expect(countTimes('ote before debate', formatForPipe(bench))).toBe(1);
  });
});

describe('the report of a board', () => {
  it('begins with the recommendation and the vote', async () => {
    const rows = formatForReport(await runBoard())
      .split('\n')
      .filter((row) => row !== '');
    expect(rows.slice(0, 5)).toEqual([
      '# Should we?',
      '**Recommendation: Split the ledger first, as advocate and critic propose.**',
      '**Read it with care. Quotations in it: 3 looked up, 1 not found anywhere, 1 said by somebody else.**',
      'Synthesis v1 · 3 of 3 advisors',
      expect.stringMatching(
        /^Vote before debate: 3 "Option of \w+" \(.*; also "Option of \w+", "Option of \w+"\)$/,
      ),
    ]);
  });

  it('begins with the recommendation and the vote of each question after a follow-up question', async () => {
    const bench = await runBoard();
    await bench
      .open(makeQuotingPanel())
      .resume({ kind: 'follow-up', number: 2, question: 'And then?' });
    const rows = formatForReport(bench)
      .split('\n')
      .filter((row) => row !== '');
    expect(rows.slice(1, 10).map((row) => row.slice(0, 22))).toEqual([
      '**Question 1: Should w',
      '**Recommendation: Spli',
      '**Read it with care. Q',
      'Synthesis v1 · 3 of 3 ',
      'Vote before debate: 3 ',
      '**Question 2: And then',
      '**Recommendation: Spli',
      'Synthesis v2 · 3 of 3 ',
      'Vote before debate: 3 ',
    ]);
  });

  it.each([
    ['## Recommendation\n\nWait, e.g. until May. Then act.', 'Wait, e.g. until May.'],
    ['## Recommendation\n- **Wait** until May\n- Then act', 'Wait until May'],
    ['## **Recommendation**:\n1. Wait.\n## Notes\nNone.', 'Wait.'],
    ['# Recommendation\nShip version 2.1 now. Then rest.', 'Ship version 2.1 now.'],
    ['## Recommendation\n\n## Notes\nNone.', undefined],
    ['Wait until May.', undefined],
  ])('quotes the first sentence of the recommendation in %j', (markdown, sentence) => {
    expect(getFirstRecommendation(markdown)).toBe(sentence);
  });
});

describe('the comparison of two recommendations', () => {
  it('shows the model seats’ names in place of letters, because a letter can mean another seat in each text', async () => {
    const bench = await runBoard();
    const models = makeQuotingPanel();
    await bench.open(models).resume({ kind: 'weigh', base: 1, first: 2 });
    const compared = models.requests.filter(({ task }) => task === 'board/comparison');
    expect(compared.length).toBeGreaterThan(0);
    for (const request of compared) expect(textOf(request)).not.toMatch(/Advisors? [A-C]\b/);
  });
});

describe('the recorded log of an older board', () => {
  it.each(['board-1', 'attempts-1'] as const)('can be read, reported and exported (%s)', (name) => {
    const { facts } = readGolden(name);
    const out = formatReport(facts, report);
    expect(out).toMatch(/^\*\*Recommendation: .+\*\*$/m);
    expect(out).not.toMatch(/Advisors? [A-C]\b/);
    expect(exportQuotations(findBoardQuotations(facts))?.length).toBeGreaterThan(0);
    expect(boardOf(facts).questions.length).toBe(name === 'board-1' ? 1 : 2);
  });

  it('can be resumed: the one seat without an answer gets the older wording of the prompt', async () => {
    const golden = readGolden('attempts-1');
    // The facts end as if the program had died while the last seat was answering.
    const at = golden.facts.findIndex(
      (fact) => fact.type === 'call.completed' && fact.step === 'seat/analyst',
    );
    const facts = golden.facts.slice(0, at);
    const steps: readonly GoldenStep[] = golden.steps.filter(({ last }) => last <= facts.length);
    const journal = importGolden(temporaryStore(), { facts, steps });
    const models = makePanel();
    const session = new Session({
      journal,
      models,
      protocol: board as Protocol,
      answer: stopAtGate,
    });
    const request = board.request?.({ view: viewOf(facts), facts }, { kind: 'resume' });
    await session.resume(request ?? expect.fail('nothing to resume'));
    const answered = listFactsOfType(facts, 'call.completed').map(({ seat }) => seat);
    expect(answered).toHaveLength(2);
    expect(listAskedTasks(models).slice(0, 3)).toEqual(['analyst', 'synthesis', 'agreement']);
    // Only the newer wording of the prompt contains “leaving your role”. The resumed seat must get the older
    // wording, which the other seats got.
    expect(textOf(models.requests[0] ?? expect.fail('nobody was asked'))).not.toContain(
      'leaving your role',
    );
  });

  it('passes its answers to a fork', async () => {
    const golden = readGolden('attempts-1');
    const store = temporaryStore();
    const parent = importGolden(store, golden);
    const [opening] = listFactsOfType(golden.facts, 'run.started');
    if (opening === undefined) expect.fail('it has no beginning');
    const models = makePanel();
    const session = new Session({
      journal: store.create('board', parent.run),
      models,
      protocol: board as Protocol,
      answer: stopAtGate,
    });
    await session.begin({ ...opening, parent: parent.run });
    expect(listAskedTasks(models).filter((task) => task in WORDS)).toEqual([]);
  });
});

describe('the ballot of a new board', () => {
  it('is requested as the seat’s own opinion and not as its role’s', async () => {
    const models = makePanel();
    await new BoardHarness().begin(models, { vote: true, ownVote: true });
    expect(textOf(models.requests[0] ?? expect.fail('nobody was asked'))).toContain(
      'leaving your role',
    );
  });
});
