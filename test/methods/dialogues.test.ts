/** The methods in which somebody is asked about what they said: standard, advocate, socratic. */
import { describe, expect, it } from 'vitest';
import { type AnswerScript, listAskedSeats, runScriptedMethod } from './by-script.ts';

/** What seats hold in their blind answers, word for word. */
const SENTENCES: Readonly<Record<string, string>> = {
  'seat-1': 'Nobody has measured how long it takes. We should keep it for a year.',
  'seat-2': 'Nobody has measured how long it takes. We should drop it at once.',
  'seat-3': 'Nobody has measured how long it takes. We should sell it to somebody.',
};
const CHOICES: Readonly<Record<string, string>> = {
  'seat-1': 'Keep it',
  'seat-2': 'Drop it',
  'seat-3': 'Sell it',
};

const answerBlind: AnswerScript = ({ seat }) => ({
  answer: SENTENCES[seat] ?? '',
  choice: CHOICES[seat] ?? '',
  confidence: 71,
});

/** Returns answers by phase: those of `own`, or else the usual ones. */
function makeScript(own: Readonly<Record<string, AnswerScript>>): AnswerScript {
  const usual: Readonly<Record<string, AnswerScript>> = {
    answer: answerBlind,
    'answer-options': () => ({ same: [] }),
  };
  return (asked) => (own[asked.phase] ?? usual[asked.phase])?.(asked);
}

