/**
 * Tests statements that were given up for a way out with similar words: parts of the plan that state the
 * way out are not marked as contradictions, and such statements do not serve as controls.
 */
import { describe, expect, it } from 'vitest';
import type { Answerer } from '../../src/kernel/handle.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { makePlant } from '../../src/protocols/plan/rules/control.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import {
  findPlantedContradiction,
  isStatementOf,
  makeAnswersTo,
  makeClash,
  makeConflictReader,
  makeContradiction,
  makeHandedStatement,
  makeSpecDraft,
  readSection,
  type Script,
  STATEMENTS_BY_ROLE,
  World,
} from './harness.ts';

const WAY = 'A session must end after 15 minutes without a click, and a new one needs no password.';

/**
 * Security offers a way out in the second round, partly in its old words, and all seats accept it in the
 * third.
 */
const taking: Script = {
  conflicts: makeConflictReader([makeClash('How long?', ['security-1', 'ux-1'])], {
    ...STATEMENTS_BY_ROLE,
    security: [...(STATEMENTS_BY_ROLE.security ?? []), { text: WAY }],
  }),
  answer: (asked) => {
    const isFirst = asked.about?.round === 2;
    const given = makeAnswersTo(asked, (options) =>
      isFirst
        ? options.filter((id) => isStatementOf(id, asked.seat.id))
        : options.filter((id) => id === 'security-3'),
    );
    const add = { ...makeHandedStatement({ text: WAY }), conflict: 'Q-1' };
    return isFirst && asked.seat.id === 'security' ? { ...given, add: [add] } : given;
  },
  synthesis: ({ about }) =>
    makeSpecDraft({
      decisions: (about?.heard ?? []).map(({ from, text }) => ({ text, from: [from] })),
    }),
};

/** Returns a contradiction between the part that states the way out and the statement given up for it. */
function partAgainstLost({ about }: ModelRequest) {
  const part = about?.heard?.find(({ text }) => text === WAY);
  const words = 'A session must end after 15 minutes without a click';
  return makeContradiction(part?.from ?? '', words, 'security-1', words);
}

describe('a decision of the plan that states an accepted compromise', () => {
  const compareParts: Script['compared'] = (asked) => ({
    contradictions: [...findPlantedContradiction(asked), partAgainstLost(asked)],
  });

  it('is not marked as contradictory, even if a reader reports that its words contradict the statement that the compromise replaced', async () => {
    const held = await new World().makePlan({ script: { ...taking, compared: compareParts } });
    expect(held.view.written?.spec.checks).toMatchObject({ compared: 'seen', contradictions: [] });
    expect(held.prompts('compared')[0]).toContain(
      `security-1: A session must end after 15 minutes without a click. Taken in its place: ${WAY}`,
    );
    expect(held.view.written?.state).toBe('converged');
  });

  it('is marked as contradictory if a reader objects to words added to the compromise', async () => {
    const addWords: Script['synthesis'] = ({ about }) =>
      makeSpecDraft({
        decisions: (about?.heard ?? []).map(({ from, text }) => ({
          text: text === WAY ? `${WAY} Whoever is idle is asked again.` : text,
          from: [from],
        })),
      });
    const held = await new World().makePlan({
      script: {
        ...taking,
        synthesis: addWords,
        compared: (asked) => {
          const part = asked.about?.heard?.find(({ text }) => text.startsWith(WAY));
          const lost = STATEMENTS_BY_ROLE.ux?.[0]?.text ?? '';
          return {
            contradictions: [
              ...findPlantedContradiction(asked),
              makeContradiction(part?.from ?? '', 'Whoever is idle is asked again.', 'ux-1', lost),
            ],
          };
        },
      },
    });
    expect(held.view.written?.spec.checks?.contradictions).toMatchObject([
      {
        parts: [
          `${WAY} Whoever is idle is asked again.`,
          `ux-1: ${STATEMENTS_BY_ROLE.ux?.[0]?.text}`,
        ],
      },
    ]);
  });

  it('is checked by a reader who is not shown the compromise, under edition 3 of the rules', async () => {
    const held = await new World().makePlan({ script: taking, config: { prompts: 3 } });
    expect(held.prompts('compared')[0]).not.toContain('Taken in its place');
  });
});

