/** Reading ballots and looking up quotations: plain values. */
import { describe, expect, it } from 'vitest';
import { getComparedText } from '../../src/protocols/board/ablation.ts';
import {
  BALLOT_TASK,
  parseBallot,
  readBallot,
  removeConfidence,
} from '../../src/protocols/board/ballots.ts';
import { countSamplesFor } from '../../src/protocols/board/baseline.ts';
import {
  countBaselineSamples,
  parseBaselines,
  parseQuorum,
} from '../../src/protocols/board/desk/settings.ts';
import { planBoard } from '../../src/protocols/board/estimate.ts';
import { isQuoteOf } from '../../src/protocols/common/quotations/quotes.ts';
import { areOpposed, groupOptions } from '../../src/protocols/common/voting/votes.ts';
import { countSteps } from '../steps/steps.ts';

const READ = { position: 'Split the ledger first.', option: 'Split the ledger', confidence: 0.7 };

describe('a ballot without a real choice', () => {
  const makeBallot = (option: string): string =>
    `## Ballot\n- **Position:** Split it\n- **Option:** ${option}\n- **Confidence:** 0.5`;

  // Small models wrote these options in their ballots, such as Qwen2.5-Coder-0.5B in its ballot on a follow-up
  // question.
  it.each([
    ['Answer from your own role, and only from it', 'its option repeats the form'],
    ['you will not see what', 'its option repeats what the seat was told'],
    ['your ballot', 'its option repeats the form'],
    ['Should we split the monolith?', 'its option is a question'],
    ['A', 'its option says nothing'],
  ])('is refused with a reason if its option is "%s": %s', (option, why) => {
    expect(readBallot(makeBallot(option), 'Should we split it?')).toEqual({ why });
  });

  it('does not replace a ballot with a real choice that stands before it in the same answer', () => {
    expect(parseBallot(`${makeBallot('Split it')}\n${makeBallot('your role')}`)).toMatchObject({
      option: 'Split it',
    });
  });
});

describe('reading a ballot (a seat’s choice with its confidence)', () => {
  it.each([
    [
      'in the form that the prompt asks for',
      '## Ballot\n- **Position:** Split the ledger first.\n- **Option:** Split the ledger\n- **Confidence:** 0.7',
    ],
    [
      'with the colon outside the bold',
      '**Ballot**\n\n**Position**: Split the ledger first.\n**Option**: "Split the ledger"\n**Confidence**: 70%',
    ],
    [
      'without its heading',
      'Position: Split the ledger first.\nOption: Split the ledger.\nConfidence: 0,7',
    ],
    [
      'numbered, with other bullets',
      '### My ballot:\n1. Position - Split the ledger first.\n* Option – Split the ledger\n+ CONFIDENCE = 7/10',
    ],
    [
      'with values below their labels',
      '## Ballot\n### Position\nSplit the ledger first.\n\n### Option\nSplit the ledger\n### Confidence\n0.70 (fairly sure)',
    ],
    [
      'on one line',
      'Ballot\n**Position:** Split the ledger first. **Option:** Split the ledger; **Confidence:** about 70 percent',
    ],
    [
      'as a table',
      '| Position | Split the ledger first. |\n| Option | Split the ledger |\n| Confidence | .7 |',
    ],
    [
      'as JSON',
      '{\n "position": "Split the ledger first.",\n "option": "Split the ledger",\n "confidence": 0.7\n}',
    ],
    [
      'that is followed by one more line',
      '## Ballot\nPosition: Split the ledger first.\nOption: Split the ledger\nConfidence: 70\n\n_That is all._',
    ],
    [
      'that is the last one of two',
      '## Ballot\nPosition: x\nOption: Keep it\nConfidence: 0.1\n\nNo, wait.\n\n## Ballot\nPosition: Split the ledger first.\nOption: Split the ledger\nConfidence: 0.7',
    ],
    [
      'that ends at the next heading, where another seat’s ballot begins',
      "## Ballot\nPosition: Split the ledger first.\nOption: Split the ledger\nConfidence: 0.7\n\n## Critic's Ballot\nPosition: x\nOption: Keep it\nConfidence: 1",
    ],
  ])('accepts a ballot %s', (_how, tail) => {
    expect(parseBallot(`Reasons.\n\nOption A is cheap.\n\n${tail}`)).toEqual(READ);
  });

  it.each([
    ['that is missing', 'I would split it. My confidence is high.'],
    ['without a number', 'Option: Split it\nConfidence: high'],
    [
      'with a number between 1 and 10, which is neither a share nor a percentage',
      'Option: Split it\nConfidence: 7',
    ],
    ['without an option', 'Position: Split it\nConfidence: 0.7'],
    ['far from the end of the text', `Option: x\nConfidence: 0.5\n${'More reasons.\n'.repeat(30)}`],
    ['in an empty text', ''],
  ])('returns undefined for a ballot %s', (_how, text) => {
    expect(parseBallot(text)).toBeUndefined();
  });

  it('takes a missing position from the first six words of the option', () => {
    const text = 'Option: one two three four five six seven eight\nConfidence: 1';
    expect(parseBallot(text)).toEqual({
      position: 'one two three four five six',
      option: 'one two three four five six',
      confidence: 1,
    });
  });

  it('hides only the confidence from the synthesizing model', () => {
    const text =
      'My confidence in us.\n\n## Ballot\n- **Option:** Split it\n- **Confidence:** 0.7\n\nEnd.';
    expect(removeConfidence(text)).toBe(
      'My confidence in us.\n\n## Ballot\n- **Option:** Split it\n\nEnd.',
    );
    expect(removeConfidence('Position: a. Option: b. Confidence: 0.7')).toBe(
      'Position: a. Option: b.',
    );
    expect(removeConfidence('My confidence is high.')).toBe('My confidence is high.');
  });
});