describe('the debate method "standard"', () => {
  const makeDispute = (of: string, quote: string, text: string) => ({
    kind: 'disputes',
    of,
    quote,
    text,
  });
  const usual: Readonly<Record<string, AnswerScript>> = {
    critique: ({ seat }) => ({
      points:
        seat === 'seat-1'
          ? [
              makeDispute('A2', 'We should drop it at once', 'It is under contract.'),
              makeDispute('A2', 'Nobody has measured how long', 'Somebody has.'),
              makeDispute('A2', 'drop it at once', 'A third point.'),
            ]
          : [{ kind: 'missing', of: 'A1', quote: '', text: 'Who pays for it?' }],
    }),
    turn: ({ text }) =>
      text.includes('under contract')
        ? { stand: 'conceded', reply: 'It is.' }
        : { stand: 'held', reply: 'Nobody in this house has.' },
    position: ({ seat }) => ({
      option: seat === 'seat-2' ? 'O1' : seat === 'seat-1' ? 'O1' : 'O3',
      because: seat === 'seat-2' ? 'D1' : 'nothing',
      confidence: 83,
    }),
    report: () => 'One reason for each.',
  };

  it('ends after the first answers if all seats choose the same option', async () => {
    const answers = makeScript({
      answer: (asked) => ({ ...(answerBlind(asked) as object), choice: 'Keep it' }),
    });
    const { ended, calls, outcome, again } = await runScriptedMethod(
      'standard',
      { seat: 3, judge: 1 },
      answers,
    );
    expect(ended.status).toBe('done');
    expect(new Set(calls.map(({ phase }) => phase))).toEqual(new Set(['answer', 'answer-options']));
    // All seats have the same model, so their agreement counts as one opinion.
    expect(outcome?.result).toBe('Keep it: all 3 seats, which are one model.');
    expect(again).toBe(0);
  });

  it('discusses at most two points, one in each turn', async () => {
    const held = await runScriptedMethod('standard', { seat: 3, judge: 1 }, makeScript(usual));
    expect(listAskedSeats(held.calls, 'turn')).toEqual(['seat-2', 'seat-2']);
    const turns = held.calls.filter(({ phase }) => phase === 'turn');
    expect(turns.map(({ text }) => text.match(/from="D\d"/g))).toEqual([
      ['from="D1"'],
      ['from="D2"'],
    ]);
    expect(held.ledgers[0]?.entries.map(({ id, status, quote }) => [id, status, quote])).toEqual([
      ['D1', 'conceded', 'We should drop it at once.'],
      ['D2', 'held', 'Nobody has measured how long it takes.'],
      ['D3', 'open', 'We should drop it at once.'],
      ['D4', 'open', undefined],
      ['D5', 'open', undefined],
    ]);
    expect(held.outcome).toMatchObject({
      result: 'Keep it: 2 of 3 seats in the end.',
      moved: 'Seat 2 went from “Drop it” to “Keep it” and names D1: “It is under contract”.',
      turns: 'Settling D3, which nobody answered: “A third point”. Also unsettled: D2.',
    });
    expect([held.again, held.added]).toEqual([0, 0]);
  });

  it('keeps votes, confidences and names of seats out of all prompts that follow the first answers', async () => {
    const { calls } = await runScriptedMethod('standard', { seat: 3, judge: 1 }, makeScript(usual));
    const later = calls.filter(({ phase }) => !phase.startsWith('answer'));
    for (const { phase, text } of later)
      expect(text, phase).not.toMatch(/\b71\b|\b83\b|seat-\d|Seat \d|\d of 3/);
  });

  it('asks once more for a real quotation, and then marks the point as unquoted', async () => {
    const held = await runScriptedMethod(
      'standard',
      { seat: 2, judge: 1 },
      makeScript({
        ...usual,
        critique: ({ seat }) => ({
          points: seat === 'seat-1' ? [makeDispute('A2', 'it ought to be dropped', 'Why?')] : [],
        }),
        position: () => ({ option: 'O1', because: 'nothing', confidence: 50 }),
      }),
    );
    expect(listAskedSeats(held.calls, 'critique')).toEqual(['seat-1', 'seat-2', 'seat-1']);
    expect(held.ledgers[0]?.entries.map(({ isUnquoted }) => isUnquoted)).toEqual([true]);
    expect(held.outcome?.belief).toBe(
      '1 point on 2 answers; 1 in dispute, 1 of them unsettled. D1 quotes what nobody said. Seat 2 changed without naming a reason: that is yielding, not argument.',
    );
  });

  it.each([
    [[], 'Unknown: no seat’s criticism was heard, so nobody has disputed anything.'],
    [['seat-1'], 'No dispute stayed open, but the criticism of only 1 of 3 seats was heard.'],
    [['seat-1', 'seat-2', 'seat-3'], 'No dispute stayed open.'],
  ])(
    'says, if no point is disputed, whether criticism was heard from all seats, some or none (critics: %j)',
    async (critics, turns) => {
      const held = await runScriptedMethod(
        'standard',
        { seat: 3, judge: 1 },
        makeScript({
          ...usual,
          critique: ({ seat }) => (critics.includes(seat) ? { points: [] } : undefined),
          position: () => ({ option: 'O1', because: 'nothing', confidence: 50 }),
        }),
      );
      expect(held.outcome?.turns).toBe(turns);
    },
  );

  it('has no result if fewer than two seats vote in the end', async () => {
    const held = await runScriptedMethod(
      'standard',
      { seat: 3, judge: 1 },
      makeScript({
        ...usual,
        position: (asked) => (asked.seat === 'seat-1' ? usual.position?.(asked) : undefined),
      }),
    );
    expect(held.outcome?.result).toBe('No result: 1 of 3 seats voted in the end.');
    expect(listAskedSeats(held.calls, 'report')).toEqual([]);
    expect(held.conclusion).toContain('**Seat 3**\n\nNobody has measured how long it takes.');
  });

  it('asks a seat nothing more after one call to that seat has failed', async () => {
    const silenceSeat = (phase: string, seat: string) =>
      makeScript({
        ...usual,
        [phase]: (asked) =>
          asked.seat === seat ? undefined : (usual[phase] ?? answerBlind)(asked),
      });
    const later = await runScriptedMethod(
      'standard',
      { seat: 3, judge: 1 },
      silenceSeat('critique', 'seat-2'),
    );
    expect(listAskedSeats(later.calls, 'turn')).toEqual([]);
    expect(listAskedSeats(later.calls, 'position')).toEqual(['seat-1', 'seat-3']);
    expect(later.figures.at(-1)).toMatchObject({
      rows: [{}, { before: 'Drop it', after: 'not heard' }, {}],
    });
    const never = await runScriptedMethod(
      'standard',
      { seat: 3, judge: 1 },
      silenceSeat('answer', 'seat-3'),
    );
    expect(listAskedSeats(never.calls, 'critique')).toEqual(['seat-1', 'seat-2']);
    expect(never.outcome?.result).toBe('Keep it: 2 of 2 seats in the end.');
  });
});

