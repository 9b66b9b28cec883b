/**
 * What a decision is held to since the sixth rules. The assessments are those that a chain of sentences gave
 * on real servers of Ollama and llama.cpp: whole sentences that say nothing, in a form that is right.
 */
import { describe, expect, it } from 'vitest';
import type { DecisionView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { makeFailure } from '../kernel/scripted-models.ts';
import { type FinishedRounds, makeHealthyAnswer } from '../protocols/panel.ts';
import { answerWithValue, listPrompts, type RoleSubmission, runScriptedRounds } from './acting.ts';

const LEDGER = 'The ledger keeps up with forty requests a second while both systems run.';
const QUEUE = 'A queue between the systems loses no order when one of them is restarted.';

const CLAIMS: Readonly<Record<string, string>> = { critic: LEDGER, guardian: QUEUE };
const TESTS: Readonly<Record<string, string>> = {
  critic: 'Run both for a day under load and compare what each has booked.',
  action: 'Restart both systems in turn for an hour and count the orders that are left.',
  guardian: 'Restart either side a hundred times and count the messages that arrive.',
};

/** Verdicts of artifacts that object to nothing. */
const CONTENT = { guardian: 'PASS', critic: 'ROBUST', observer: 'yes' };

interface Assessed {
  /** The decisions that the lead hands in each time it is asked, by round. */
  readonly decisions: readonly (readonly object[])[];
  readonly verdicts?: Partial<typeof CONTENT>;
  readonly concedes?: RoleSubmission['concedes'];
  readonly rules?: RoundsConfig['rules'];
  /** Roles that hand nothing in. */
  readonly silent?: readonly string[];
}

/** Holds a round for each list of decisions. C-1-1 is a claim of the guardian, C-1-2 one of the critic. */
function runAssessments(given: Assessed): Promise<FinishedRounds> {
  const { decisions, verdicts = {}, concedes = [], rules = 6, silent = [] } = given;
  const says: Readonly<Record<string, string>> = { ...CONTENT, ...verdicts };
  return runScriptedRounds(
    {
      results: () => 'UNCLEAR',
      other: (asked, kind) => {
        const round = asked.about?.round ?? 1;
        if (kind === 'assessment')
          return answerWithValue({
            decisions: decisions[round - 1] ?? [],
            tensions: [],
            architecture_impact: 'Every seat.',
            answer: 'Every seat.',
          });
        if (kind !== 'artifact') return undefined;
        const role = asked.seat.id;
        if (silent.includes(role)) return makeFailure('server', 'HTTP 500');
        const sound = makeHealthyAnswer(asked);
        const claim = { ...CLAIMS, ...(silent.length > 0 ? { action: QUEUE } : {}) }[role];
        return answerWithValue({
          ...(sound.status === 'done' ? Object(sound.value) : {}),
          ...(role === 'observer' ? { goal_reached: says[role] } : { verdict: says[role] }),
          claims:
            claim === undefined || round > 1
              ? []
              : [
                  {
                    text: claim,
                    decided_by: 'running',
                    says: 'holds',
                    about: 'plan',
                    if_false: 'The answer would be no.',
                    replaces: '',
                    testable_as: TESTS[role],
                  },
                ],
          concedes: role === 'critic' && round > 1 ? concedes : [],
          disputes: [],
        });
      },
    },
    { rounds: decisions.length, rules },
  );
}

function decisionsIn({ view }: FinishedRounds): DecisionView[] {
  return view.rounds.flatMap(({ decisions }) => decisions);
}

function refusalsOf({ view }: FinishedRounds): string[] {
  return view.rounds.flatMap(({ refused }) => refused.map(({ why }) => why));
}

const makeCitation = (id: string, takes_as: string, relation = 'based-on') => ({
  id,
  relation,
  takes_as,
});

/** A decision as Ollama's server answered, beside a critic whose verdict was BROKEN. */
const CONSENSUS = {
  text: 'An end in the same log finished the part is no model has one more than its server that failed, are asked once for the first one line over it rests on the next round without each in it takes the server refused the part of them two with the plan has no id id..',
  cites: [makeCitation('C-1-1', 'true')],
  conditions: [],
  made_by: 'consensus',
};
/** As llama.cpp's server answered in a round in which nobody conceded anything. */
const CONCESSION = {
  text: 'Its own in its own words that is no requirement, the seats in the part that they answer was cut after round the first answers are counted shows it.',
  cites: [makeCitation('C-1-2', 'false')],
  conditions: ['C-1-1'],
  made_by: 'adversary_concession',
};
/** The same claim in two ways, as llama.cpp's server answered. */
const BOTH_WAYS = {
  text: 'Write files and is not the model for this seat is taken over the run has no such folder list the program that is in the same command without it is on the same with their own configuration folder.',
  cites: [makeCitation('C-1-2', 'false'), makeCitation('C-1-2', 'true')],
  conditions: [],
  made_by: 'round_lead',
};

describe('the field “made_by” of a decision, which the lead states and code corrects,', () => {
  it.each([
    ['the critic finds the proposal broken', { critic: 'BROKEN' }],
    ['the guardian finds that the invariant fails', { guardian: 'FAIL' }],
    ['the observer does not reach the goal', { observer: 'no' }],
  ])('is “round_lead” instead of the stated “consensus” if %s', async (_what, verdicts) => {
    const held = await runAssessments({ decisions: [[CONSENSUS]], verdicts });
    expect(decisionsIn(held)).toMatchObject([{ text: CONSENSUS.text, made_by: 'round_lead' }]);
  });

  it('is “round_lead” if no other role handed in an artifact', async () => {
    const silent = ['guardian', 'critic', 'observer'];
    const held = await runAssessments({ decisions: [[CONSENSUS]], silent });
    expect(decisionsIn(held)).toMatchObject([{ made_by: 'round_lead' }]);
  });

  it('is “consensus” if other roles handed in artifacts and none objects', async () => {
    const held = await runAssessments({ decisions: [[CONSENSUS]] });
    expect(decisionsIn(held)).toMatchObject([{ made_by: 'consensus' }]);
  });

  it('is “round_lead” instead of the stated “adversary_concession” if nobody withdrew a claim', async () => {
    const held = await runAssessments({ decisions: [[CONCESSION]] });
    expect(decisionsIn(held)).toMatchObject([{ made_by: 'round_lead' }]);
  });

  it('is “adversary_concession” if the Critic withdrew a claim in the same round', async () => {
    const conceded = { ...CONCESSION, cites: [makeCitation('C-1-1', 'true')], conditions: [] };
    const held = await runAssessments({ decisions: [[], [conceded]], concedes: ['C-1-2'] });
    expect(decisionsIn(held)).toMatchObject([{ made_by: 'adversary_concession' }]);
  });
});

describe('a decision worded like an earlier decision', () => {
  it('is refused, with the id of the earlier decision, if the words are the same', async () => {
    const held = await runAssessments({ decisions: [[CONSENSUS], [CONSENSUS], [CONSENSUS]] });
    expect(decisionsIn(held).map(({ id }) => id)).toEqual(['D-1-1']);
    expect(refusalsOf(held)).toEqual([
      'D-1-1 says the same already',
      'D-1-1 says the same already',
    ]);
    expect(listPrompts(held, 'assessment')).toHaveLength(3);
  });

  it('is accepted if one meaningful word is different', async () => {
    const text =
      'Write down what would count as failure of the release, and have it signed by Ann.';
    const cites = [makeCitation('C-1-1', 'true')];
    const first = { ...CONSENSUS, text, cites };
    const second = { ...first, text: text.replace('release', 'ledger') };
    const held = await runAssessments({ decisions: [[first], [second]] });
    expect(decisionsIn(held).map(({ id }) => id)).toEqual(['D-1-1', 'D-2-1']);
  });

  it('is refused if the earlier decision has the same words and is in the same answer', async () => {
    const held = await runAssessments({ decisions: [[CONSENSUS, CONSENSUS]] });
    expect(decisionsIn(held)).toHaveLength(1);
    expect(refusalsOf(held)).toEqual(['D-1-1 says the same already']);
  });

  it('is accepted, even with the same words, if the earlier decision was superseded', async () => {
    const other = {
      ...CONCESSION,
      cites: [...CONCESSION.cites, makeCitation('D-1-1', 'true', 'supersedes')],
    };
    const held = await runAssessments({ decisions: [[CONSENSUS], [other], [CONSENSUS]] });
    expect(decisionsIn(held).map(({ id }) => id)).toEqual(['D-1-1', 'D-2-1', 'D-3-1']);
  });
});

describe('a decision that rests on an undecided claim', () => {
  it('is refused if it takes the claim both as true and as false', async () => {
    const held = await runAssessments({ decisions: [[BOTH_WAYS]] });
    expect(decisionsIn(held)).toEqual([]);
    expect(refusalsOf(held)).toEqual(['it takes C-1-2 both as true and as false']);
    expect(listPrompts(held, 'assessment')[1]).toContain(
      'it takes C-1-2 both as true and as false',
    );
  });

  it.each([
    [
      'of the same answer',
      [[CONCESSION, { ...CONSENSUS, cites: [makeCitation('C-1-2', 'true')] }]],
    ],
    [
      'of an earlier round',
      [[CONCESSION], [{ ...CONSENSUS, cites: [makeCitation('C-1-2', 'true')] }]],
    ],
  ])(
    'is refused if it takes the claim as true and another decision %s takes the claim as false',
    async (_what, decisions) => {
      const held = await runAssessments({ decisions });
      expect(decisionsIn(held).map(({ id }) => id)).toEqual(['D-1-1']);
      expect(refusalsOf(held)).toEqual([
        'it takes C-1-2 as true, and D-1-1 takes it as false; a decision that overturns D-1-1 cites it with "supersedes"',
      ]);
    },
  );

  it('is accepted if it supersedes the earlier decision that takes the claim the opposite way', async () => {
    const cites = [makeCitation('C-1-2', 'true'), makeCitation('D-1-1', 'true', 'supersedes')];
    const held = await runAssessments({ decisions: [[CONCESSION], [{ ...CONSENSUS, cites }]] });
    expect(decisionsIn(held).map(({ id }) => id)).toEqual(['D-1-1', 'D-2-1']);
  });
});

describe('a citation by which a decision would supersede a claim', () => {
  it('is dropped, because decisions can only supersede decisions', async () => {
    const cites = [makeCitation('C-1-2', 'true'), makeCitation('C-1-1', 'true', 'supersedes')];
    const held = await runAssessments({ decisions: [[{ ...CONSENSUS, cites }]] });
    expect(decisionsIn(held)[0]?.cites).toEqual([
      { type: 'claim', id: 'C-1-2', relation: 'based-on', takes_as: 'true' },
    ]);
  });
});

describe('a run under edition 5 of the rules', () => {
  it('accepts decisions that edition 6 refuses, and does not correct their field “made_by”', async () => {
    const decisions = [[CONSENSUS, CONCESSION, BOTH_WAYS], [CONSENSUS]];
    const held = await runAssessments({ decisions, verdicts: { critic: 'BROKEN' }, rules: 5 });
    expect(decisionsIn(held).map(({ id, made_by }) => `${id} ${made_by}`)).toEqual([
      'D-1-1 consensus',
      'D-1-2 adversary_concession',
      'D-1-3 round_lead',
      'D-2-1 consensus',
    ]);
    expect(refusalsOf(held)).toEqual([]);
  });
});

describe('a decision that says nothing, or that rests on nothing', () => {
  it('is refused if it is a single word', async () => {
    // SmolLM2-135M-Instruct brought one round to its end, and “True” was its only decision in that round.
    const word = { ...CONSENSUS, text: 'True' };
    const held = await runAssessments({ decisions: [[word]] });
    expect(decisionsIn(held)).toEqual([]);
    expect(refusalsOf(held)).toEqual(['it is a word and no sentence']);
    expect(decisionsIn(await runAssessments({ decisions: [[word]], rules: 5 }))).toHaveLength(1);
  });

  it('is refused if it cites only verdicts that had nothing to examine', async () => {
    // V-1-4 is the fourth check of round 1. It compares the artifacts with earlier decisions, and before the first
    // round there are none.
    const empty = { ...CONSENSUS, cites: [makeCitation('V-1-4', 'true')] };
    const held = await runAssessments({ decisions: [[empty]] });
    expect(decisionsIn(held)).toEqual([]);
    expect(refusalsOf(held)).toEqual(['it rests on V-1-4, which had nothing to examine']);
    const both = {
      ...CONSENSUS,
      cites: [makeCitation('V-1-4', 'true'), makeCitation('C-1-1', 'true')],
    };
    expect(decisionsIn(await runAssessments({ decisions: [[both]] }))).toHaveLength(1);
  });
});