/** As SmolLM2-135M wrote it. */
const PARROTED = `## Ballot
- **Position:** one line that somebody could act on. Here are the details you can use in your answer:
- **Option:** the same in at most six words. You can use this answer in your next answer, as it stands on a ballot.
- **Confidence:** from 0 to 1. If needed, you can provide the evidence or the experience that would change your mind.

The board is asked:

Should we split the monolith?`;

describe('telling a filled-in ballot from a copy of the empty form', () => {
  it('refuses a copy in which the form’s explanations stand in place of values, and gives the reason', () => {
    expect(readBallot(PARROTED)).toEqual({
      why: 'its option and its confidence repeat the form',
    });
    expect(parseBallot(PARROTED)).toBeUndefined();
  });

  it.each([
    [
      'in its option alone',
      'Option: the same in at most six words\nConfidence: 0.7',
      'its option repeats the form',
    ],
    [
      'with placeholders',
      'Option: <your option>\nConfidence: [0 to 1]',
      'its option and its confidence repeat the form',
    ],
    [
      'with the scale for a confidence',
      'Option: Split it\nConfidence: between 0 and 100 %',
      'its confidence repeats the form',
    ],
    [
      'with words of the sentence above the form',
      'Option: what you would choose yourself\nConfidence: 1',
      'its option repeats the form',
    ],
    [
      'and has no number for the confidence',
      'Option: ...\nConfidence: high',
      'its option repeats the form, and it has no confidence from 0 to 1',
    ],
  ])('refuses a ballot that repeats the form %s', (_how, lines, why) => {
    expect(readBallot(`## Ballot\n${lines}`)).toEqual({ why });
  });

  it('accepts a ballot that has a real option beside words of the form', () => {
    const text =
      '## Ballot\nPosition: one line that somebody could act on\nOption: Split it\nConfidence: 0.8 (from 0 to 1)';
    expect(parseBallot(text)).toEqual({
      position: 'Split it',
      option: 'Split it',
      confidence: 0.8,
    });
  });

  it('accepts a filled-in ballot after a copy of the form', () => {
    const own = 'Position: Split it now.\nOption: Split it\nConfidence: 0.8';
    expect(parseBallot(`${PARROTED.split('\n\n')[0]}\n${own}`)).toMatchObject({
      option: 'Split it',
      confidence: 0.8,
    });
  });

  it('returns undefined if the text has no ballot', () => {
    expect(readBallot('I would split it. My confidence is high.')).toBeUndefined();
  });
});

