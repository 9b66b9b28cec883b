/** What is a claim and what is none, each refused by its reason. */
import { describe, expect, it } from 'vitest';
import {
  areSameStatement,
  explainRefusedClaim,
  removeCitations,
} from '../../src/protocols/rounds/claims/judge.ts';
import type { HandedClaim } from '../../src/protocols/rounds/prompts/claims.ts';

const CLAIM: HandedClaim = {
  text: 'A fail-over at noon loses the orders of the last forty minutes.',
  testable_as: 'Cut the leader at noon and count the orders that the standby lacks.',
  decided_by: 'running',
  says: 'fails',
  about: 'plan',
  if_false: 'The standby would do as a way back.',
  replaces: '',
};
const STANDING = [
  {
    id: 'C-1-1',
    text: 'The standby is read by nobody before the leader has been gone for a minute.',
    testable_as: 'Watch its connections while the leader answers.',
  },
];
const PLAN = {
  name: 'plan.md',
  text: 'The standby lags about forty minutes behind the leader on a busy day at noon.',
};

const explainRefusal = (changes: Partial<HandedClaim>, documents = [PLAN]): string | undefined =>
  explainRefusedClaim({ ...CLAIM, ...changes }, STANDING, documents);

describe('deciding whether a claim that a seat raises is accepted', () => {
  it('accepts a new claim that names a test and says what would change if it were false', () => {
    expect(explainRefusal({})).toBeUndefined();
  });

  it.each([
    ['says nothing', { text: '\u200b ' }, 'it says nothing'],
    ['is one word, as a small model wrote', { text: 'reading' }, 'it is a word and no sentence'],
    ['has no test', { testable_as: ' ' }, 'it names no test'],
    ['has "n/a" for a test', { testable_as: 'n/a' }, 'it names no test'],
    ['has "N.A." for a test', { testable_as: ' N.A. ' }, 'it names no test'],
    ['has "not applicable" for a test', { testable_as: 'Not applicable.' }, 'it names no test'],
    ['has punctuation marks for a test', { testable_as: '--' }, 'it names no test'],
    ['has its own text for a test', { testable_as: `${CLAIM.text}!` }, 'its test only repeats it'],
    [
      'would change “nothing” if it were false',
      { if_false: 'Nothing' },
      'nothing would change if it were false',
    ],
    [
      'would change “none” if it were false',
      { if_false: '"none".' },
      'nothing would change if it were false',
    ],
    [
      'does not say what would change if it were false',
      { if_false: '' },
      'nothing would change if it were false',
    ],
    [
      'copies the form’s explanation of a claim',
      { text: 'One to three sentences of your own that can turn out wrong.' },
      'it repeats the form',
    ],
    [
      'repeats the description of a role',
      {
        text: 'The engineer shows what happens: which state there is, who does what, what the state is afterwards. Nobody can say what would happen, you say that nothing was proposed.',
      },
      'it repeats what a role is told',
    ],
    [
      'has the form’s explanation of a test for a test',
      {
        testable_as:
          'One observable outcome that would decide it: what one would look at or run, and what one would see if the claim were false.',
      },
      'its test repeats the form',
    ],
    [
      'has the form’s own words for what would change if it were false',
      { if_false: 'what in the answer to the question would change' },
      'what would change if it were false repeats the form',
    ],
    [
      'has the form’s explanation of another field for a test',
      { testable_as: 'the id of a decided claim on record' },
      'its test repeats the form',
    ],
    [
      'has the test of an earlier claim for a test',
      { testable_as: 'watch its connections, while the leader answers' },
      'its test is copied from C-1-1',
    ],
    [
      'says nearly the same as an earlier claim',
      { text: 'The standby is read by nobody before the leader has been gone for one minute.' },
      'C-1-1 says so already',
    ],
    [
      'quotes a document',
      { text: 'The standby lags about forty minutes behind the leader.' },
      'a quotation is no claim',
    ],
    [
      'quotes a document and adds a few words',
      { text: 'The standby lags about forty minutes, and that is too much.' },
      'a quotation is no claim',
    ],
  ])('refuses a claim that %s', (_what, changes, reason) => {
    expect(explainRefusal(changes)).toContain(reason);
  });

  it.each([
    ['a short test', { testable_as: 'Run it.' }],
    ['a short consequence', { if_false: 'Wait longer.' }],
    ['a consequence that begins with “no”', { if_false: 'No fail-over would be planned.' }],
    [
      'words of a document in sentences of its own',
      { text: 'Forty minutes of orders is what the standby lacks.' },
    ],
    [
      'the words “constructor” and “__proto__”, which name properties of every object',
      { testable_as: 'constructor', if_false: '__proto__' },
    ],
  ])('accepts a claim with %s', (_what, changes) => {
    expect(explainRefusal(changes)).toBeUndefined();
  });

  it('refuses a claim that is copied from a document', () => {
    expect(explainRefusal({ text: PLAN.text })).toContain('quotation');
    expect(explainRefusal({ text: PLAN.text }, [])).toBeUndefined();
  });

  it('takes two claims for the same if nothing but a citation, such as “S-3#L4”, differs', () => {
    for (const place of ['(S-6#L1-L6)', 'S-12', '[S-3#L4]', '(attachments/plan.md#L10-L12)'])
      expect(areSameStatement(removeCitations(`${CLAIM.text} ${place}`), CLAIM.text), place).toBe(
        true,
      );
    expect(removeCitations('It takes 40 minutes on S-class hardware.')).toBe(
      'It takes 40 minutes on S-class hardware.',
    );
  });

  it('takes two claims for the same if nothing but case and punctuation differs', () => {
    expect(areSameStatement('It holds.', 'it HOLDS')).toBe(true);
    expect(areSameStatement('', '')).toBe(true);
    expect(areSameStatement('It holds.', 'It fails.')).toBe(false);
    // A text with an additional sentence is a different claim.
    expect(
      areSameStatement(CLAIM.text, `${CLAIM.text} And it does so every day that somebody looks.`),
    ).toBe(false);
  });
});
