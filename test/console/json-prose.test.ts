/** JSON answers, read while they stream. */
import { expect, test } from 'vitest';
import { beginsJson, JsonProse } from '../../src/console/model/json-prose.ts';

const ANSWER = JSON.stringify({
  title: 'What "must" stay true',
  steps: [{ action: 'a request\ncomes', state_delta: '+1' }, 'plain'],
  confidence: 4,
});

test('names become headings and items, texts are unescaped', () => {
  expect(new JsonProse().push(ANSWER)).toBe(
    '\n\n**title** What "must" stay true\n\n**steps** \n  - action: a request comes\n  - state delta: +1\n- plain\n\n**confidence** 4\n',
  );
});

test('it does not matter how the text is cut into pieces', () => {
  const whole = new JsonProse().push(`${ANSWER}"\\u00e9`);
  const prose = new JsonProse();
  let pieces = '';
  for (const character of `${ANSWER}"\\u00e9`) pieces += prose.push(character);
  expect(pieces).toBe(whole);
});

test.each([
  ['', undefined],
  ['  \n', undefined],
  ['{"a', true],
  ['{', true],
  ['{ braces } in prose', false],
  ['Prose', false],
])('%j begins JSON: %s', (text, is) => expect(beginsJson(text)).toBe(is));
