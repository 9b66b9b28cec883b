/** Names for letters, and the quotations of a synthesis: what is looked up, whose it is said to be. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findMentions,
  hasLettersOfSeats,
  replaceLetters,
} from '../../src/protocols/common/quotations/names.ts';
import { findQuotations } from '../../src/protocols/common/quotations/quotations.ts';
import { isLongEnough, normalizeQuotedText } from '../../src/protocols/common/quotations/quotes.ts';

const LABELS = { A: 'critic', B: 'analyst', C: 'expert' };
const TITLES: Readonly<Record<string, string>> = {
  critic: 'Critic',
  analyst: 'Analyst',
  expert: 'Expert',
};
const nameSeats = (text: string): string =>
  replaceLetters(text, LABELS, (seat) => TITLES[seat] ?? seat);

describe("replacing the letters of anonymous seats by the seats' names", () => {
  it.each([
    ['Advisor A holds it.', 'Critic holds it.'],
    ["Advisor A's view", "Critic's view"],
    ['**Advisor B**: no', '**Analyst**: no'],
    ['Advisor **B**: no', '**Analyst**: no'],
    ['advisor\nA waits', 'Critic waits'],
    ['Advisors A and B agree', 'Critic and Analyst agree'],
    ['Advisors A, B, and C agree', 'Critic, Analyst, and Expert agree'],
    ['Advisors A–C agree', 'Critic, Analyst and Expert agree'],
    ['Advisors A to B agree', 'Critic and Analyst agree'],
    ['Advisor A and Advisor C agree', 'Critic and Expert agree'],
    ['Advisors **A** & **C** agree', '**Critic** & **Expert** agree'],
    ['Two say so (A, C).', 'Two say so (Critic, Expert).'],
    ['“we should wait here” (B)', '“we should wait here” (Analyst)'],
    // In this row and the rows below, a letter stays as it is where it does not name a seat, or where it is
    // code.
    ['Advisor Apple and Advisor D', 'Advisor Apple and Advisor D'],
    ['either (A) split or (B) wait', 'either (A) split or (B) wait'],
    ['Advisories A and B', 'Advisories A and B'],
    ['A good plan. Plan B is worse.', 'A good plan. Plan B is worse.'],
    ['- Advisor A\n- B-trees are fast', '- Critic\n- B-trees are fast'],
    ['Run `Advisor A` now', 'Run `Advisor A` now'],
    ['```\nAdvisor A\n```\nAdvisor A', '```\nAdvisor A\n```\nCritic'],
  ])('replaces letters that stand for seats, and no other letters: %j', (text, read) => {
    expect(nameSeats(text)).toBe(read);
  });

  it('changes nothing if the letter belongs to no seat', () => {
    expect(replaceLetters('Advisor A', {}, () => 'x')).toBe('Advisor A');
    expect(findMentions('Advisor __proto__ and Advisor D', LABELS)).toEqual([]);
  });

  it('is checked by hasLettersOfSeats, which returns whether a letter of a seat is left', () => {
    expect(hasLettersOfSeats('Critic holds it. A good plan.', LABELS)).toBe(false);
    expect(hasLettersOfSeats('Critic holds it, B does not.', LABELS)).toBe(true);
    expect(hasLettersOfSeats('Vitamin D, `B` and B-trees', LABELS)).toBe(false);
  });
});

const SPOKEN = [
  {
    seat: 'critic',
    title: 'Critic',
    text: 'The *ledger* is the risk.\nSplit the ledger first, and only then the login.',
  },
  {
    seat: 'analyst',
    title: 'Analyst',
    text: 'It costs nine weeks of two people. We should wait until May.',
  },
  {
    seat: 'expert',
    title: 'Expert',
    text: 'Nobody has ever split it in one go. We should wait until May.',
  },
];
const checkQuotations = (
  text: string,
  labels: Readonly<Record<string, string>> = LABELS,
  material: string[] = [],
) =>
  findQuotations(text, SPOKEN, labels, material).map(
    ({ state, given, by }) => `${state} ${given.join('+') || '-'} ${by.join('+') || '-'}`,
  );

describe('checking a quotation in a synthesis', () => {
  it.each([
    ['Advisor A: “the ledger is the risk”', 'said critic critic'],
    ['Advisor A says "Split the ledger first, and only then the login."', 'said critic critic'],
    ['Advisor A says “Split the ledger\nfirst … only then the login”', 'said critic critic'],
    ['Advisor A says “[t]he ledger is the risk”', 'said critic critic'],
    ['„nine weeks of two people“, says Advisor B.', 'said analyst analyst'],
    ['The wait is “nine weeks of two people”.', 'said - analyst'],
    ['Advisors B and C: “we should wait until May”', 'said analyst+expert analyst+expert'],
    ['Advisor A: “the ledger is no risk at all”', 'nowhere critic -'],
    ['One says “the ledger is no risk at all”.', 'nowhere - -'],
    ['Advisor B: “the ledger is the risk”', 'misattributed analyst critic'],
    ['Advisor A and Advisor B: “we should wait until May”', 'said critic+analyst analyst+expert'],
    // The speaker is the advisor who says the words, and not an advisor whom the sentence only mentions.
    ['Unlike Advisor A, Advisor B says “the ledger is the risk”.', 'misattributed analyst critic'],
    ["Advisor A's answer to Advisor B is “the ledger is the risk”.", 'said critic critic'],
    ['Advisor B rejects the “the ledger is the risk” of Advisor A.', 'said critic critic'],
    ['“The ledger is the risk” (Advisor B).', 'misattributed analyst critic'],
    ['“The ledger is the risk” (B, C).', 'misattributed analyst+expert critic'],
    ['“The ledger is the risk” — Advisor A', 'said critic critic'],
    // If a list item begins with an advisor's name and a colon, this advisor is the speaker of its quotations.
    ['- Advisor B: it is dear. It takes “nine weeks of two people”.', 'said analyst analyst'],
    [
      '- Advisor A: it is dear. It takes “nine weeks of two people”.',
      'misattributed critic analyst',
    ],
    // If only the sentence before a quotation names an advisor, code does not take this advisor for the speaker.
    ['Advisor A is for it. “Nine weeks of two people” is the price.', 'said - analyst'],
    // A quotation with an ellipsis is not found if the words before and after the ellipsis stand far apart in
    // the answers. It is not looked up at all if these pieces are too short.
    ['Advisor C: “Nobody has … wait until”', 'nowhere expert -'],
    ['Advisor A: “we … must … go”, he says', undefined],
    // A single quotation mark can also be an apostrophe, as in `advisors' plan`, which encloses no quotation.
    [
      "Advisor A says 'the ledger is no risk at all', and the advisors' plan is dear.",
      'nowhere critic -',
    ],
    ["Advisor A's “the ledger’s no risk at all”", 'nowhere critic -'],
    ['Advisor B says ‘the ledger is the risk’.', 'misattributed analyst critic'],
    ["The seats' view isn't one, it's several, and Advisor A's isn't dear.", undefined],
    // A block quotation is looked up only if it ends with the name of its speaker.
    ['> Nobody needs the ledger at all. — Advisor A', 'nowhere critic -'],
    ['> Split the ledger first,\n> and only then the login. (Advisor A)', 'said critic critic'],
    ['> **Note:** nobody needs the ledger at all.', undefined],
    ['> Nobody needs what Advisor A has said so far.', undefined],
    // A quotation of fewer than four words is reported only if it is attributed to a seat and no text
    // contains it.
    ['Advisor B calls it “beyond all doubt”.', 'nowhere analyst -'],
    ['Advisor B calls it “nine weeks”, as the plan does.', undefined],
    ['That is “beyond all doubt”, they say.', undefined],
    ['They call it “the risk”, and `“this is some code here”`.', undefined],
  ])('finds out who said the quoted words: %j', (text, state) => {
    expect(checkQuotations(text)).toEqual(state === undefined ? [] : [state]);
  });

  it('takes for the speaker of each quotation the seat that is named just before it', () => {
    expect(
      checkQuotations(
        '- On cost: Advisor A: “the ledger is the risk”; Advisor B: “nine weeks of two people”.',
      ),
    ).toEqual(['said critic critic', 'said analyst analyst']);
    expect(
      checkQuotations(
        'Advisor B says “the ledger is the risk” and Advisor A says “nine weeks of two people”.',
      ),
    ).toEqual(['misattributed analyst critic', 'misattributed critic analyst']);
  });

  it('accepts a quotation from the question or an attachment', () => {
    const asked = ['Should we split the monolith this year?'];
    expect(
      checkQuotations('All treat “should we split the monolith” as open.', LABELS, asked),
    ).toEqual(['material - -']);
    expect(
      checkQuotations('All treat “should we split the ledger” as open.', LABELS, asked),
    ).toEqual(['nowhere - -']);
  });

  it('recognizes the speaker by a seat’s title if the synthesizer was shown titles instead of anonymous letters', () => {
    expect(checkQuotations('The Analyst says “the ledger is the risk”.', {})).toEqual([
      'misattributed analyst critic',
    ]);
    expect(checkQuotations('Advisor B says “the ledger is the risk”.', {})).toEqual([
      'said - critic',
    ]);
  });

  it('returns the quotation’s position and its words', () => {
    const text = 'One.\n\n- Advisor A: “the `ledger` is the risk”.';
    const [found] = findQuotations(text, SPOKEN, LABELS);
    expect(found?.words).toBe('the `ledger` is the risk');
    expect(text.slice(found?.at, found?.end)).toBe('“the `ledger` is the risk”');
  });

  it('leaves a quotation unchecked if it is too long or comes after 200 others', () => {
    const long = `“${'the ledger is the risk '.repeat(60)}”`;
    expect(checkQuotations(long)).toEqual(['unchecked - -']);
    const many = checkQuotations('“The ledger is the risk”. '.repeat(250));
    expect(many.filter((line) => line === 'said - critic')).toHaveLength(200);
    expect(many.filter((line) => line.startsWith('unchecked'))).toHaveLength(50);
  });
});

it('isLongEnough, which requires four words in a quotation, counts words of ASCII text as Intl.Segmenter does', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
  const signs = fc.string({ unit: fc.constantFrom(...'ab1 2_.,;:-/@#A~'), maxLength: 12 });
  fc.assert(
    fc.property(signs, (few) => {
      // A quotation needs enough letters and four words. This text always has enough letters, so the result
      // depends only on its number of words.
      const text = `${few} abcdefghijkl`;
      const words = [...segmenter.segment(normalizeQuotedText(text))].filter(
        (segment) => segment.isWordLike,
      );
      expect(isLongEnough(text)).toBe(words.length >= 4);
    }),
    { numRuns: 3_000 },
  );
});