describe('a plan’s decision that is worded like a given-up statement', () => {
  const lost = STATEMENTS_BY_ROLE.security?.[0]?.text ?? '';
  /** Answers that every part follows from the statements that it cites, even the planted part. */
  const carriesAll: Script['carried'] = ({ about }) => ({
    ...{ carried: 'wholly', missing: '' },
    quotation: about?.heard?.[0]?.text ?? '',
  });
  const writeDecision =
    (text: string): Script['synthesis'] =>
    ({ about }) =>
      makeSpecDraft({
        decisions: (about?.heard ?? []).map((statement) => ({
          text: statement.from === 'security-3' ? text : statement.text,
          from: [statement.from],
        })),
      });

  it('is marked by code as a repetition, even if no reader objects, and the spec begins with “Open”', async () => {
    const held = await new World().makePlan({
      script: { ...taking, synthesis: writeDecision(`And a${lost.slice(1)}`), carried: carriesAll },
    });
    expect(held.requests('synthesis')).toHaveLength(2);
    expect(held.spec.split('\n')[2]).toMatch(/^_Open: .*1 part not carried by what it cites/);
    expect(readSection(held.spec, 'Decisions').join('\n')).toContain(
      '**Not carried by what it cites: it says again what was given up, security-1**',
    );
  });

  it.each([
    ['negates the statement', lost.replace('must end', 'must not end')],
    ['states the compromise that replaced the statement', WAY],
  ])('is not marked as a repetition if it %s', async (_what, text) => {
    const script = { ...taking, synthesis: writeDecision(text), carried: carriesAll };
    const held = await new World().makePlan({ script });
    expect(held.view.written?.spec.checks?.notCarried).toEqual([]);
  });

  it('is not marked as a repetition under edition 6 of the rules if no reader objects', async () => {
    const held = await new World().makePlan({
      script: { ...taking, synthesis: writeDecision(lost), carried: carriesAll },
      config: { prompts: 6 },
    });
    expect(held.view.written?.spec.checks?.notCarried).toEqual([]);
  });
});

describe('the sentence planted in a plan to test the reader who looks for contradictions', () => {
  const textOf = (asked: ModelRequest | undefined, at: number): string =>
    asked?.about?.heard?.find(({ from }) => from === asked.about?.items?.[at])?.text ?? '';

  it('is not a statement that a compromise has replaced', async () => {
    const held = await new World().makePlan({ script: taking });
    const lost = [...(STATEMENTS_BY_ROLE.security ?? []), ...(STATEMENTS_BY_ROLE.ux ?? [])].map(
      ({ text }) => text,
    );
    expect(lost).not.toContain(textOf(held.requests('compared')[0], 0));
    const third = await new World().makePlan({ script: taking, config: { prompts: 3 } });
    expect(lost).toContain(textOf(third.requests('compared')[0], 0));
  });

  it('is a statement that lost a conflict; if the reader misses it, a second reader gets another sentence', async () => {
    const acceptOption: Script['answer'] = (asked) =>
      makeAnswersTo(asked, (options) => options.filter((id) => id === 'ux-1'));
    const script: Script = {
      conflicts: taking.conflicts,
      answer: acceptOption,
      synthesis: taking.synthesis,
      compared: (asked) => ({
        contradictions:
          textOf(asked, 0) === STATEMENTS_BY_ROLE.security?.[0]?.text
            ? []
            : findPlantedContradiction(asked),
      }),
    };
    const held = await new World().makePlan({ script });
    const [first, second] = held.requests('compared');
    expect(textOf(first, 0)).toBe(STATEMENTS_BY_ROLE.security?.[0]?.text);
    expect(textOf(second, 0)).not.toBe(textOf(first, 0));
    expect(held.view.written?.spec.checks).toMatchObject({ compared: 'seen' });
  });
});

it('a person cannot choose an option if that gives up a statement that another question keeps', async () => {
  const script: Script = {
    conflicts: makeConflictReader([
      makeClash('How long?', ['security-1', 'ux-1'], { kind: 'trade-off' }),
      makeClash('Where?', ['ux-1', 'data-1']),
    ]),
    answer: (asked) => {
      const given = makeAnswersTo(asked, (options) =>
        options.filter((id) => isStatementOf(id, asked.seat.id)),
      );
      return {
        ...given,
        answers: given.answers.map((choice) =>
          choice.conflict === 'Q-2'
            ? { ...choice, says: 'compatible', accepts: [], why: 'both can be done in one table' }
            : choice,
        ),
      };
    },
  };
  const prompts: string[] = [];
  const answer: Answerer = async (_step, { prompt }) => {
    prompts.push(prompt);
    return { answer: prompts.length === 1 ? 'security-1' : 'ux-1', by: 'person' };
  };
  const held = await new World().makePlan({ script, config: { person: true }, answer });
  expect(prompts[1]).toContain(
    'Not taken: security-1 would give up ux-1, which is what Q-2 comes to (all say how it goes together).',
  );
  expect(deriveStandings(held.view).map(({ conflict, state }) => [conflict, state])).toEqual([
    ['Q-1', 'settled'],
    ['Q-2', 'settled'],
  ]);
  expect(held.view.statements.find(({ id }) => id === 'ux-1')?.state).toBe('live');
});

