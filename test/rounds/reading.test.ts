/** Settling claims by reading: what a finding has to show before it moves a claim. */
import { describe, expect, it } from 'vitest';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { makeAnswer, makeFailure } from '../kernel/scripted-models.ts';
import {
  answerWithValue,
  type Finding,
  getClaim,
  listPrompts,
  listRefusals,
  runScriptedRounds,
  type Script,
} from './acting.ts';

const PLAN = {
  name: 'plan.md',
  text: [
    'The standby lags about 40 minutes behind the leader.',
    'The standby is read by nobody while the leader answers.',
    'The leader takes 300 orders a minute at noon.',
  ].join('\n'),
};
const answerWithoutForm = () =>
  makeAnswer('I would rather talk.', { value: 'I would rather talk.' });
const DOCS = { attachments: [PLAN] };
/** Sentences that nothing else there puts in doubt, so that controls can be made of them. */
const HOUSE = {
  name: 'house.md',
  text: 'A guard walks through the halls 4 times before breakfast.\nThe roof was painted in 14 colors last spring.',
};
const WITH_HOUSE = { attachments: [PLAN, HOUSE] };
const LOST = 'A fail-over at noon would lose some twelve thousand orders.';
const FRESH = 'After a fail-over every order can be found at once.';
const BACK = 'Nothing tells how to go back once the leader is gone.';

/**
 * Runs rounds in which the observer makes one claim in round 1, the reader finds `finding` about it, and the
 * second look agrees.
 */
function runReading(
  text: string,
  finding: Finding,
  more: Partial<Script> & { readonly claim?: object } = {},
  config: Partial<RoundsConfig> = DOCS,
) {
  return runScriptedRounds(
    {
      hands: (role, round) =>
        role === 'observer' && round === 1 ? { claims: [{ text, ...more.claim }] } : undefined,
      reads: (statement) => (statement === text ? finding : undefined),
      looks: () => (finding.finding === 'true_in_text' ? 'true' : 'false'),
      ...more,
    },
    config,
  );
}

const QUOTES = ['lags about 40 minutes behind', 'takes 300 orders a minute'];
const REFUTES: Finding = { finding: 'false_in_text', quotes: QUOTES, why: '40 × 300 = 12,000' };