describe('the debate method "advocate"', () => {
  const shared = 'Nobody has measured how long';
  const everybody = ['A1', 'A2', 'A3'].map((of) => ({ of, quote: shared }));
  const usual: Readonly<Record<string, AnswerScript>> = {
    consensus: () => ({
      claims: [
        { text: 'It was not measured.', support: everybody },
        { text: 'It should be kept.', support: [{ of: 'A1', quote: 'keep it for a year' }] },
        {
          text: 'It costs too much.',
          support: everybody.map(({ of }) => ({ of, quote: 'it costs far too much' })),
        },
        { text: 'It takes long.', support: everybody.slice(0, 2) },
      ],
    }),
    question: () => ({
      questions: [
        { of: 'C1', text: 'Who has looked?' },
        { of: 'C2', text: 'How long is long?' },
        { of: 'C1', text: 'What would show it?' },
      ],
    }),
    defend: ({ text }) =>
      text.includes('How long')
        ? { stand: 'conceded', text: 'I cannot say how long.' }
        : { stand: 'answered', text: 'We looked through every report.' },
    verdict: () => ({
      verdicts: [
        { claim: 'C1', verdict: 'stands', of: 'Q1', quote: 'looked through every report' },
        { claim: 'C2', verdict: 'stands', of: 'Q2', quote: 'I cannot say how long' },
      ],
    }),
  };
  const panel = { seat: 3, judge: 1 };

  it('tests the claims that two thirds of the seats made', async () => {
    const held = await runScriptedMethod('advocate', panel, makeScript(usual));
    expect(held.ledgers[0]?.entries.map(({ text }) => text)).toEqual([
      'It was not measured.',
      'It takes long.',
    ]);
    // If no seat has the role advocate, the seat that made the fewest of the tested claims asks the questions.
    // Seat-3 made only one of the two.
    expect(listAskedSeats(held.calls, 'question')).toEqual(['seat-3']);
    expect(listAskedSeats(held.calls, 'defend').sort()).toEqual(['seat-1', 'seat-1', 'seat-2']);
    for (const { text } of held.calls.filter(({ phase }) => phase === 'defend'))
      expect(text.match(/from="Q\d"/g)).toHaveLength(1);
    expect([held.again, held.added]).toEqual([0, 0]);
  });

  it('counts a claim as withdrawn if every answer to a question about the claim concedes', async () => {
    const { ledgers, outcome } = await runScriptedMethod('advocate', panel, makeScript(usual));
    expect(ledgers[0]?.entries.map(({ status }) => status)).toEqual(['stands', 'withdrawn']);
    expect(outcome?.result).toBe('Of 2 shared claims: 1 stands, 1 was withdrawn.');
  });

  it('ends if the seats share no claim, and suggests the method standard', async () => {
    const { outcome, calls } = await runScriptedMethod(
      'advocate',
      panel,
      makeScript({ ...usual, consensus: () => ({ claims: [] }) }),
    );
    expect(outcome?.result).toMatch(/^No claim is shared by two thirds/);
    expect(outcome?.turns).toContain('--method standard');
    expect(listAskedSeats(calls, 'question')).toEqual([]);
  });

  it('replaces an advocate who does not answer by the next seat', async () => {
    const { calls, outcome } = await runScriptedMethod(
      'advocate',
      { ...panel, advocate: 1 },
      makeScript({
        ...usual,
        question: (asked) =>
          ['advocate-1', 'seat-3'].includes(asked.seat) ? undefined : usual.question?.(asked),
      }),
    );
    expect(listAskedSeats(calls, 'question')).toEqual(['advocate-1', 'seat-3', 'seat-1']);
    expect(new Set(listAskedSeats(calls, 'defend'))).toEqual(new Set(['seat-2']));
    expect(outcome?.belief).toMatch(/^Seat 1 questioned/);
  });

  it.each<readonly [string, Readonly<Record<string, AnswerScript>>]>([
    ['the judge is silent', { verdict: () => undefined }],
    [
      'the verdict quotes nothing that was said',
      {
        verdict: () => ({
          verdicts: [
            { claim: 'C1', verdict: 'falls', of: 'Q1', quote: 'nobody ever looked at it' },
          ],
        }),
      },
    ],
    [
      'the verdict quotes what was said of another claim',
      {
        verdict: () => ({
          verdicts: [{ claim: 'C1', verdict: 'falls', of: 'Q2', quote: 'I cannot say how long' }],
        }),
      },
    ],
    ['nobody questions', { question: () => undefined }],
  ])('gives a claim the status "unexamined" if %s', async (_why, change) => {
    const { ledgers, ended } = await runScriptedMethod(
      'advocate',
      panel,
      makeScript({ ...usual, ...change }),
    );
    expect(ended.status).toBe('done');
    expect(ledgers[0]?.entries[0]?.status).toBe('unexamined');
  });
});

