/**
 * Tests the calls of tools that a model sends, before anything is kept or used: they may contain anything,
 * at any length.
 */
import { expect, it } from 'vitest';
import { argumentsOf, limitCalls, readArguments } from '../../src/models/providers/tool-calls.ts';

const makeCall = (given: unknown, name = 'read') => ({ id: 'c', name, arguments: given });

it('readArguments parses the arguments of a tool call if they are JSON, returns an empty object if they are empty or missing, and returns other text unchanged', () => {
  expect(readArguments('{"path": "a"}')).toEqual({ path: 'a' });
  expect(readArguments({ path: 'a' })).toEqual({ path: 'a' });
  expect(readArguments('')).toEqual({});
  expect(readArguments(undefined)).toEqual({});
  expect(readArguments('{"path": ')).toBe('{"path": ');
  expect(argumentsOf(makeCall('{"path": '))).toEqual({ unreadable: '{"path": ' });
  expect(argumentsOf(makeCall([1]))).toEqual({ unreadable: '1' });
});

it('limitCalls shortens a tool call that is too long, turns arguments nested too deeply into text, and drops all calls after 64', () => {
  expect(limitCalls([makeCall({ path: 'a' })])).toEqual([makeCall({ path: 'a' })]);
  const [long] = limitCalls([makeCall({ path: 'x'.repeat(1_000_000) }, 'n'.repeat(10_000))]);
  expect(JSON.stringify(long).length).toBeLessThan(21_000);
  expect(typeof long?.arguments).toBe('string');
  const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown;
  expect(limitCalls([makeCall(deep)])[0]?.arguments).toBe('['.repeat(2_000) + ']'.repeat(2_000));
  expect(limitCalls(Array.from({ length: 1_000 }, () => makeCall({})))).toHaveLength(64);
});