describe('a reading, in which a model decides a claim from the documents,', () => {
  it('refutes a claim that the documents contradict', async () => {
    const { view, store, run } = await runReading(FRESH, REFUTES);
    const claim = getClaim(view, FRESH);
    expect(claim).toMatchObject({
      status: 'tested_refuted',
      moves: [
        {
          from: 'pending',
          to: 'tested_refuted',
          verification: 'V-1-5',
          basis: 'read',
          stance: 'attacks',
          bearing: 'whole',
          why: '40 × 300 = 12,000',
          refs: ['attachments/plan.md#L1', 'attachments/plan.md#L3', 'state/claims.jsonl#L1'],
          quotes: [
            { text: QUOTES[0], ref: 'attachments/plan.md#L1' },
            { text: QUOTES[1], ref: 'attachments/plan.md#L3' },
          ],
        },
      ],
    });
    const [round] = view.rounds;
    expect(round?.verifications.find(({ id }) => id === 'V-1-5')).toMatchObject({
      check: 'settled_by_reading',
      result: 'ROBUST',
      evidence_refs: ['attachments/plan.md#L1', 'attachments/plan.md#L3', 'state/claims.jsonl#L1'],
    });
    expect(round?.findings).toMatchObject([
      { claim: claim.id, finding: 'false_in_text', second: 'false', counts: true },
    ]);
    expect(validateFolder(getRecordsFolder(store.facts(run))).errors).toEqual([]);
  });

  it('confirms a claim about a failure if the documents say that the failure occurs', async () => {
    const finding = { ...REFUTES, finding: 'true_in_text' };
    const { view } = await runReading(LOST, finding, { claim: { says: 'fails' } });
    expect(getClaim(view, LOST)).toMatchObject({
      status: 'tested_confirmed',
      moves: [{ stance: 'upholds', basis: 'read' }],
    });
  });

  it.each([
    ['quotes nothing', { finding: 'true_in_text' }, 'it quotes nothing'],
    [
      'quotes words that no document contains',
      { finding: 'true_in_text', quotes: ['The standby is always up to date.'] },
      'nothing that it quotes stands in the text',
    ],
    [
      'quotes no more than two words',
      { finding: 'true_in_text', quotes: ['The standby'] },
      'nothing that it',
    ],
    [
      'decides a part of the claim',
      { finding: 'partly', covered: 'after a fail-over' },
      'the text decides only this of it: after a fail-over',
    ],
    [
      'says that it takes a test',
      { finding: 'needs_a_test', why: 'Only a drill shows it.' },
      'Only a drill',
    ],
    [
      'says that the text is silent about it',
      { finding: 'absent' },
      'the text does not speak of it',
    ],
    [
      'says that a word is missing which a document contains',
      {
        finding: 'absent',
        absence_makes_it: 'false',
        sought: ['rollback', 'restore', 'standby'],
      },
      'it was said to be absent, but "standby" stands at attachments/plan.md#L1',
    ],
    [
      'names two missing words instead of three',
      { finding: 'absent', absence_makes_it: 'false', sought: ['rollback', ' rollback ', 'undo'] },
      'fewer than 3 words were looked for',
    ],
    [
      'names a punctuation mark instead of a third missing word',
      { finding: 'absent', absence_makes_it: 'false', sought: ['rollback', 'undo', '…'] },
      'fewer than 3 words were looked for',
    ],
    [
      'concludes from missing words the opposite of what code concludes',
      { finding: 'absent', absence_makes_it: 'true', sought: ['rollback', 'undo', 'revert'] },
      'not what the claim says of itself',
    ],
  ] as const)('leaves the claim open if the reader’s answer %s', async (_what, finding, why) => {
    const held = await runReading(FRESH, finding);
    expect(getClaim(held.view, FRESH)).toMatchObject({ status: 'pending', moves: [] });
    const [round] = held.view.rounds;
    expect(round?.findings).toMatchObject([
      { finding: finding.finding, counts: false, why: expect.stringContaining(why) },
    ]);
    expect(round?.findings[0]).not.toHaveProperty('second');
    expect(round?.verifications.map(({ check }) => check)).not.toContain('settled_by_reading');
    // If a finding cannot decide the claim, the reader is not asked for a second look.
    expect(listPrompts(held, 'second-look')).toEqual([]);
  });

  it('confirms that something is missing, and cites all lines, if none of three search words occurs', async () => {
    const finding = {
      finding: 'absent',
      absence_makes_it: 'true',
      why: 'There is no such part.',
      sought: ['rollback', 'undo', 'revert'],
    };
    const held = await runReading(BACK, finding, { claim: { says: 'fails' }, looks: () => 'true' });
    expect(getClaim(held.view, BACK)).toMatchObject({
      status: 'tested_confirmed',
      moves: [
        {
          refs: ['attachments/plan.md#L1-L3', 'state/claims.jsonl#L1'],
          why: 'not in the text: rollback, undo, revert. There is no such part.',
        },
      ],
    });
    expect(listPrompts(held, 'second-look')[0]).toContain('do not occur: rollback, undo, revert');
  });

  it('cites no empty attachment, and is not made if all attachments are empty', async () => {
    const script: Script = {
      hands: (role, round) =>
        role === 'observer' && round === 1
          ? { claims: [{ text: BACK, says: 'fails' }] }
          : undefined,
      reads: (statement) =>
        statement === BACK
          ? {
              finding: 'absent',
              absence_makes_it: 'true',
              why: '',
              sought: ['rollback', 'undo', 'revert'],
            }
          : undefined,
      looks: () => 'true',
    };
    const empty = { name: 'empty.md', text: '' };
    const beside = await runScriptedRounds(script, { attachments: [PLAN, empty] });
    expect(getClaim(beside.view, BACK).moves[0]?.refs).toEqual([
      'attachments/plan.md#L1-L3',
      'state/claims.jsonl#L1',
    ]);
    expect(validateFolder(getRecordsFolder(beside.store.facts(beside.run))).errors).toEqual([]);
    // If the only attachment is empty, no reader is asked.
    const alone = await runScriptedRounds(script, { attachments: [empty] });
    expect(listPrompts(alone, 'reading')).toEqual([]);
    expect(getClaim(alone.view, BACK)).toMatchObject({ status: 'pending', moves: [] });
  });

  it('keeps the reader’s real quotations and drops invented ones', async () => {
    const finding = { ...REFUTES, quotes: ['It is always up to date.', ...QUOTES] };
    const { view } = await runReading(FRESH, finding);
    expect(getClaim(view, FRESH).moves[0]?.quotes).toHaveLength(2);
  });

  it('has no effect if the reader gives two contradictory answers about the claim', async () => {
    const { view } = await runReading(FRESH, REFUTES, {
      other: (asked, kind) => {
        if (kind !== 'reading') return undefined;
        const both = ['true_in_text', 'false_in_text'].flatMap((finding) =>
          [1, 2, 3, 4].map((item) => ({
            item,
            finding,
            quotes: QUOTES,
            sought: [],
            absence_makes_it: 'undecided',
            covered: '',
            why: asked.seat.id,
          })),
        );
        return answerWithValue({ findings: both });
      },
    });
    expect(getClaim(view, FRESH).status).toBe('pending');
    expect(view.rounds[0]?.findings).toEqual([]);
  });
});

