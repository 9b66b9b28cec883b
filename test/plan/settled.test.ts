/**
 * Tests that what a plan reports as settled is settled: no conflict is lost, choices agree, and the spec is
 * read again.
 */
import { describe, expect, it } from 'vitest';
import type { Answerer } from '../../src/kernel/handle.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { derivePlanned } from '../../src/protocols/plan/view/display-state.ts';
import { report } from '../../src/protocols/plan/view/report.ts';
import { countEndings, getEnding } from '../../src/protocols/plan/view/wording.ts';
import {
  assessCarried,
  type FinishedPlan,
  findControl,
  findPlantedContradiction,
  isStatementOf,
  makeAnswersTo,
  makeClash,
  makeConflictReader,
  makeContradiction,
  makeRereading,
  makeSpecDraft,
  readSection,
  type Script,
  STATEMENTS_BY_ROLE,
  type Value,
  World,
} from './harness.ts';

const CLASH = makeClash('How long is nobody asked again?', ['security-1', 'ux-1'], {
  why: 'one ends it after a quarter of an hour',
});
const UNSETTLED = 'Conflicts nobody has settled';
const formatStandings = ({ view }: FinishedPlan) =>
  deriveStandings(view).map(({ conflict, state, why }) => `${conflict} ${state}: ${why}`);
const firstLine = ({ spec }: FinishedPlan): string => spec.split('\n')[2] ?? '';
const textOf = (asked: ModelRequest, id: string): string =>
  asked.about?.heard?.find(({ from }) => from === id)?.text ?? '';
/** Answers questions to the person in turn; further ones stay open. */
function makeAnswerer(...said: readonly string[]): {
  answer: Answerer;
  gates: string[];
  prompts: string[];
} {
  const gates: string[] = [];
  const prompts: string[] = [];
  const answer: Answerer = async (step, { prompt }) => {
    prompts.push(prompt);
    gates.push(step);
    return { answer: said[gates.length - 1] ?? 'open', by: 'person' };
  };
  return { answer, gates, prompts };
}

