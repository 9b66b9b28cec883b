/** Tests how a fix of a plan changes a text, and when it is applied already. */
import { describe, expect, it } from 'vitest';
import { applyFix } from '../../src/protocols/plan/rules/fix.ts';

const fix = { from: 2, to: 2, quotation: 'let b = 1;', replacement: 'let b = 2;' };
const wider = { ...fix, replacement: 'let b = 1; // one' };

describe('applyFix, which replaces old words in a text by new ones,', () => {
  it('replaces the old words on the lines that the fix names', () => {
    expect(applyFix('a\nlet b = 1;\nlet b = 1;\n', fix)).toEqual({
      text: 'a\nlet b = 2;\nlet b = 1;\n',
    });
  });

  it.each<[string, string, typeof fix]>([
    ['has the new words on the lines that the fix names', 'a\nlet b = 2;\n', fix],
    ['has the new words on other lines only', '\n\n\nlet b = 2;\n', fix],
    ['has the old words as a part of the new words', 'a\nlet b = 1; // one\n', wider],
    [
      'has the new words on the lines that the fix names, and the old words on another line',
      'a\nlet b = 2;\n\nlet b = 1;\n',
      fix,
    ],
  ])('says that a fix is applied already if the text %s', (_what, text, change) => {
    expect(applyFix(text, change)).toEqual({ isThere: true });
  });

  it.each<[string, string, typeof fix]>([
    [
      'the new words on another line are too few to be recognized',
      'a\n\n\n2',
      { ...fix, replacement: '2' },
    ],
    ['neither the old nor the new words are there', 'a\nlet c = 1;\n', fix],
  ])('says that the old words are missing if %s', (_what, text, change) => {
    expect(applyFix(text, change)).toMatchObject({ why: expect.stringContaining('letter') });
  });

  it('changes nothing if the same fix is applied again', () => {
    for (const change of [fix, wider]) {
      const once = applyFix('a\nlet b = 1;\n', change);
      if (!('text' in once)) expect.fail('it was not applied');
      expect(applyFix(once.text, change)).toEqual({ isThere: true });
    }
  });
});