describe('the second look, which sees no more than a claim and the reader’s quotations,', () => {
  it.each(['true', 'undecided'] as const)(
    'leaves the claim open if its answer is “%s” and the reader’s answer was “false”',
    async (second) => {
      const { view } = await runReading(FRESH, REFUTES, { looks: () => second });
      expect(getClaim(view, FRESH).status).toBe('pending');
      expect(view.rounds[0]?.findings).toMatchObject([
        {
          second,
          counts: false,
          why: `a second look at the same words finds it ${second}, not false. 40 × 300 = 12,000`,
        },
      ]);
    },
  );

  it('is not shown the claim’s id and role, the question, or the reader’s answer', async () => {
    const held = await runReading(FRESH, REFUTES);
    const [prompt = ''] = listPrompts(held, 'second-look');
    for (const shown of [FRESH, ...QUOTES]) expect(prompt).toContain(shown);
    for (const hidden of ['C-1-1', 'observer', 'behind the leader.', 'monolith', 'false_in_text'])
      expect(prompt).not.toContain(hidden);
  });

  it('leaves the claim open if its call fails', async () => {
    const { view, status } = await runReading(FRESH, REFUTES, {
      other: (_asked, kind) =>
        kind === 'second-look' ? makeFailure('server', 'HTTP 500') : undefined,
    });
    expect(status).toBe('done');
    expect(getClaim(view, FRESH).status).toBe('pending');
    expect(view.rounds[0]?.findings[0]?.why).toContain('finds it unanswered');
  });

  it('is repeated by another model if the seat that raised the claim says that a test has to decide it', async () => {
    const models: string[] = [];
    const runLook = (again: 'true' | 'false') =>
      runReading(FRESH, REFUTES, {
        claim: { decided_by: 'running' },
        looks: (_statement, asked) => {
          models.push(asked.seat.model);
          return asked.seat.model === 'test/verifier' ? 'false' : again;
        },
      });
    expect(getClaim((await runLook('false')).view, FRESH).status).toBe('tested_refuted');
    expect(models).toEqual(['test/verifier', 'test/a']);
    const { view } = await runLook('true');
    expect(getClaim(view, FRESH).status).toBe('pending');
    expect(view.rounds[0]?.findings).toMatchObject([{ second: 'true', counts: false }]);
  });

  it('is repeated for such a claim by the same model, with another seed, if no other model may read', async () => {
    const seeds: unknown[] = [];
    await runReading(FRESH, REFUTES, {
      claim: { decided_by: 'running' },
      looks: (_statement, asked) => {
        seeds.push([asked.seat.model, asked.seed]);
        return 'false';
      },
      other: (asked, kind) =>
        kind === 'exam' && asked.seat.model !== 'test/verifier'
          ? makeFailure('server', 'HTTP 500')
          : undefined,
    });
    expect(seeds).toEqual([
      ['test/verifier', 7],
      ['test/verifier', 8],
    ]);
  });
});