describe('a conflict that a reader named', () => {
  it('is marked as unconfirmed if the reader missed the planted conflict', async () => {
    const held = await new World().makePlan({
      script: { conflicts: () => ({ conflicts: [CLASH] }) },
    });
    expect(held.view.examined[0]?.control?.seen).toBe(false);
    expect(held.view.conflicts).toMatchObject([{ options: CLASH.statements, unconfirmed: true }]);
    for (const seat of ['security', 'ux'])
      expect(held.prompts('answer', seat)[0]).toContain('Q-1 (contradiction): How long is nobody');
    expect(readSection(held.spec, UNSETTLED).slice(0, 2)).toEqual([
      '- Q-1, unconfirmed: How long is nobody asked again?',
      '  - one ends it after a quarter of an hour',
    ]);
    expect(firstLine(held)).toContain('1 conflict nobody has settled (Q-1)');
  });

  it('is confirmed by another reader who finds this conflict and the planted one', async () => {
    let looks = 0;
    const reportConflicts: Script['conflicts'] = (asked) => {
      looks += 1;
      return { conflicts: looks === 1 ? [CLASH] : [...findControl(asked), CLASH] };
    };
    const held = await new World().makePlan({ script: { conflicts: reportConflicts } });
    expect(held.view.conflicts).toHaveLength(1);
    expect(held.view.conflicts[0]).not.toHaveProperty('unconfirmed');
    expect(held.prompts('conflicts')[1]).not.toContain('Q-1');
  });

  it('keeps its description, in which the id of the planted statement is replaced by “another statement”', async () => {
    const reportConflicts: Script['conflicts'] = (asked) => {
      const planted = asked.about?.heard?.find(
        ({ text }) =>
          !Object.values(STATEMENTS_BY_ROLE)
            .flat()
            .some((saying) => saying.text === text),
      )?.from as string;
      const why = `${planted} and ux-1 both say how long`;
      return {
        conflicts: [
          ...findControl(asked),
          makeClash('How long?', [planted, ...CLASH.statements], { why }),
        ],
      };
    };
    const held = await new World().makePlan({ script: { conflicts: reportConflicts } });
    expect(held.view.conflicts).toMatchObject([
      { question: 'How long?', why: 'another statement and ux-1 both say how long' },
    ]);
  });

  it('may be between statements of one seat', async () => {
    const own = makeClash('Which of its own?', ['ux-1', 'ux-2']);
    const held = await new World().makePlan({ script: { conflicts: makeConflictReader([own]) } });
    expect(held.view.conflicts).toMatchObject([{ options: ['ux-1', 'ux-2'] }]);
    expect(held.requests('answer').map(({ seat }) => seat.id)).toContain('ux');
  });

  const callMisread: Script['answer'] = (asked) => {
    const given = makeAnswersTo(asked, (options) =>
      options.filter((id) => isStatementOf(id, asked.seat.id)),
    );
    const misread = { says: 'misread', accepts: [], why: 'security-1 speaks of clicks alone' };
    return asked.seat.id === 'ux'
      ? { ...given, answers: given.answers.map((choice) => ({ ...choice, ...misread })) }
      : given;
  };

  it('counts as misread only if a second reader confirms this and judges two known examples correctly', async () => {
    const makeReread =
      (isBlind: boolean): Script['reread'] =>
      ({ about }) => ({
        readings: (about?.heard ?? []).map(({ text }, at) =>
          isBlind
            ? { number: at + 1, says: false, quotation: '', why: 'no' }
            : makeRereading(at + 1, text, text.includes('session must end')),
        ),
      });
    const script = { conflicts: makeConflictReader([CLASH]), answer: callMisread };
    const ended = await new World().makePlan({ script: { ...script, reread: makeReread(false) } });
    expect(formatStandings(ended)).toEqual(['Q-1 settled: misread: as it reads']);
    expect(readSection(ended.spec, 'Settled')[0]).toContain('No conflict: misread: as it reads');
    const standings = deriveStandings(ended.view);
    const display = { undecided: [], isOver: true, config: undefined, title: String };
    expect(countEndings({ plan: ended.view, standings, ...display })).toBe('1 found to be misread');
    const blind = await new World().makePlan({ script: { ...script, reread: makeReread(true) } });
    expect(formatStandings(blind)[0]).toContain(
      'Q-1 open: ux calls it misread, which nobody has confirmed',
    );
    const not = await new World().makePlan({ script });
    expect(formatStandings(not)[0]).toContain('Q-1 open');
  });

  it('is dropped under edition 2 of the rules if the planted conflict was missed', async () => {
    const held = await new World().makePlan({
      script: { conflicts: () => ({ conflicts: [CLASH] }) },
      config: { prompts: 2 },
    });
    expect(held.view.conflicts).toEqual([]);
    expect(held.view.written?.spec).not.toHaveProperty('checks');
    expect(firstLine(held)).toContain('Unexamined: nobody who looked for conflicts');
  });
});