describe('the debate method "socratic"', () => {
  const unchanged = { revises: 'none', wording: '', concedes: false, impasse: false };
  const makeQuestion = (of: string, kind: string) => ({
    of,
    kind,
    text: `What of ${of} by ${kind}?`,
  });
  const usual: Readonly<Record<string, AnswerScript>> = {
    thesis: () => ({
      statements: [
        { kind: 'thesis', text: 'It pays.' },
        { kind: 'definition', text: 'To pay is to save hours.' },
      ],
    }),
    answer: () => ({ answer: 'It does.', ...unchanged }),
  };
  /**
   * Returns a script for the scripted models: each call is answered with the next of the given questions. After
   * the last question, calls are answered with an empty question about no statement (`of` is `none`).
   */
  const askInTurn = (...questions: readonly object[]): AnswerScript => {
    const left = [...questions];
    return () => left.shift() ?? { of: 'none', kind: 'evidence', text: '' };
  };

  it('asks a seat whose question was asked before for another one; if that was asked before too, the next seat asks', async () => {
    const repeated = makeQuestion('S1', 'evidence');
    const held = await runScriptedMethod(
      'socratic',
      { seat: 3 },
      makeScript({
        ...usual,
        question: askInTurn(repeated, repeated, repeated, makeQuestion('S2', 'definition')),
      }),
    );
    expect(listAskedSeats(held.calls, 'question').slice(0, 4)).toEqual([
      'seat-2',
      'seat-3',
      'seat-3',
      'seat-2',
    ]);
    expect(held.ledgers[1]?.entries.map(({ of, kind }) => [of, kind])).toEqual([
      ['S1', 'evidence'],
      ['S2', 'definition'],
    ]);
    // Two rounds without a new question end the examination.
    expect(listAskedSeats(held.calls, 'question')).toHaveLength(6);
    expect(held.outcome?.belief).toContain(
      'It ended since two rounds in a row brought nothing new.',
    );
    expect([held.again, held.added]).toEqual([0, 0]);
  });

  it('records every statement that an answer changes, even if the question was about another statement', async () => {
    const { ledgers, outcome, figures } = await runScriptedMethod(
      'socratic',
      { seat: 2 },
      makeScript({
        ...usual,
        question: askInTurn(makeQuestion('S1', 'evidence'), makeQuestion('S1', 'counter-example')),
        answer: ({ text }) =>
          text.includes('evidence')
            ? { ...unchanged, answer: 'None.', revises: 'S2', wording: 'To pay is to save days.' }
            : { ...unchanged, answer: 'Then it does not.', concedes: true },
      }),
    );
    expect(ledgers[0]?.entries.map(({ status, why }) => [status, why])).toEqual([
      ['withdrawn', 'It pays.'],
      ['amended', 'To pay is to save days.'],
    ]);
    expect(outcome?.result).toBe('Of 2 statements 1 is held in a new wording, 1 was given up.');
    expect(outcome?.moved).toBe(
      'Q1 (evidence): S2 was amended; Q2 (counter-example): S1 was given up.',
    );
    expect(figures.at(-1)?.kind).toBe('changes');
  });

  it('ends at an impasse only if both sides declare an impasse', async () => {
    const holdToImpasse = (agrees: boolean) =>
      runScriptedMethod(
        'socratic',
        { seat: 2 },
        makeScript({
          ...usual,
          question: askInTurn(makeQuestion('S1', 'evidence'), makeQuestion('S2', 'evidence')),
          answer: () => ({ ...unchanged, answer: 'Who knows.', impasse: true }),
          impasse: () => ({ agrees }),
        }),
      );
    const both = await holdToImpasse(true);
    expect(listAskedSeats(both.calls, 'answer')).toHaveLength(1);
    expect(both.outcome?.belief).toContain('It ended since both sides called it an impasse.');
    expect(listAskedSeats((await holdToImpasse(false)).calls, 'answer')).toHaveLength(2);
  });

  it('has a partial result if the respondent answers no question, and no result if the respondent states no thesis', async () => {
    const silenceSeat = (phase: string, seat: string, more = usual) =>
      makeScript({
        ...more,
        [phase]: (asked) => (asked.seat === seat ? undefined : more[phase]?.(asked)),
      });
    const six = Array.from({ length: 6 }, (_, at) =>
      makeQuestion(
        at % 2 === 0 ? 'S1' : 'S2',
        ['evidence', 'definition', 'implication'][at >> 1] ?? '',
      ),
    );
    const asks = { ...usual, question: askInTurn(...six) };
    const partial = await runScriptedMethod(
      'socratic',
      { seat: 3 },
      silenceSeat('answer', 'seat-1', asks),
    );
    expect(partial.outcome?.result).toMatch(/^Partial\. Of 2 statements/);
    const skipped = await runScriptedMethod(
      'socratic',
      { seat: 3 },
      silenceSeat('question', 'seat-2', asks),
    );
    expect(skipped.ledgers[1]?.entries.map(({ by }) => by)).toEqual(['seat-3', 'seat-3', 'seat-3']);
    const none = await runScriptedMethod('socratic', { seat: 3 }, silenceSeat('thesis', 'seat-1'));
    expect(none.outcome?.result).toMatch(/^No result/);
  });
});