describe('a claim that a reader has examined', () => {
  const runTwice = (second: Script['hands']) =>
    runScriptedRounds(
      {
        hands: (role, round) =>
          round === 1 && role === 'observer'
            ? { claims: [{ text: FRESH }] }
            : second?.(role, round),
        reads: (statement) => (statement === FRESH ? REFUTES : undefined),
        looks: (_statement, asked) =>
          JSON.stringify(asked.messages).includes('read by nobody') ? 'true' : 'false',
      },
      { ...DOCS, rounds: 2 },
    );

  it('is not read again in the next round, even if it is still open', async () => {
    const held = await runScriptedRounds(
      {
        hands: (role, round) =>
          role === 'observer' ? { claims: [{ text: round === 1 ? FRESH : LOST }] } : undefined,
      },
      { ...DOCS, rounds: 2 },
    );
    const [, second = ''] = listPrompts(held, 'reading');
    expect(second).toContain(LOST);
    expect(second.split('Statements:').at(-1)).not.toContain(FRESH);
  });

  it('is read again if a role disputes the result with a new quotation from the documents', async () => {
    const disputes = [{ claim: 'C-1-1', quotation: 'The standby is read by nobody' }];
    const held = await runTwice((role) => (role === 'critic' ? { disputes } : undefined));
    // The two readings differ. Their bases are equal, so the later one counts.
    expect(getClaim(held.view, FRESH)).toMatchObject({
      status: 'tested_confirmed',
      moves: [{ to: 'tested_refuted' }, { to: 'tested_confirmed', basis: 'read' }],
    });
    const looks = listPrompts(held, 'second-look').filter((prompt) =>
      prompt.includes('read by nobody'),
    );
    expect(looks).toHaveLength(2);
    for (const prompt of looks) expect(prompt).toContain(QUOTES[0]);
  });

  it('is checked after a dispute by a second look that is told which words the reader searched for in vain', async () => {
    const sought = ['revert', 'undo', 'restore'];
    const disputes = [{ claim: 'C-1-1', quotation: 'The standby is read by nobody' }];
    const runDispute = (rules: 3 | 4) =>
      runScriptedRounds(
        {
          hands: (role, round) =>
            round === 1
              ? role === 'observer'
                ? { claims: [{ text: BACK, says: 'fails' }] }
                : undefined
              : { ...(role === 'critic' ? { disputes } : {}) },
          reads: (statement) =>
            statement === BACK
              ? { finding: 'absent', sought, absence_makes_it: 'true' }
              : undefined,
          looks: (_statement, asked) =>
            JSON.stringify(asked.messages).includes('undo') ? 'true' : 'false',
        },
        { ...DOCS, rounds: 2, rules },
      );
    const now = await runDispute(4);
    const look = listPrompts(now, 'second-look').findLast((prompt) =>
      prompt.includes('read by nobody'),
    );
    expect(look).toContain(`these words do not occur: ${sought.join(', ')}`);
    expect(getClaim(now.view, BACK).status).toBe('tested_confirmed');
    // Under edition 3 of the rules, the prompt of this second look does not list the words in `sought`, so the
    // scripted model answers `false`, and the claim is refuted.
    expect(getClaim((await runDispute(3)).view, BACK).status).toBe('tested_refuted');
  });

  it.each([
    [
      'a quotation that is in no document',
      'C-1-1',
      'The standby is always fresh',
      'these words stand nowhere in the text',
    ],
    ['the quotation of the first reading', 'C-1-1', QUOTES[0] ?? '', 'it was read by these words'],
    ['no existing claim', 'constructor', 'The standby is read', 'there is no such claim'],
  ])(
    'is not read again if the objection to the result names %s',
    async (_what, claim, quotation, why) => {
      const disputes = [{ claim, quotation }];
      const { view } = await runTwice((role) => (role === 'critic' ? { disputes } : undefined));
      expect(getClaim(view, FRESH).status).toBe('tested_refuted');
      expect(listRefusals(view, 2)).toEqual([`finding of critic: ${why}`]);
    },
  );
});