describe('a person whose choices in two questions contradict each other', () => {
  const script: Script = {
    conflicts: makeConflictReader([
      makeClash('How long may it be?', ['security-1', 'ux-1']),
      makeClash('Where does it lie?', ['ux-1', 'data-1']),
    ]),
  };
  const config = { person: true };

  it('is asked again, with both questions side by side', async () => {
    const { answer, gates, prompts } = makeAnswerer('ux-1', 'data-1', 'ux-1');
    const held = await new World().makePlan({ script, config, answer });
    expect(gates).toEqual(['decide/Q-1', 'decide/Q-2', 'decide/Q-2/again-2']);
    expect(prompts[2]).toContain(
      'Not taken: data-1 would give up ux-1, which is what Q-1 comes to (decided by the person). Both cannot stand.\nQ-1: How long may it be?',
    );
    expect(prompts[2]).toContain('Q-2: Where does it lie?');
    expect(formatStandings(held)).toEqual([
      'Q-1 settled: decided by the person',
      'Q-2 settled: decided by the person',
    ]);
  });

  it('can keep the later choice and decide the earlier question again', async () => {
    const { answer, gates } = makeAnswerer('ux-1', 'data-1', 'Q-1', 'security-1');
    const held = await new World().makePlan({ script, config, answer });
    expect(gates.slice(0, 3)).toEqual(['decide/Q-1', 'decide/Q-2', 'decide/Q-2/again-2']);
    const live = held.view.statements.flatMap(({ id, state }) => (state === 'live' ? [id] : []));
    expect(live).toEqual(['security-1', 'security-2', 'ux-2', 'data-1']);
    expect(formatStandings(held)).toEqual([
      'Q-1 settled: ux-1 was given up by the person in Q-2',
      'Q-2 settled: decided by the person',
    ]);
    const planned = derivePlanned(viewOf(held.facts), held.view);
    expect(held.view.conflicts.map((conflict) => getEnding(conflict, planned).brief)).toEqual([
      'security-1, decided',
      'data-1, decided',
    ]);
  });

  it('leaves the second question open after three choices that contradict the choice in the first', async () => {
    const { answer, gates } = makeAnswerer('ux-1', 'data-1', 'data-1', 'data-1');
    const held = await new World().makePlan({ script, config, answer });
    expect(gates).toHaveLength(4);
    expect(held.view.decided.map(({ conflict, by }) => [conflict, by])).toEqual([
      ['Q-1', 'person'],
      ['Q-2', 'default'],
    ]);
    expect(firstLine(held)).toContain('Open: 1 conflict nobody has settled (Q-2)');
  });

  it('is asked again, and told why, after a choice that would override an agreement of seats', async () => {
    const says = {
      ...STATEMENTS_BY_ROLE,
      ux: [{ text: 'Nobody may be asked twice in 24 hours.', must: true }],
    };
    const { answer, prompts } = makeAnswerer('ux-1', 'security-1');
    const held = await new World().makePlan({
      says,
      config,
      answer,
      script: {
        conflicts: makeConflictReader(
          [
            makeClash('How long?', ['security-1', 'ux-1']),
            makeClash('Where?', ['security-1', 'data-1']),
          ],
          says,
        ),
        answer: (asked) =>
          makeAnswersTo(asked, (options) => options.filter((id) => id === 'security-1')),
      },
    });
    expect(prompts[1]).toContain(
      'would give up security-1, which is what Q-2 comes to (all accept security-1)',
    );
    expect(held.view.decided.map(({ conflict, by }) => [conflict, by])).toEqual([
      ['Q-1', 'person'],
      ['Q-2', 'agreement'],
    ]);
  });
});

it('the report of a plan says so if one model plays every seat and looks for conflicts itself', async () => {
  const said = 'One model played every seat and looked for conflicts in what it said itself.';
  const gapsOf = ({ facts }: FinishedPlan) => report.build({ facts, view: viewOf(facts) }).missing;
  const alone = await new World().makePlan();
  expect(gapsOf(alone)).toContain(said);
  const two = await new World().makePlan({ models: { ux: 'test/other' } });
  expect(gapsOf(two)).not.toContain(said);
});

it('a task without a test, or without a condition of completion, gets no empty line in the spec', async () => {
  const task = {
    title: 'Sweep',
    files: [],
    from: ['data-1'],
    after: [],
    test: '',
    doneWhen: 'swept',
  };
  const tasks = [task, { ...task, title: 'Sweep again', test: 'a row', doneWhen: ' ' }];
  const held = await new World().makePlan({
    script: { synthesis: () => makeSpecDraft({ tasks }) },
  });
  const rows = readSection(held.spec, 'Tasks').filter((row) => !row.includes('**Not compared'));
  expect(rows).toEqual([
    '1. Sweep [data-1]',
    '   - done when: swept',
    '2. Sweep again [data-1]',
    '   - test: a row',
  ]);
});

it.each([
  ['Converged: everybody agreed and all conflicts are settled.', true],
  ['All seats agree that people stay signed in. No conflict is left.', true],
  ['People stay signed in, and a session is decided by its table.', false],
])(
  'the spec warns below a goal if, and only if, the goal says that seats agreed or conflicts are settled: “%s” (warns: %s)',
  async (goal, isMarked) => {
    const held = await new World().makePlan({
      script: { synthesis: () => makeSpecDraft({ goal }) },
    });
    const mark = '**How this plan ended is said by its first line, not by its goal**';
    expect(held.spec.includes(mark)).toBe(isMarked);
    const before = await new World().makePlan({
      config: { prompts: 6 },
      script: { synthesis: () => makeSpecDraft({ goal }) },
    });
    expect(before.spec).not.toContain(mark);
  },
);

