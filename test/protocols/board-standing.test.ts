/** What is said of a board after more was made of it: which synthesis counts, and whose ballots. */
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../src/kernel/entry.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { sectionsText } from '../../src/plain/blocks-text.ts';
import { commonReport } from '../../src/plain/common-report.ts';
import { formatReport } from '../../src/plain/report.ts';
import { makeAblationRequest } from '../../src/protocols/board/ablation.ts';
import { makeBoardRequest } from '../../src/protocols/board/past.ts';
import { text as board } from '../../src/protocols/board/view/plain.ts';
import { report } from '../../src/protocols/board/view/report.ts';
import { makeAnswer, makeFailure, ScriptedModels, textOf } from '../kernel/scripted-models.ts';
import { BoardHarness, makeBallot, makePanel, SYNTHESIS } from './board-desk.ts';
import { expectSameInSql } from './in-sql.ts';

/** A synthesis that recommends whom it heard. */
const heardBy = (prompt: string): string => {
  const heard = ['advocate', 'critic', 'analyst'].filter((id) => prompt.includes(`${id} holds`));
  return `## Consensus\nYes.\n## Points of Agreement\nA.\n## Points of Divergence\nB.\n## Recommendation\nAs ${heard.join('+')} say.`;
};
const ALL = 'As advocate+critic+analyst say.';
const makeWeighingPanel = (
  script: Parameters<typeof makePanel>[0] = () => undefined,
): ScriptedModels =>
  makePanel((asked, task) =>
    task === 'synthesis' ? makeAnswer(heardBy(textOf(asked))) : script(asked, task),
  );
const leadOf = (facts: readonly AnyFact[]): string | undefined =>
  formatReport(facts, report)
    .split('\n')
    .find((row) => row.startsWith('**Recommendation'));
/** The id under which an option is shown. */
const idOf = (prompt: string, option: string): string =>
  new RegExp(`from="(O\\d)">\\n${option}\\n`).exec(prompt)?.[1] ?? '?';

describe('a synthesis that leaves out one seat for comparison', () => {
  it('is never shown as the recommendation', async () => {
    const bench = new BoardHarness();
    await bench.begin(makeWeighingPanel());
    const models = makeWeighingPanel((_asked, task) =>
      task === 'comparison' ? makeFailure('server', 'HTTP 500') : undefined,
    );
    await bench.open(models).resume({ kind: 'weigh', base: 1, first: 2 });
    expect(bench.view.syntheses).toHaveLength(5);
    const { facts, view } = bench;
    expect(leadOf(facts)).toBe(`**Recommendation: ${ALL}**`);
    expect(report.build({ facts, view }).answers[0]?.basisLines).toEqual([
      'Synthesis v1 · 3 of 3 advisors',
    ]);
    expect(board.latest({ facts, view })?.version).toBe(1);
    expectSameInSql(bench.store, bench.journal.run);
  });

  it('never gets, when a failed comparison is repeated, the number of a synthesis that a person requested in between', async () => {
    const bench = new BoardHarness();
    await bench.begin(makeWeighingPanel());
    let asked = 0;
    const failing = makePanel((request, task) => {
      if (task !== 'synthesis') return undefined;
      asked += 1;
      return asked > 2 ? makeFailure('server', 'HTTP 500') : makeAnswer(heardBy(textOf(request)));
    });
    await bench.open(failing).resume({ kind: 'weigh', base: 1, first: 2 });
    expect(bench.view.syntheses.map(({ version }) => version)).toEqual([1, 2, 3]);
    expectSameInSql(bench.store, bench.journal.run);
    const { view, facts } = bench;
    const again = makeBoardRequest({ view, facts }, { kind: 'resynthesize', note: 'Be brief.' });
    await bench.open(makeWeighingPanel()).resume(again);
    expect(leadOf(bench.facts)).toBe(`**Recommendation: ${ALL}**`);
    // The syntheses of the ablation must not get the version number of the synthesis that the person requested.
    // Otherwise the ablation would take the person's synthesis for one of its own.
    await bench.open(makeWeighingPanel()).resume(makeAblationRequest(bench.facts, 1));
    const own = bench.view.syntheses.find(({ note }) => note === 'Be brief.')?.version;
    const used = bench.board.ablations[1]?.map(({ version }) => version);
    expect(used).toHaveLength(4);
    expect(used).not.toContain(own);
    expect(board.latest({ facts: bench.facts, view: bench.view })?.version).toBe(own);
    expectSameInSql(bench.store, bench.journal.run);
  });

  it('is refused if a seat has answered again since the first synthesis', async () => {
    const bench = new BoardHarness();
    await bench.begin(makeWeighingPanel());
    await bench.open(makeWeighingPanel()).resume({ kind: 'retry', seats: ['critic'] });
    const { view, facts } = bench;
    expect(() => makeBoardRequest({ view, facts }, { kind: 'weigh' })).toThrow('critic');
  });
});