describe('controls, the statements with known answers among the claims in a reading,', () => {
  it('are recorded with the reader’s answers, and are not registered as claims', async () => {
    const held = await runScriptedRounds(
      {
        errs: true,
        hands: (role) => (role === 'observer' ? { claims: [{ text: FRESH }] } : undefined),
        reads: (statement) =>
          statement.startsWith('Somebody has checked') || HOUSE.text.includes(statement)
            ? { finding: 'true_in_text', quotes: [statement] }
            : { finding: 'needs_a_test' },
      },
      WITH_HOUSE,
    );
    const controls = held.view.rounds[0]?.controls ?? [];
    expect(controls.map(({ key, right }) => [key, right]).toSorted()).toEqual([
      ['absent', false],
      ['false_in_text', false],
      ['true_in_text', true],
    ]);
    const [prompt = ''] = listPrompts(held, 'reading');
    for (const { text } of controls) expect(prompt).toContain(text);
    // Controls are not registered as claims and change no claim.
    expect(Object.keys(held.view.claims)).toEqual(['C-1-1']);
    expect(held.view.rounds[0]?.moves).toEqual([]);
  });

  it('make all results of a reading void if the reader answers two of them wrong', async () => {
    const wrong: Partial<Script> = {
      errs: true,
      // A careless reader quotes real sentences for every claim.
      reads: () => ({ finding: 'true_in_text', quotes: QUOTES }),
      looks: () => 'true',
    };
    const { view } = await runReading(FRESH, REFUTES, wrong, WITH_HOUSE);
    expect(view.rounds[0]?.controls.filter(({ right }) => !right)).toHaveLength(2);
    expect(getClaim(view, FRESH).status).toBe('pending');
    expect(view.rounds[0]?.findings.map(({ counts, why }) => [counts, why])).toEqual([
      [false, '2 controls of this reading are wrong'],
    ]);
  });

  it('make all results of a reader void if the reader calls everything true', async () => {
    const agrees: Partial<Script> = {
      errs: true,
      reads: () => ({ finding: 'true_in_text', quotes: QUOTES }),
      looks: () => 'true',
    };
    const bare = { attachments: [{ name: 'plan.md', text: `- ${QUOTES.join('\n- ')}` }] };
    const { view } = await runReading(FRESH, REFUTES, agrees, bare);
    expect(view.rounds[0]?.controls.map(({ key, right }) => [key, right])).toEqual([
      ['absent', false],
      ['absent', false],
    ]);
    expect(getClaim(view, FRESH).status).toBe('pending');
    // The same model, which read the controls wrongly, cannot decide the claim by argument later, either.
    const argued = await runReading(
      FRESH,
      REFUTES,
      { ...agrees, results: (check, round) => (check < 3 && round > 1 ? 'ROBUST' : 'UNCLEAR') },
      { ...bare, rounds: 2 },
    );
    expect(listRefusals(argued.view, 2)).toContain(
      'bearing of verifier: the controls of an earlier reading were wrong: its reader moves nothing',
    );
    // If a different model reads in a later round, the wrong controls of the earlier reader do not count against it.
    const next = await runReading(
      FRESH,
      REFUTES,
      { ...agrees, results: (check, round) => (check < 3 && round > 1 ? 'ROBUST' : 'UNCLEAR') },
      {
        ...bare,
        rounds: 2,
        verifier: 'test/next',
        changes: [
          {
            kind: 'model',
            from: 'round-2',
            seat: 'verifier',
            model: 'test/next',
            was: 'test/verifier',
          },
        ],
      },
    );
    expect(next.view.exams.map(({ model, passed }) => [model, passed])).toContainEqual([
      'test/next',
      true,
    ]);
    expect(listRefusals(next.view, 2).join()).not.toContain('its reader moves nothing');
    const before = await runReading(FRESH, REFUTES, agrees, { ...bare, rules: 3 });
    expect(before.view.rounds[0]?.controls).toHaveLength(1);
    expect(getClaim(before.view, FRESH).status).toBe('tested_confirmed');
  });

  describe('if there are only two and the reader answers one of them wrong', () => {
    /**
     * A text in which no sentence can serve as a control. Both controls of its reading are then about things
     * that the text does not mention.
     */
    const bare = { attachments: [{ name: 'plan.md', text: `- ${QUOTES.join('\n- ')}` }] };
    /**
     * A script of a reader that answers one of the two controls right: it says that the text has nothing about a
     * price. It calls every other statement true, so it answers the other control wrong.
     */
    const nods: Partial<Script> = {
      errs: true,
      reads: (statement) =>
        statement.includes('costs less than')
          ? { finding: 'absent' }
          : { finding: 'true_in_text', quotes: QUOTES },
      looks: () => 'true',
    };

    it('make all results of the reading void', async () => {
      const held = await runReading(FRESH, REFUTES, nods, bare);
      expect(held.view.rounds[0]?.controls.map(({ right }) => right).toSorted()).toEqual([
        false,
        true,
      ]);
      expect(getClaim(held.view, FRESH)).toMatchObject({ status: 'pending', moves: [] });
      expect(held.view.rounds[0]?.findings).toMatchObject([
        { counts: false, why: '1 of only 2 controls of this reading is wrong' },
      ]);
      expect(listPrompts(held, 'second-look')).toEqual([]);
      expect(validateFolder(getRecordsFolder(held.store.facts(held.run))).errors).toEqual([]);
    });

    it('cause the claims to be read again in the next round, with new controls', async () => {
      const runTwice = (rules: 6 | 7) =>
        runReading(
          FRESH,
          REFUTES,
          {
            ...nods,
            reads: (statement, asked) =>
              statement === FRESH
                ? REFUTES
                : asked.about?.round === 1
                  ? nods.reads?.(statement, asked)
                  : { finding: 'absent' },
            looks: () => 'false',
          },
          { ...bare, rounds: 2, rules },
        );
      const held = await runTwice(7);
      expect(held.view.rounds.map(({ findings }) => findings.map(({ counts }) => counts))).toEqual([
        [false],
        [true],
      ]);
      expect(getClaim(held.view, FRESH).status).toBe('tested_refuted');
      expect(validateFolder(getRecordsFolder(held.store.facts(held.run))).errors).toEqual([]);
      const before = await runTwice(6);
      expect(before.view.rounds.map(({ findings }) => findings.length)).toEqual([1, 0]);
    });

    it('leave the results of the reading valid under edition 6 of the rules', async () => {
      const { view } = await runReading(FRESH, REFUTES, nods, { ...bare, rules: 6 });
      expect(getClaim(view, FRESH).status).toBe('tested_confirmed');
    });

    it('make only this reading void: later verdicts by the same model are not refused because of it', async () => {
      const { view } = await runReading(
        FRESH,
        REFUTES,
        { ...nods, results: (check, round) => (check < 3 && round > 1 ? 'ROBUST' : 'UNCLEAR') },
        { ...bare, rounds: 2 },
      );
      expect(listRefusals(view, 2).join()).not.toContain('its reader moves nothing');
    });
  });

  it('allow one wrong answer if there are three of them', async () => {
    const { view } = await runReading(
      FRESH,
      REFUTES,
      {
        errs: true,
        reads: (statement) =>
          statement === FRESH
            ? REFUTES
            : statement.startsWith('Somebody has checked')
              ? { finding: 'absent' }
              : { finding: 'true_in_text', quotes: [statement] },
      },
      WITH_HOUSE,
    );
    expect(view.rounds[0]?.controls.map(({ right }) => right).toSorted()).toEqual([
      false,
      true,
      true,
    ]);
    expect(getClaim(view, FRESH).status).toBe('tested_refuted');
  });

  it('are not recorded if the call of the reading fails', async () => {
    const { view, status } = await runReading(FRESH, REFUTES, {
      other: (_asked, kind) => (kind === 'reading' ? makeFailure('server', 'HTTP 500') : undefined),
    });
    expect(status).toBe('done');
    expect(view.rounds[0]?.controls).toEqual([]);
    expect(listRefusals(view)).toEqual(['call of verifier: HTTP 500']);
  });
});