it('parseBallot takes no number from a sentence after “Confidence”, such as a time of day, and keeps the ballot above it', () => {
  const text =
    '## Ballot\n**Position:** Ship.\n**Option:** Yes\n**Confidence:** 87%\n\n6. **Confidence**: The board finds the release achievable by Friday at 16:00.';
  expect(parseBallot(text)).toMatchObject({ confidence: 0.87 });
  expect(parseBallot('Option: Yes\nConfidence: by Friday at 16:00')).toBeUndefined();
});

describe('checking a quotation in the table of positions (who is for and against each point)', () => {
  const SOURCE =
    '## Why\n- The teams wait for **each other**\n  at “release”, not while _writing_ code.\n> Größe und Zahl: später.\n部署的时候大家互相等待。';
  it.each([
    'The teams wait for each other at release',
    'the teams  WAIT for\n"each other" at release, not while writing code.',
    'each other at release, not',
    'Größe und Zahl: später',
    '部署的时候大家互相等待',
  ])('finds the quotation in the answer: %j', (words) => {
    expect(isQuoteOf(words, SOURCE)).toBe(true);
  });

  it.each([
    ['invented', 'The teams never wait for each other'],
    ['too short to mean something', 'not while writing'],
    ['changed in a punctuation mark', 'each other at release; not while writing code'],
    ['shortened by an ellipsis', 'The teams wait … while writing code'],
    ['cut out of the middle of words', 'eams wait for each othe'],
    ['empty', ''],
    ['made of punctuation marks alone', '** ** ** **'],
  ])('refuses a quotation that is %s', (_why, words) => {
    expect(isQuoteOf(words, SOURCE)).toBe(false);
  });

  it('refuses a quotation of more than a thousand characters', () => {
    const said = 'The teams wait for each other at release. '.repeat(100);
    expect(isQuoteOf(said.slice(0, 900), said)).toBe(true);
    expect(isQuoteOf(said.slice(0, 1_100), said)).toBe(false);
  });
});

describe('options that exclude each other by their wording', () => {
  it.each([
    ['Yes', 'No', true],
    ['Split it', 'Do not split it', true],
    ["Don't split the ledger now", 'Split the ledger', true],
    ['Wait 2 weeks', 'Wait 6 weeks', true],
    ['Keep the monolith', 'Do not split', false],
    ['Wait', 'Not now', false],
    ['Wait 2 weeks', 'Wait two weeks', false],
    ['Split it', 'Divide it', false],
  ])('are recognized: "%s" and "%s" are opposed: %s', (one, other, expected) => {
    expect(areOpposed(one, other)).toBe(expected);
    expect(areOpposed(other, one)).toBe(expected);
  });

  it('are never grouped, not even through a third option', () => {
    const options = ['Split it', 'Divide it', 'Do not split it'];
    expect(
      groupOptions(
        options,
        [
          [1, 0],
          [2, 1],
        ],
        areOpposed,
      ),
    ).toEqual(['Split it', 'Split it', 'Do not split it']);
  });
});

describe("a board's flags on the command line", () => {
  it('accept a quorum as `3` or `3/5`', () => {
    expect(parseQuorum('3', 5)).toBe(3);
    expect(parseQuorum('3/5', 5)).toBe(3);
    for (const wrong of ['0', '6', '3/4', 'all', '-1', '3/', '2.5'])
      expect(() => parseQuorum(wrong, 5)).toThrow(/quorum/);
  });

  it('accept baselines such as `single` and `vote-5`', () => {
    expect(parseBaselines('single, vote-5')).toEqual([
      { kind: 'single' },
      { kind: 'vote', samples: 5 },
    ]);
    expect(parseBaselines('vote')).toEqual([{ kind: 'vote' }]);
    for (const wrong of ['', 'vote-1', 'vote-999', 'twice', 'vote,vote-3', 'single-2'])
      expect(() => parseBaselines(wrong)).toThrow(/baseline/);
  });
});