describe('the vote after a seat was asked again', () => {
  const makeVotingPanel = (options: Readonly<Record<string, string>>): ScriptedModels =>
    makePanel((asked, task) => {
      const option = entryOf(options, task);
      if (option === 'fails') return makeFailure('server', 'HTTP 500');
      if (option !== undefined) return makeAnswer(`${task} holds this.${makeBallot(option)}`);
      if (task !== 'agreement') return undefined;
      const same = ['Divide it', 'Split it'].map((wording) => idOf(textOf(asked), wording));
      const value = { points: [], same: [{ option: same[0], as: same[1] }] };
      return makeAnswer(JSON.stringify(value), { value });
    });
  const FIRST = { advocate: 'Split it', critic: 'Wait', analyst: 'Divide it' };
  const voteIn = ({ facts }: BoardHarness): string =>
    formatReport(facts, report)
      .split('\n')
      .find((row) => row.startsWith('Vote before debate')) ?? 'none';

  it("counts only the seat's new ballot", async () => {
    const bench = new BoardHarness();
    await bench.begin(makeVotingPanel(FIRST), { vote: true });
    expect(voteIn(bench)).toMatch(/2 "(?:Split|Divide) it".* 1 "Wait"/);
    await bench
      .open(makeVotingPanel({ critic: 'Sell it' }))
      .resume({ kind: 'retry', seats: ['critic'] });
    expect(voteIn(bench)).toMatch(/1 "Sell it"/);
    expect(voteIn(bench)).not.toContain('Wait');
  });

  it('does not count the old ballot of a seat whose new answer has none', async () => {
    for (const answer of [
      makeAnswer('critic holds that nothing is certain.'),
      makeFailure('server', 'HTTP 500'),
    ]) {
      const bench = new BoardHarness();
      await bench.begin(makeVotingPanel(FIRST), { vote: true });
      await bench
        .open(makePanel((_asked, task) => (task === 'critic' ? answer : undefined)))
        .resume({ kind: 'retry', seats: ['critic'] });
      expect(formatReport(bench.facts, report)).toContain('\nNo ballot: critic.\n');
      expectSameInSql(bench.store, bench.journal.run);
      expect(voteIn(bench)).not.toContain('Wait');
    }
  });

  it('adds the seat’s new ballot to the group of an option with the same words', async () => {
    const bench = new BoardHarness();
    await bench.begin(makeVotingPanel({ ...FIRST, critic: 'fails' }), { vote: true });
    await bench
      .open(makeVotingPanel({ critic: 'divide it.' }))
      .resume({ kind: 'retry', seats: ['critic'] });
    expect(voteIn(bench)).toMatch(/3 "(?:Split|Divide) it" \(.*; also "/);
  });
});

describe('the table of positions (who is for and against each point) in reports', () => {
  it('shows seats’ names in place of letters', async () => {
    const bench = new BoardHarness();
    const pointing = makePanel((asked, task) => {
      if (task !== 'agreement') return undefined;
      const letter = /from="Advisor (.)">\nadvocate holds/.exec(textOf(asked))?.[1] ?? '?';
      const quote = 'advocate holds this and says why';
      const cells = [{ advisor: letter, side: 'for', quote }];
      const value = { points: [{ text: `Advisor ${letter} is right.`, cells }], same: [] };
      return makeAnswer(JSON.stringify(value), { value });
    });
    await bench.begin(pointing, { vote: true });
    const silent = makePanel((_asked, task) =>
      task === 'agreement' ? makeFailure('server', 'HTTP 500') : undefined,
    );
    // Every synthesis without a seat has letters of its own. The table belongs to version 1, so its letters stand
    // for the seats that they meant in version 1.
    for (const [at, without] of ['critic', 'analyst', 'advocate'].entries()) {
      const version = at + 2;
      await bench.open(silent).resume({ kind: 'resynthesize', version, without: [without] });
      const { facts, view } = bench;
      const vote = sectionsText(report.parts?.({ facts, view })?.vote ?? []).join('\n');
      expect(vote).toContain('| advocate is right. |');
      expect(vote).toContain('Who holds what (v1)');
      const sections = JSON.stringify(report.build({ facts, view }).sections);
      expect(sections).toContain('advocate is right.');
      expect(sections).not.toMatch(/(?:critic|analyst) is right/);
    }
  });
});

describe('the dissent in a report', () => {
  it('does not say that a seat is against most if no option has a majority', async () => {
    const bench = new BoardHarness();
    const SEATS = ['a', 'b', 'c', 'd', 'e'];
    const options = new Map(
      SEATS.map((id, at) => [id, ['Go', 'Go', 'Wait', 'Sell', 'Ask'][at] ?? '']),
    );
    const models = makePanel((_asked, task) =>
      options.has(task)
        ? makeAnswer(`${task} holds this.${makeBallot(options.get(task) ?? '')}`)
        : undefined,
    );
    await bench.open(models).begin({
      question: 'Should we?',
      seats: SEATS.map((id) => ({
        id,
        role: id,
        title: id.toUpperCase(),
        model: `test/${id}`,
        brief: '',
      })),
      config: { synthesizer: 'test/chair', open: false, seed: 7, attachments: [], vote: true },
    });
    const { facts, view } = bench;
    const sections = JSON.stringify(report.build({ facts, view }).sections);
    expect(sections).toContain('"Wait"');
    expect(sections).not.toContain('against most');
  });
});

describe('a board’s report', () => {
  it('gives the cost as "at least" an amount if the price of a call is unknown', async () => {
    const bench = new BoardHarness();
    const models = new ScriptedModels(
      (asked) => makeAnswer(asked.seat.id === 'synthesizer' ? SYNTHESIS : 'So it is.'),
      (_usage, model) => (model === 'test/chair' ? 0.25 : undefined),
    );
    await bench.begin(models);
    expect(formatReport(bench.facts, report)).toMatch(/\| tokens \| .*, at least \$0\.25\d* \|/);
  });

  it('states the number of calls that the diagram of calls draws', async () => {
    const bench = new BoardHarness();
    await bench.begin(makePanel());
    await bench.open(makePanel()).resume({ kind: 'retry', seats: ['critic'] });
    const { view } = bench;
    const [graph] = commonReport(view).sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        typeof block !== 'string' && block.kind === 'graph' ? [block.graph] : [],
      ),
    );
    expect(graph?.about).toContain(`${graph?.nodes.length} calls`);
  });
});