describe('a decision in the person’s own words', () => {
  const words = 'Sessions end after eight hours.';

  it('becomes a statement and is compared with all other statements', async () => {
    const { answer } = makeAnswerer(`own: ${words}`);
    const held = await new World().makePlan({
      config: { person: true },
      answer,
      script: {
        conflicts: (asked) => ({
          conflicts: [
            ...findControl(asked, { ...STATEMENTS_BY_ROLE, person: [{ text: words }] }),
            CLASH,
          ],
        }),
      },
    });
    expect(held.view.statements.find(({ id }) => id === 'person-1')).toMatchObject({
      text: words,
      conflict: 'Q-1',
      state: 'live',
    });
    expect(held.requests('told').map(({ seat }) => seat.id)).toEqual(['security', 'ux']);
    expect(held.prompts('conflicts').at(-1)).toContain(words);
    expect(formatStandings(held)).toEqual(['Q-1 settled: decided by the person']);
    expect(readSection(held.spec, 'Given up').join('\n')).toContain('person-1 was chosen');
    expect(readSection(held.spec, 'Decisions')).toContain(`- Do: ${words} [person-1]`);
  });

  it('is also shown to a seat whose statement the person chose in an earlier question', async () => {
    const { answer } = makeAnswerer('data-1', `own: ${words}`);
    const held = await new World().makePlan({
      config: { person: true },
      answer,
      script: {
        conflicts: (asked) => ({
          conflicts: [
            ...findControl(asked, { ...STATEMENTS_BY_ROLE, person: [{ text: words }] }),
            makeClash('What of the table?', ['data-1', 'security-2']),
            CLASH,
          ],
        }),
        told: ({ seat }) => ({
          clashes: seat.id === 'data' ? [{ id: 'data-1', why: 'swept after 30 days' }] : [],
        }),
      },
    });
    expect(held.requests('told').map(({ seat }) => seat.id)).toEqual(['ux', 'data']);
    expect(held.view.conflicts.at(-1)).toMatchObject({ options: ['person-1', 'data-1'] });
    expect(held.view.written?.state).not.toBe('converged');
  });

  it('leads to a new question if a seat names one of its statements that contradicts the decision', async () => {
    const { answer, gates } = makeAnswerer(`own: ${words}`);
    const held = await new World().makePlan({
      config: { person: true },
      answer,
      script: {
        conflicts: (asked) => ({
          conflicts: [
            ...findControl(asked, { ...STATEMENTS_BY_ROLE, person: [{ text: words }] }),
            CLASH,
          ],
        }),
        told: ({ seat }) => ({
          clashes: seat.id === 'ux' ? [{ id: 'ux-2', why: 'the form is lost' }] : [],
        }),
      },
    });
    expect(held.view.conflicts.at(-1)).toMatchObject({ options: ['person-1', 'ux-2'] });
    expect(gates).toContain('decide/Q-2');
    expect(firstLine(held)).toContain('1 conflict nobody has settled (Q-2)');
  });
});

