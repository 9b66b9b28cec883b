/** Templates by which structured answers are written as Markdown. */
import { describe, expect, it } from 'vitest';
import { answerWriter } from '../../src/text/answers/templates.ts';

const { answerWords, below, bullets, counted, each, fill, headed, onceGiven, spoken, within } =
  answerWriter();

describe('a template such as "{title}: {text}" that formats a model’s answer', () => {
  it.each([
    ['{a} and {b}', { a: 'one\ntwo', b: 3 }, 'one two and 3'],
    ['{a*}', { a: ' one\n\ntwo ' }, 'one\n\ntwo'],
    ['{a}[ ({b})]', { a: 'x', b: 'y' }, 'x (y)'],
    ['{a}[ ({b})]', { a: 'x', b: ['y'] }, 'x'],
    ['{a}[ ({b})]', { b: 'y' }, ''],
    ['{a?}[ ({b})]', { b: 'y' }, ' (y)'],
    ['[{a}[ after {b,}]: ]{c}', { a: 'x', b: ['y', 'z', 1], c: 'end' }, 'x after y, z: end'],
    ['[{a}[ after {b,}]: ]{c}', { b: ['y'], c: 'end' }, 'end'],
    ['{a;}', { a: ['y', 'z'] }, 'y; z'],
    ['{a.b}', { a: { b: 'x' } }, 'x'],
    ['{a.b}', { a: 'x' }, ''],
    ['{a}[ {[}{b}{]}]', { a: 'x', b: 'y' }, 'x [y]'],
    ['{constructor}', {}, ''],
  ])('%s turns the answer %j into %j', (template, answer, written) => {
    expect(fill(template, answer)).toBe(written);
  });

  it('calls a function if there is one for a name, instead of reading the answer’s field of that name', () => {
    expect(fill('{a}: {b}', { a: 'x' }, { b: () => 'made' })).toBe('x: made');
    expect(fill('{a}: {toString}', { a: 'x' }, { b: () => 'made' })).toBe('');
  });
});

describe('a block of a formatted answer', () => {
  const rows = [{ a: 'one' }, { b: 'no a' }, 'text', { a: 'two' }];

  it('has a bullet for each list item from which the template makes any text', () => {
    expect(headed('Rows', 'rows', '{#}. {a}')({ rows })).toBe('## Rows\n\n- 1. one\n- 4. two');
    expect(headed('Rows', 'rows')({ rows })).toBe('## Rows\n\n- text');
    expect(headed('Rows', 'rows', '{a}')({ rows: 'text' })).toBe('');
  });

  it('begins with the number of its list items if the block is made with the function `counted`', () => {
    expect(counted('Rows', 'rows', '{a}')({ rows })).toBe('**Rows: 2**\n\n- one\n- two');
    expect(counted('Rows', 'rows', '{a}')({ rows: [] })).toBe('**Rows: 0**');
    expect(counted('Rows', 'rows', '{a}')({})).toBe('');
  });

  it('leaves out a list item if the first template makes no text from that item', () => {
    const block = each(
      'rows',
      '**{a}**',
      'b: {b}',
      bullets('{c}', () => ['more']),
    );
    expect(block({ rows: [{ a: 'x', b: 'y' }, { b: 'z' }] })).toBe('**x**\n\nb: y\n\n- more');
  });

  it('shows a value as the word that the template names for this value', () => {
    const stance = spoken('says', { yes: 'agrees', true: 'is so' }, '{says}');
    const said = ['yes', true, 'perhaps', false].map((says) => stance({ says }));
    expect(said).toEqual(['agrees', 'is so', 'perhaps', '']);
  });

  it('is empty if the answer lacks the field that the block requires', () => {
    expect(onceGiven('ok', '{a}')({ a: 'x' })).toBe('');
    expect(onceGiven('ok', '{a}')({ a: 'x', ok: false })).toBe('x');
    expect(below('Before', within('in', '{a}'))({ in: { a: 'x' } })).toBe('Before\n\nx');
    expect(below('Before', within('in', '{a}'))({ a: 'x' })).toBe('');
  });
});

describe('answers of models', () => {
  it('are formatted for people by the template of the kind of request that they answer', () => {
    const words = answerWords({ 'a/task': ['{a}', '{b*}'], 'a/other': '{a}' });
    expect(words('a/task', { a: 'x', b: 'y\n' })).toBe('x\n\ny');
    expect(words('a/other', { a: 'x' })).toBe('x');
    expect(words('constructor', { a: 'x' })).toBeUndefined();
    expect(words(undefined, { a: 'x' })).toBeUndefined();
  });

  it('are passed through two functions that a protocol supplies, one for single lines and one for prose', () => {
    const clean = answerWriter({ line: (text) => `<${text}>`, prose: (text) => `(${text})` });
    expect(clean.fill('{a} {b,} {c*}', { a: 'x', b: ['y', 'z'], c: 'w' })).toBe('<x> <y>, <z> (w)');
  });
});
