/** Literals whose optional properties are left out instead of being undefined. */
import { expect, it } from 'vitest';
import { withoutUndefined } from '../../src/text/without-undefined.ts';

it('withoutUndefined leaves out only properties whose value is undefined', () => {
  const kept = withoutUndefined({ none: undefined, zero: 0, no: false, empty: '', nothing: null });
  expect(Object.keys(kept)).toEqual(['zero', 'no', 'empty', 'nothing']);
  expect(kept).toStrictEqual({ zero: 0, no: false, empty: '', nothing: null });
});

it('withoutUndefined keeps the order of the properties and does not change its argument', () => {
  const values = { b: 1, c: undefined, a: 2 };
  expect(JSON.stringify(withoutUndefined(values))).toBe('{"b":1,"a":2}');
  expect(Object.keys(values)).toEqual(['b', 'c', 'a']);
});

it('withoutUndefined returns an empty object if every value is undefined', () => {
  expect({ id: 1, ...withoutUndefined({ note: undefined }) }).toStrictEqual({ id: 1 });
});
