/** What a round keeps of what it is handed, and what it does not: artifacts, verdicts, assessments, drift. */
import { describe, expect, it } from 'vitest';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { chooseNextLead, getAbsentRole } from '../../src/protocols/rounds/schedule.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { makeAnswer, makeFailure } from '../kernel/scripted-models.ts';
import { kindOf, makeHealthyAnswer, makePanel, runRounds } from '../protocols/panel.ts';
import {
  answerWithValue,
  listPrompts,
  listRefusals,
  runScriptedRounds,
  type Script,
} from './acting.ts';

const LEDGER = 'The ledger keeps up with three hundred orders a minute.';
const QUEUE = 'The queue fails as soon as two orders carry one number.';
const PLAN = {
  name: 'plan.md',
  text: 'The mirror lags about 40 minutes.\nNobody reads it at night.',
};

describe('the role that is left out of a round', () => {
  it.each([
    [
      'the one that a person chose, even if the schedule has another',
      { ordered: 'critic', planned: 'action', answering: 'observer' },
      'critic',
    ],
    [
      'nobody if a person chose that all roles take part',
      { ordered: null, planned: 'action', answering: 'observer' },
      undefined,
    ],
    [
      'the one in the schedule if no person chose',
      { ordered: undefined, planned: 'action', answering: 'observer' },
      'action',
    ],
    [
      'the one that a suspected failure mode suggests if the schedule has none',
      { ordered: undefined, planned: undefined, answering: 'observer' },
      'observer',
    ],
    [
      'nobody without a choice, a schedule and a suspected failure mode',
      { ordered: undefined, planned: undefined, answering: undefined },
      undefined,
    ],
  ] as const)(
    'depends on a person, the schedule and suspected failure modes, in this order: it is %s',
    (_why, wanted, absent) => {
      expect(getAbsentRole(wanted)).toBe(absent);
    },
  );
});

