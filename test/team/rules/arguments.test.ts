import { describe, expect, it } from 'vitest';
import { expectedArguments, renameArguments } from '../../../src/protocols/team/rules/arguments.ts';

const EDIT = { type: 'object', properties: { path: {}, old: {}, new: {} } };

it('renameArguments corrects argument names that models use out of habit', () => {
  const given = { file_path: 'a.js', old_string: 'x', new_string: 'y' };
  expect(renameArguments(given, EDIT)).toEqual({ path: 'a.js', old: 'x', new: 'y' });
});

it('renameArguments keeps a wrong name if the right name is there, too', () => {
  const twice = { path: 'a.js', file_path: 'b.js', constructor: 1, content: 'x' };
  expect(renameArguments(twice, EDIT)).toEqual(twice);
  expect(renameArguments({ content: 'x' }, {})).toEqual({ content: 'x' });
});

describe('expectedArguments, which tells a model the arguments of a tool that it called,', () => {
  const write = {
    properties: { tree: {}, path: {}, text: {}, mode: {} },
    required: ['tree', 'path', 'text'],
  };

  it('names a tool’s arguments if one is missing or unknown', () => {
    const told = 'write takes path, text; mode may be left out.';
    expect(expectedArguments('write', { path: 'a.js' }, write)).toBe(told);
    expect(expectedArguments('write', { path: 'a', text: '', body: '' }, write)).toBe(told);
    expect(expectedArguments('write', {}, write)).toBe(told);
  });

  it('returns nothing if a call has all required arguments and no unknown one', () => {
    expect(expectedArguments('write', { path: '../a', text: '' }, write)).toBeUndefined();
  });
});