describe('the check of a finished plan', () => {
  it('names a decision that does not follow from its cited statements', async () => {
    const writeSynthesis: Script['synthesis'] = ({ about }) =>
      makeSpecDraft({
        decisions: (about?.heard ?? []).map(({ from, text }) => ({
          text: from === 'ux-1' ? 'Passwords are replaced by keys.' : text,
          from: [from],
        })),
      });
    const held = await new World().makePlan({ script: { synthesis: writeSynthesis } });
    expect(held.prompts('synthesis')[1]).toContain(
      'Not carried by ux-1: "Passwords are replaced by keys." (all of it).',
    );
    expect(readSection(held.spec, 'Decisions').join('\n')).toContain(
      '- Passwords are replaced by keys. [ux-1]\n  - **Not carried by what it cites: all of it**',
    );
    expect(firstLine(held)).toContain('Open: 1 part not carried by what it cites');
    expect(held.view.written?.spec.checks).toMatchObject({ carried: 'seen', compared: 'seen' });
  });

  it('reads one decision at a time, with only the statements that it cites', async () => {
    const held = await new World().makePlan();
    const prompt = held.prompts('carried').find((prompt) => prompt.includes('Do: Sessions live'));
    expect(prompt).toContain('Sessions live in one table');
    for (const other of ['Nobody may be asked', 'stay signed in', 'Tokens could'])
      expect(prompt).not.toContain(other);
  });

  it.each<[string, Script, string]>([
    [
      'saying of every decision that it follows from the statements it cites',
      {
        carried: ({ about }) => ({
          carried: 'wholly',
          quotation: about?.heard?.[0]?.text ?? '',
          missing: '',
        }),
      },
      'nobody who read what the parts cite showed',
    ],
    [
      'reporting no contradiction',
      { compared: () => ({ contradictions: [] }) },
      'nobody who compared the parts showed',
    ],
  ])('does not pass if the reader misses the planted fault by %s', async (_what, script, words) => {
    const held = await new World().makePlan({ script });
    expect(held.view.written?.state).toBe('open');
    expect(firstLine(held)).toContain(`Open: ${words}`);
  });

  it('counts every decision as unsupported if the reader invents quotations', async () => {
    const judgeCarried: Script['carried'] = (asked) => ({
      ...assessCarried(asked),
      quotation: 'Words that stand nowhere.',
    });
    const held = await new World().makePlan({ script: { carried: judgeCarried } });
    expect(held.view.written?.spec.checks?.notCarried).toHaveLength(5);
  });

  it('marks both of two decisions that contradict each other', async () => {
    const compareParts: Script['compared'] = (asked) => {
      const [one, other] = ['Do: A session must', 'Do: Nobody may'].map((start) =>
        asked.about?.heard?.find(({ text }) => text.startsWith(start)),
      );
      return {
        contradictions: [
          ...findPlantedContradiction(asked),
          makeContradiction(one?.from ?? '', one?.text ?? '', other?.from ?? '', other?.text ?? ''),
        ],
      };
    };
    const held = await new World().makePlan({ script: { compared: compareParts } });
    expect(
      readSection(held.spec, 'Decisions').filter((row) => row.includes('**Contradicts')),
    ).toHaveLength(2);
    expect(readSection(held.spec, 'Contradictions')).toHaveLength(1);
    expect(firstLine(held)).toContain('Open: 1 contradiction between parts of this plan');
  });

  it('marks a decision that does what a given-up statement demands', async () => {
    const { answer } = makeAnswerer('ux-1');
    const lost = STATEMENTS_BY_ROLE.security?.[0]?.text ?? '';
    const held = await new World().makePlan({
      config: { person: true },
      answer,
      script: {
        conflicts: makeConflictReader([CLASH]),
        synthesis: ({ about }) =>
          makeSpecDraft({
            decisions: [
              ...(about?.heard ?? []).map(({ from, text }) => ({
                text: `Do: ${text}`,
                from: [from],
              })),
              { text: `Still: ${lost}`, from: ['ux-2'] },
            ],
          }),
        compared: (asked) => {
          const still =
            asked.about?.heard?.find(({ text }) => text.startsWith('Still'))?.from ?? '';
          const kept =
            asked.about?.heard?.find(({ text }) => text.startsWith('Do: Nobody'))?.from ?? '';
          const found: Value = makeContradiction(
            still,
            textOf(asked, still),
            kept,
            textOf(asked, kept),
          );
          return { contradictions: [...findPlantedContradiction(asked), found] };
        },
      },
    });
    expect(firstLine(held)).toMatch(/1 part not carried by what it cites; 1 contradiction/);
    expect(held.spec).toContain('Not carried by what it cites');
  });

  it('refuses two decisions that adopt different options of the same open question', async () => {
    const held = await new World().makePlan({ script: { conflicts: makeConflictReader([CLASH]) } });
    expect(held.prompts('synthesis')[1]).toContain('it and another part take two sides of Q-1');
    const decisions = readSection(held.spec, 'Decisions').join('\n');
    expect(decisions).not.toContain('security-1');
    expect(decisions).not.toContain('ux-1');
  });
});