describe('an artifact, the written work of a role in a round,', () => {
  const handedIn = (role: string, value: object, more: object = {}) =>
    runScriptedRounds(
      {
        other: (asked, kind) => {
          if (kind !== 'artifact' || asked.seat.id !== role) return undefined;
          const answer = makeHealthyAnswer(asked);
          return answer.status === 'done'
            ? answerWithValue({ ...Object(answer.value), ...value })
            : answer;
        },
      },
      { attachments: [PLAN], ...more },
    );
  const markdownOf = (
    { view }: Awaited<ReturnType<typeof runScriptedRounds>>,
    role: string,
  ): string => view.rounds[0]?.artifacts.find((artifact) => artifact.role === role)?.markdown ?? '';

  it('is recorded without the Observer’s remark about step 42 of a walk-through that has four steps', async () => {
    const held = await handedIn('observer', {
      steps: ['one', 'two', 'three', 'four'].map((does) => ({ does, outcome: 'it works' })),
      friction: [
        { step: 4, point: 'The page is slow.', severity: 2 },
        { step: 42, point: 'The lift is stuck.', severity: 5 },
      ],
    });
    expect(markdownOf(held, 'observer')).toContain('The page is slow.');
    expect(markdownOf(held, 'observer')).not.toContain('The lift is stuck.');
    expect(listRefusals(held.view)).toEqual([
      'quotation of observer: it happens at step 42, and the walk has 4',
    ]);
    expect(held.view.rounds[0]?.refusals).toMatchObject([{ text: 'The lift is stuck.' }]);
  });

  it('is recorded with a remark on each quotation that is in none of the texts', async () => {
    const evidence = [
      { quote: 'the MIRROR lags, about 40', source: 'plan.md', bears: 'It is late.' },
      { quote: 'The mirror is always fresh', source: 'plan.md', bears: 'It is not.' },
      { quote: 'split the monolith', source: 'the question', bears: 'It was asked.' },
    ];
    const held = await handedIn('guardian', { evidence });
    const parts = markdownOf(held, 'guardian')
      .split(/^## Evidence \d+$/m)
      .slice(1);
    expect(parts.map((part) => part.includes('stand nowhere in the material'))).toEqual([
      false,
      true,
      false,
    ]);
    expect(listRefusals(held.view)).toEqual([
      'quotation of guardian: these words stand nowhere in the material',
    ]);
  });

  it('is not recorded if the answer does not fit its schema', async () => {
    const held = await runScriptedRounds({
      other: (asked, kind) =>
        kind === 'artifact' && asked.seat.id === 'critic'
          ? makeFailure('invalid-output', 'it is no JSON')
          : undefined,
    });
    expect(held.view.rounds[0]?.artifacts.map(({ role }) => role)).not.toContain('critic');
    expect(listRefusals(held.view)).toContain('call of critic: it is no JSON');
  });
});

describe('the verifier’s verdict on the artifacts of a round', () => {
  const PLACE = 'artifacts/round_1/critic.md';
  const runCiting = (
    evidence_refs: readonly string[],
    result = 'BROKEN',
    documents = false,
    notes = 'It breaks.',
  ) =>
    runScriptedRounds(
      {
        hands: (role) => (role === 'critic' ? { claims: [{ text: LEDGER }] } : undefined),
        weighs: () => [
          {
            verification: 'V-1-1',
            claim: 'C-1-1',
            makes: 'makes_false',
            covered: LEDGER,
            speaks_of: 'plan',
            why: 'so',
          },
        ],
        other: (_asked, kind) =>
          kind === 'check 1'
            ? answerWithValue({ reasoning: 'r', result, evidence_refs, notes })
            : kind.startsWith('check')
              ? answerWithValue({
                  reasoning: 'r',
                  result: 'NOT_APPLICABLE',
                  evidence_refs: [],
                  notes: 'It breaks.',
                })
              : undefined,
      },
      documents ? { attachments: [PLAN] } : {},
    );

  it('can decide claims if it cites both of the artifacts that the check compares', async () => {
    const held = await runCiting([`${PLACE}#attack-1`, 'artifacts/round_1/action.md#trace-1']);
    expect(held.view.rounds[0]?.verifications[0]).toMatchObject({ result: 'BROKEN' });
    expect(held.view.claims['C-1-1']?.status).toBe('tested_refuted');
    expect(held.models.requests.map(kindOf).filter((kind) => kind === 'check 1')).toHaveLength(1);
  });

  it.each([
    ['only one artifact', [`${PLACE}#attack-1`, `${PLACE}#attack-2`], 'no place of the action'],
    [
      'titles',
      [`${PLACE}#TITLE`, 'artifacts/round_1/action.md#TITLE'],
      'shows nothing: it is a title',
    ],
    [
      'the verdict that an artifact gives itself',
      [`${PLACE}#verdict`, 'artifacts/round_1/action.md#trace-1'],
      'shows nothing: it is a title, or a verdict on itself',
    ],
    [
      'the score that a role gives itself',
      [`${PLACE}#attack-1`, 'artifacts/round_1/action.md#self-score'],
      'shows nothing',
    ],
    ['nothing', [], 'fewer than two different places are cited'],
    [
      'lines of the document and no artifact',
      ['attachments/plan.md#L1', 'attachments/plan.md#L2'],
      'no place of the critic',
    ],
    ['lines that do not exist', [`${PLACE}#attack-1`, 'attachments/plan.md#L9'], 'does not exist'],
  ])('is asked for again, and then rejected, if it cites %s', async (_what, refs, why) => {
    // The anchor of a title is known only after the artifact was handed in, so a first run shows which
    // anchor to cite.
    const first = await runCiting(
      [`${PLACE}#attack-1`, 'artifacts/round_1/action.md#trace-1'],
      'BROKEN',
      true,
    );
    const titled = refs.map((ref) => ref.replace('TITLE', titleOf(first, ref)));
    const held = await runCiting(titled, 'BROKEN', true);
    const [verdict] = held.view.rounds[0]?.verifications ?? [];
    expect(verdict).toMatchObject({
      id: 'V-1-1',
      result: 'NOT_APPLICABLE',
      evidence_refs: [],
      degraded: expect.stringContaining(why),
    });
    expect(held.view.claims['C-1-1']).toMatchObject({ status: 'pending', moves: [] });
    expect(held.models.requests.map(kindOf).filter((kind) => kind === 'check 1')).toHaveLength(2);
    expect(held.view.rounds[0]?.refusals).toMatchObject([{ kind: 'verdict', id: 'V-1-1' }]);
    expect(listPrompts(held, 'bearings')).toEqual([]);
    expect(validateFolder(getRecordsFolder(held.store.facts(held.run))).errors).toEqual([]);
  });

  // SmolLM2-135M-Instruct gave these notes in verdicts whose reasoning was "test" and "Fyre".
  it.each(['in', '[a]barec-dj-005'])(
    'is rejected if its notes say nothing, such as a small model’s “%s”',
    async (notes) => {
      const both = [`${PLACE}#attack-1`, 'artifacts/round_1/action.md#trace-1'];
      const held = await runCiting(both, 'BROKEN', false, notes);
      expect(held.view.rounds[0]?.verifications[0]).toMatchObject({
        result: 'NOT_APPLICABLE',
        degraded: 'its notes say nothing',
      });
      expect(held.view.claims['C-1-1']).toMatchObject({ status: 'pending', moves: [] });
    },
  );

  it('needs no citations if its result is NOT_APPLICABLE', async () => {
    const held = await runCiting(['nonsense'], 'NOT_APPLICABLE');
    expect(held.view.rounds[0]?.verifications[0]).toMatchObject({
      result: 'NOT_APPLICABLE',
      evidence_refs: [],
      notes: 'It breaks.',
    });
    expect(held.view.rounds[0]?.verifications[0]).not.toHaveProperty('degraded');
  });

  it('may cite a decision as evidence by the decision’s id, such as D-1-1', async () => {
    const held = await runRounds(
      makePanel((asked, kind) => {
        if (kind === 'proposal') return makeAnswer('We propose to sell the harbor.');
        if (kind !== 'check 4') return undefined;
        return answerWithValue({
          reasoning: 'r',
          result: 'BROKEN',
          notes: 'It breaks.',
          evidence_refs: ['D-1-1', `artifacts/round_${asked.about?.round}/critic.md#attack-1`],
        });
      }),
      { rounds: 2 },
    );
    const [, check] = held.models.requests.filter((request) => kindOf(request) === 'check 4');
    expect(check).toBeUndefined();
    expect(listPrompts(held, 'check 4')[0]).toContain('We propose to sell the harbor.');
    expect(held.view.rounds[1]?.verifications.find(({ id }) => id === 'V-2-4')).toMatchObject({
      result: 'BROKEN',
      evidence_refs: ['state/decisions.jsonl#L1', 'artifacts/round_2/critic.md#attack-1'],
    });
    expect(validateFolder(getRecordsFolder(held.store.facts(held.run))).errors).toEqual([]);
  });
});

/** The anchor of an artifact's title. */
function titleOf({ view }: Awaited<ReturnType<typeof runScriptedRounds>>, ref: string): string {
  const [path] = ref.split('#');
  const markdown =
    view.rounds[0]?.artifacts.find((artifact) => artifact.path === path)?.markdown ?? '';
  const [, title = ''] = /^# (.*)$/m.exec(markdown) ?? [];
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}

describe('the lead’s assessment at the end of a round', () => {
  const makeCitation = (id: string, takes_as = 'true', relation = 'based-on') => ({
    id,
    takes_as,
    relation,
  });
  const makeDecision = (text: string, ...cites: object[]) => ({
    text,
    cites,
    conditions: [],
    made_by: 'consensus',
  });
  const runAssessments = (answers: readonly object[], more: Partial<Script> = {}) => {
    let turn = 0;
    return runScriptedRounds({
      hands: (role) =>
        role === 'critic' ? { claims: [{ text: LEDGER }, { text: QUEUE }] } : undefined,
      results: (check) => (check === 1 ? 'ROBUST' : 'UNCLEAR'),
      weighs: () => [
        {
          verification: 'V-1-1',
          claim: 'C-1-2',
          makes: 'makes_false',
          covered: QUEUE,
          speaks_of: 'plan',
          why: 'so',
        },
      ],
      other: (_asked, kind) => {
        if (kind !== 'assessment') return undefined;
        const answer = answers[Math.min(turn, answers.length - 1)] ?? {};
        turn += 1;
        if (answer instanceof Error) return makeFailure('server', answer.message);
        return answerWithValue({
          decisions: [],
          tensions: ['t'],
          architecture_impact: 'i',
          answer: 'a',
          ...answer,
        });
      },
      ...more,
    });
  };
  /**
   * A script in which the critic's claim about the queue says that the queue fails. A verdict that the plan
   * holds therefore refutes the claim.
   */
  const FAILING = {
    hands: (role: string) =>
      role === 'critic'
        ? { claims: [{ text: LEDGER }, { text: QUEUE, says: 'fails' as const }] }
        : undefined,
  };

  it('is recorded with its valid decision, and the reason why its other decision was refused', async () => {
    const held = await runAssessments([
      {
        decisions: [
          makeDecision('It stands.', makeCitation('C-1-1')),
          makeDecision('It falls.', makeCitation('C-9-9')),
        ],
      },
    ]);
    const [round] = held.view.rounds;
    expect(round?.decisions).toMatchObject([
      {
        id: 'D-1-1',
        text: 'It stands.',
        cites: [{ type: 'claim', id: 'C-1-1', takes_as: 'true' }],
      },
    ]);
    expect(round?.refused).toMatchObject([
      { text: 'It falls.', why: 'it cites C-9-9, which does not exist' },
    ]);
    expect(round).toMatchObject({ closed: true, tensions: ['t'], answer: 'a' });
    expect(listPrompts(held, 'assessment')).toHaveLength(2);
    expect(listPrompts(held, 'assessment')[1]).toContain('"It falls.": it cites C-9-9');
  });

  it('is asked for again if a decision is invalid, and a better second answer replaces the first', async () => {
    const held = await runAssessments([
      { decisions: [makeDecision('It falls.', makeCitation('C-9-9'))] },
      { decisions: [makeDecision('It stands.', makeCitation('C-1-1'))], answer: 'b' },
    ]);
    expect(held.view.rounds[0]?.decisions).toMatchObject([{ id: 'D-1-1', text: 'It stands.' }]);
    expect(held.view.rounds[0]).toMatchObject({ refused: [], answer: 'b' });
  });

  it('is recorded with the valid decisions of the first answer if the second call fails', async () => {
    const held = await runAssessments([
      {
        decisions: [
          makeDecision('It stands.', makeCitation('C-1-1')),
          makeDecision('It falls.', makeCitation('C-9-9')),
        ],
      },
      new Error('HTTP 500'),
    ]);
    expect(held.view.rounds[0]?.decisions).toMatchObject([{ text: 'It stands.' }]);
    expect(held.view.rounds[0]).toMatchObject({ closed: true, refused: [{ text: 'It falls.' }] });
    expect(listRefusals(held.view)).toContain('call of action: HTTP 500');
  });

  it.each([
    [
      'takes a refuted claim as true',
      [makeCitation('C-1-2')],
      'it takes C-1-2 as true, which was refuted',
    ],
    [
      'cites nothing except what it supersedes',
      [makeCitation('C-1-1', 'true', 'supersedes')],
      'it cites nothing that carries it',
    ],
    ['cites nothing', [], 'it cites nothing that carries it'],
    [
      'cites a claim and a decision that do not exist',
      [makeCitation('C-9-9'), makeCitation('D-9-9')],
      'it cites C-9-9, D-9-9, which do',
    ],
    [
      'cites “constructor”, a property of every object',
      [makeCitation('constructor')],
      'it cites constructor, which does not',
    ],
  ])('is recorded without a decision that %s', async (_what, cites, why) => {
    const { view } = await runAssessments(
      [{ decisions: [makeDecision('It falls.', ...cites)] }],
      FAILING,
    );
    expect(view.rounds[0]?.decisions).toEqual([]);
    expect(view.rounds[0]?.refused).toMatchObject([{ why: expect.stringContaining(why) }]);
  });

  it('can contain a decision that takes a refuted claim as false', async () => {
    const decision = {
      ...makeDecision('Do it, if the ledger keeps up.', makeCitation('C-1-2', 'false')),
      conditions: ['C-1-1', 'V-1-1', 'C-9-9'],
    };
    const { view } = await runAssessments([{ decisions: [decision] }], FAILING);
    expect(view.rounds[0]?.decisions).toMatchObject([
      { cites: [{ id: 'C-1-2', takes_as: 'false' }], conditions: ['C-1-1'] },
    ]);
  });

  it('is recorded with at most three decisions', async () => {
    const good = [1, 2, 3, 4].map((at) => makeDecision(`Number ${at}.`, makeCitation('C-1-1')));
    const { view } = await runAssessments([{ decisions: ['no decision', ...good] }]);
    expect(view.rounds[0]?.decisions.map(({ id }) => id)).toEqual(['D-1-1', 'D-1-2', 'D-1-3']);
    expect(view.rounds[0]?.refused.map(({ why }) => why)).toEqual([
      'it lacks what a decision needs',
      'a round takes 3 decisions at most',
    ]);
  });

  it('is recorded with its decisions even if its list of conflicts is invalid', async () => {
    const { view } = await runAssessments([
      {
        decisions: [makeDecision('It stands.', makeCitation('C-1-1'))],
        tensions: 'none',
        architecture_impact: 7,
      },
    ]);
    expect(view.rounds[0]).toMatchObject({
      decisions: [{ text: 'It stands.' }],
      tensions: [],
      impact: '',
      closed: true,
    });
  });

  it('is recorded with an answer of at most 300 words, which the next proposal’s prompt quotes', async () => {
    const held = await runScriptedRounds(
      { assesses: () => ({ decisions: [], answer: 'word '.repeat(1_000) }) },
      { rounds: 2 },
    );
    const words = held.view.rounds[0]?.answer?.split(' ') ?? [];
    expect(words).toHaveLength(301);
    expect(words.at(-1)).toBe('…');
    const short = await runScriptedRounds(
      { assesses: () => ({ decisions: [], answer: 'Split it in May.' }) },
      { rounds: 2 },
    );
    expect(listPrompts(short, 'proposal')[1]).toContain('Split it in May.');
  });

  it('is recorded without decisions if the answer does not fit its schema twice', async () => {
    const held = await runScriptedRounds({
      other: (_asked, kind) =>
        kind === 'assessment' ? makeAnswer('prose', { value: 'prose' }) : undefined,
    });
    expect(held.status).toBe('done');
    expect(held.view.rounds[0]).toMatchObject({ closed: true, decisions: [], tensions: [] });
    expect(listPrompts(held, 'assessment')).toHaveLength(2);
  });
});

describe('a check for drift from the question', () => {
  it.each([
    ['PASS', 1, 'PASS'],
    ['PASS', 2, 'PASS'],
    ['PASS', 3, 'FAIL'],
    ['PASS', 5, 'FAIL'],
    ['PARTIAL', 4, 'PARTIAL'],
    ['FAIL', 1, 'FAIL'],
  ])(
    'with the answer %s and a deviation of %s (of 5) is recorded as %s',
    async (verdict, deviation_score, recorded) => {
      const { view } = await runScriptedRounds(
        {
          other: (_asked, kind) =>
            kind === 'drift'
              ? answerWithValue({ verdict, deviation_score, notes: 'n' })
              : undefined,
        },
        { driftEvery: 1 },
      );
      expect(view.rounds[0]?.drift).toMatchObject({ verdict: recorded, deviation_score });
      const said =
        verdict === recorded ? 'n' : `Said to PASS with a deviation of ${deviation_score}`;
      expect(view.rounds[0]?.drift?.notes).toContain(said);
    },
  );
});

describe('the records of a round', () => {
  it('are validated in each round before the lead decides', async () => {
    const { store, run } = await runScriptedRounds({}, { rounds: 2, attachments: [PLAN] });
    const facts = store.facts(run);
    expect(listFactsOfType(facts, 'records.checked')).toMatchObject([
      { round: 1, errors: [] },
      { round: 2, errors: [] },
    ]);
    for (const round of [1, 2]) {
      const seqOf = (phase: string) =>
        listFactsOfType(facts, 'phase.entered').find(
          (fact) => fact.round === round && fact.phase === phase,
        )?.seq ?? 0;
      const checked =
        listFactsOfType(facts, 'records.checked').find((fact) => fact.round === round)?.seq ?? 0;
      expect(checked).toBeGreaterThan(seqOf('F'));
      expect(checked).toBeLessThan(seqOf('G'));
    }
  });

  it('with errors make the run fail before the lead makes decisions', async () => {
    const invisible = '\u200b';
    const broken = await runRounds(makePanel(), {
      rounds: 2,
      changes: [{ kind: 'claim', from: 'round-1/G', claim: 'C-1-1', text: invisible }],
    });
    expect(broken.status).toBe('failed');
    const facts = broken.store.facts(broken.run);
    const checked = listFactsOfType(facts, 'records.checked').at(-1);
    expect(checked).toMatchObject({
      round: 2,
      errors: ['state/claims.jsonl C-1-1: C-1-1 says nothing'],
    });
    const last = listFactsOfType(facts, 'phase.entered').at(-1);
    expect(last).toMatchObject({ round: 2, phase: 'F' });
    expect(listFactsOfType(facts, 'run.ended').at(-1)?.reason).toBe(
      'in round 2 the records do not hold together: state/claims.jsonl C-1-1: C-1-1 says nothing',
    );
  });
});

describe('the choice of the role that leads a round', () => {
  it('lets the roles take turns, counting stress rounds as well', async () => {
    const roles = ['action', 'guardian', 'observer', 'critic'] as const;
    const led: (typeof roles)[number][] = [];
    const isStress = (round: number) => round % 3 === 0;
    for (let round = 1; round <= 12; round++)
      led.push(chooseNextLead(led, isStress(round) ? 'critic' : undefined));
    const countLeads = (role: string) => led.filter((lead) => lead === role).length;
    expect(roles.map((role) => `${role} ${countLeads(role)}`)).toEqual([
      'action 4',
      'guardian 3',
      'observer 3',
      'critic 2',
    ]);
    expect(chooseNextLead(['action', 'guardian', 'observer'], 'critic')).toBe('action');
    const { view } = await runScriptedRounds(
      {},
      { rounds: 4, stress: { 1: 'action', 2: 'guardian' } },
    );
    expect(view.rounds.map(({ lead }) => lead)).toEqual([
      'guardian',
      'action',
      'observer',
      'critic',
    ]);
  });
});