describe('the reading test (entrance) at the beginning of a deliberation', () => {
  const prose = {
    other: (_asked: unknown, kind: string) => (kind === 'exam' ? answerWithoutForm() : undefined),
  };

  it('prevents all decisions by reading if every model fails it', async () => {
    const held = await runReading(FRESH, REFUTES, prose);
    expect(held.status).toBe('done');
    expect(held.view.exams.map(({ model, passed }) => [model, passed])).toEqual([
      ['test/verifier', false],
      ['test/a', false],
    ]);
    for (const kind of ['reading', 'second-look', 'bearings'])
      expect(listPrompts(held, kind)).toEqual([]);
    expect(getClaim(held.view, FRESH).status).toBe('pending');
  });

  it('gives readings and checks to another model if the verifier fails', async () => {
    const held = await runReading(FRESH, REFUTES, {
      other: (asked, kind) =>
        kind === 'exam' && asked.seat.model === 'test/verifier' ? answerWithoutForm() : undefined,
    });
    expect(getClaim(held.view, FRESH).status).toBe('tested_refuted');
    expect(held.view.rounds[0]?.findings).toMatchObject([{ model: 'test/a' }]);
    const checks = held.models.requests.filter(({ task }) => task === 'rounds/check');
    expect(new Set(checks.map(({ seat }) => seat.model))).toEqual(new Set(['test/a']));
  });

  it('is taken by only one model if there are no documents', async () => {
    const held = await runScriptedRounds({});
    expect(listPrompts(held, 'exam')).toHaveLength(1);
    expect(listPrompts(held, 'reading')).toEqual([]);
  });
});