it('statements are not searched for conflicts again if some were withdrawn and none was added', async () => {
  const script: Script = {
    conflicts: taking.conflicts,
    answer: (asked) => {
      const given = makeAnswersTo(asked, (options) =>
        options.filter((id) => isStatementOf(id, asked.seat.id)),
      );
      const withdraw = [{ id: 'ux-1', why: 'the other is shorter', conflict: 'Q-1' }];
      return asked.seat.id === 'ux' && asked.about?.round === 2 ? { ...given, withdraw } : given;
    },
  };
  const listRounds = (held: Awaited<ReturnType<World['makePlan']>>): number[] =>
    held.view.examined.map(({ round }) => round);
  const now = await new World().makePlan({ script });
  expect(listRounds(now)).toEqual([1]);
  expect(now.view.written?.state).toBe('converged');
  expect(listRounds(await new World().makePlan({ script, config: { prompts: 3 } }))).toEqual([
    1, 2,
  ]);
});

it('makePlant negates a statement, instead of changing its number, if the number is 1', () => {
  const [one, other] = ['a', 'b'].map(
    (role): Statement => ({
      id: `${role}-1`,
      role,
      kind: 'constraint',
      round: 1,
      state: 'live',
      earlier: [],
      text: 'The shortest lifetime is 1 second.',
    }),
  );
  if (one === undefined || other === undefined) expect.fail();
  const plantByEdition = (edition: 3 | 4) => makePlant([one, other], 7, 'test', new Set(), edition);
  expect(plantByEdition(3)?.statement.text).toMatch(/is \d+ second\.$/);
  expect(plantByEdition(4)?.statement.text).toBe('The shortest lifetime is not 1 second.');
});

it('the spec keeps a task that claims to come after itself or an unknown task, and lists only this order as refused', async () => {
  const task = { title: 'Sweep', files: [], from: ['data-1'], test: '', doneWhen: 'swept' };
  const held = await new World().makePlan({
    script: { synthesis: () => makeSpecDraft({ tasks: [{ ...task, after: [1, 7] }] }) },
  });
  expect(readSection(held.spec, 'Tasks')).toEqual(['1. Sweep [data-1]', '   - done when: swept']);
  expect(readSection(held.spec, 'Refused')).toEqual([
    '- task 1, Sweep: that it comes after task 1 (no such task comes before it)',
    '- task 1, Sweep: that it comes after task 7 (no such task comes before it)',
  ]);
});

it('a person whose choices were refused is asked a last time, and the spec says why the choices were refused', async () => {
  const prompts: string[] = [];
  const says = {
    ...STATEMENTS_BY_ROLE,
    data: [{ text: 'Sessions live in one table.', must: true }],
  };
  const held = await new World().makePlan({
    says,
    config: { person: true },
    script: {
      conflicts: makeConflictReader(
        [makeClash('How long?', ['security-1', 'ux-1']), makeClash('Where?', ['ux-1', 'data-1'])],
        says,
      ),
    },
    answer: async (_step, { prompt }) => {
      prompts.push(prompt);
      return { answer: prompts.length === 1 ? 'ux-1' : 'data-1', by: 'person' };
    },
  });
  expect(prompts[3]).toContain('You are asked for the last time');
  expect(readSection(held.spec, 'Conflicts nobody has settled')).toContain(
    '  - Open because whatever the person chose was not taken: it would give up ux-1, which is what Q-1 comes to.',
  );
});

it('the spec lists a binding statement ("must") that was given up', async () => {
  const says = {
    ...STATEMENTS_BY_ROLE,
    ux: [{ text: 'Nobody may be asked twice in 24 hours.', must: true }],
  };
  const held = await new World().makePlan({
    says,
    config: { person: true },
    script: {
      conflicts: makeConflictReader([makeClash('How long?', ['security-1', 'ux-1'])], says),
    },
    answer: async () => ({ answer: 'security-1', by: 'person' }),
  });
  expect(readSection(held.spec, 'Given up')).toEqual([
    '- ux-1, ux, a must: Nobody may be asked twice in 24 hours. (decided by the person in Q-1: security-1 was chosen)',
  ]);
});
