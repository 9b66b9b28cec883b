/** The texts that seats owe in rounds: what is none of them. */
import { describe, expect, it } from 'vitest';
import { CLAIM_FIELD_SCHEMAS } from '../../src/protocols/rounds/prompts/claims.ts';
import {
  readableTextSchema,
  recordedText,
} from '../../src/protocols/rounds/prompts/text-schemas.ts';

describe('readableTextSchema, the schema of a text that must contain words,', () => {
  it.each([
    // In a real run, a decision of four seats had this text, which contains no word.
    ' }],,],:',
    ' ',
    '\u200b\u001b[31m',
  ])('refuses a text without a word, such as %j', (text) => {
    expect(readableTextSchema.safeParse(text).success).toBe(false);
  });

  it.each(['Wait.', '先分离搜索', '95 %'])('accepts the short text %j', (text) => {
    expect(readableTextSchema.safeParse(text).success).toBe(true);
  });

  it('is stricter for claims: refuses a claim of filler words such as “is the”', () => {
    const claim = {
      text: ' is the',
      testable_as: 'Count them.',
      if_false: 'Wait.',
      replaces: '',
      decided_by: 'document',
      says: 'is',
      about: 'now',
    };
    const claims = CLAIM_FIELD_SCHEMAS.claims.safeParse([claim]);
    expect(claims.error?.issues.map(({ path }) => path.join('.'))).toContain('0.text');
    const texts = CLAIM_FIELD_SCHEMAS.claims.safeParse([
      { ...claim, text: 'Releases take 95 minutes.' },
    ]);
    expect(texts.error?.issues.map(({ path }) => path.join('.')) ?? []).not.toContain('0.text');
  });

  it('is not used for recorded answers, whose schema accepts any text', () => {
    expect(recordedText.safeParse(' }],,],:').success).toBe(true);
  });
});