it('the cost estimate of a baseline such as vote-5 includes all of its answers', () => {
  const getPlannedCalls = (baselines: string) =>
    planBoard({
      question: 'Should we?',
      seats: [],
      synthesizer: 'a/b',
      attachments: [],
      baseline: { model: 'a/b', samples: countBaselineSamples(parseBaselines(baselines)) },
    }).find(({ seat }) => seat === 'baseline')?.calls;
  expect(getPlannedCalls('single')).toEqual({ low: 1, high: 1 });
  expect(getPlannedCalls('vote-5')).toEqual({ low: 5, high: 6 });
  expect(getPlannedCalls('single,vote')).toEqual({ low: 4, high: 11 });
});

it('countSamplesFor returns how many answers of one model cost as much as the panel, at least 3 and at most 9', () => {
  expect(countSamplesFor(5_000, 1_000)).toBe(5);
  expect(countSamplesFor(100, 1_000)).toBe(3);
  expect(countSamplesFor(100_000, 1_000)).toBe(9);
  expect(countSamplesFor(1_000, 0)).toBe(9);
});

it('getComparedText returns the text below the heading Recommendation, or the whole text without that heading', () => {
  expect(getComparedText('## Consensus\nA\n\n## Recommendation\nDo B.\n')).toBe('Do B.');
  expect(getComparedText('# **Recommendation:**\nDo B.\n\n## More\nC')).toBe('Do B.');
  expect(getComparedText('Do B.')).toBe('Do B.');
});

describe('a ballot among many repeated characters', () => {
  it.each(['- ', ' ', '**', '* ', '| ', ';', 'Position ', '"'])(
    'is read in a time linear in the length of the text: %j',
    async (mark) => {
      const file = new URL('../../src/protocols/board/ballots.ts', import.meta.url);
      const floods = [40_000, 400_000].map((length) => mark.repeat(length / mark.length));
      for (const [name, textWith] of [
        [
          'parseBallot',
          (flood: string) =>
            `${flood}x\nPosition: ${flood}x\nOption: ${flood}x\nConfidence: 0.5 ${flood}x`,
        ],
        ['removeConfidence', (flood: string) => `Option: wait\n${flood}x confidence: 0.5`],
      ] as const) {
        const calls = floods.map((flood) => [textWith(flood)]);
        const [small = 0, large = 0] = await countSteps(file, name, calls);
        expect(large, name).toBeLessThan(small * 12);
      }
    },
  );
});
describe('texts that small models wrote in place of a ballot', () => {
  const makeBallot = (position: string, option: string, confidence: string): string =>
    `My view.\n\n## Ballot\n- **Position:** ${position}\n- **Option:** ${option}\n- **Confidence:** ${confidence}\n`;

  it.each([
    ['all three lines', BALLOT_TASK],
    [
      'the option',
      makeBallot('Ship it', 'the same in at most six words. You can use this answer', '0.7'),
    ],
    ['the confidence', makeBallot('Ship it', 'Ship on Friday', 'from 0 to 1. How likely it is')],
    ['the range of the confidence', makeBallot('Ship it', 'Ship on Friday', 'From 0 to 1')],
  ])('do not count as ballots if they copy %s from the template', (_what, text) => {
    expect(parseBallot(text)).toBeUndefined();
  });

  it('do not replace a complete ballot above them', () => {
    const later =
      '\n1. It works.\n6. **Confidence**: The board finds this achievable by Friday at 16:00\n';
    expect(parseBallot(`${makeBallot('Ship', 'Ship on Friday', '87%')}${later}`)).toMatchObject({
      option: 'Ship on Friday',
      confidence: 0.87,
    });
  });

  it('do not count as ballots if their confidence is a time of day', () => {
    const sentence = 'The board finds this readiness achievable by Friday at 16:00';
    expect(parseBallot(makeBallot('Ship', 'Ship on Friday', sentence))).toBeUndefined();
    expect(parseBallot(makeBallot('Ship', 'Ship on Friday', '16:00'))).toBeUndefined();
  });
});
