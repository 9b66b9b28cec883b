/** The texts that seats owe in rounds: what is none of them. */
import { describe, expect, it } from 'vitest';
import { owedText, recordedText } from '../../src/protocols/rounds/prompts/text-schemas.ts';

describe('owedText', () => {
  it.each([
    // A decision that four seats of a captured run took by consensus.
    ' }],,],:',
    ' ',
    '\u200b\u001b[31m',
  ])('refuses %j, which has no word in it', (text) => {
    expect(owedText.safeParse(text).success).toBe(false);
  });

  it.each(['Wait.', '先分离搜索', '95 %'])('takes %j', (text) => {
    expect(owedText.safeParse(text).success).toBe(true);
  });

  it('leaves what is on record as it was accepted', () => {
    expect(recordedText.safeParse(' }],,],:').success).toBe(true);
  });
});
