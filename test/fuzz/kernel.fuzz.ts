/**
 * Fuzz targets of the kernel: every sequence of valid facts can be folded, and folding changes none of them.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { pendingInput } from '../../src/kernel/session.ts';
import { unsettledFailures } from '../../src/kernel/unsettled.ts';
import { EMPTY_VIEW, foldRun, viewOf } from '../../src/kernel/view.ts';
import { boardOf, EMPTY_BOARD, foldBoard } from '../../src/protocols/board/fold.ts';
import { EMPTY_ROUNDS } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { foldRounds, roundsOf } from '../../src/protocols/rounds/fold.ts';
import { anyCharacter } from '../any-character.ts';
import { ALL_FACTS, type Fact, type FactType, parseFact } from '../every-fact.ts';
import { readGolden } from '../golden/journal.ts';
import { catchRefusal, type FuzzTarget, makeTarget, spoilValue } from './fuzz.ts';

/** The parts of a JSON schema that zod writes for facts. */
interface Shape {
  readonly pattern?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape | false;
  readonly prefixItems?: readonly Shape[];
  readonly additionalProperties?: Shape;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/**
 * The few names that random facts use, so that different facts are about the same seats, steps and claims.
 */
const NAMES = [
  'critic',
  'C-1-1',
  'seat/critic',
  'round-1/A',
  '1',
  '',
  '__proto__',
  'constructor',
  'x',
];
/** The names that can be keys: zod leaves `__proto__` out of what it reads. */
const KEYS = NAMES.filter((name) => name !== '__proto__');
const MOMENT = '2026-01-01T00:00:00.000Z';

/** Generates values of a schema from its own description, so that a new type of fact is fuzzed at once. */
function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  if ('const' in shape) return fc.constant(shape.const);
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(valuesOf));
  if (Array.isArray(shape.type))
    return fc.oneof(...shape.type.map((type: string) => valuesOf({ ...shape, type })));
  const least = shape.exclusiveMinimum === undefined ? shape.minimum : shape.exclusiveMinimum + 1;
  switch (shape.type) {
    case 'string':
      if (shape.pattern !== undefined) return fc.stringMatching(new RegExp(shape.pattern));
      return fc
        .oneof(fc.constantFrom(...NAMES), fc.string({ unit: anyCharacter, maxLength: 4 }))
        .map((text) => (text === '' && shape.minLength !== undefined ? 'x' : text));
    case 'integer':
      return fc.integer({ min: Math.max(-1, least ?? -1), max: 3 });
    case 'number':
      return fc.double({ min: least ?? -1, max: shape.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      if (shape.prefixItems !== undefined) return fc.tuple(...shape.prefixItems.map(valuesOf));
      return fc.array(valuesOf(shape.items || {}), {
        minLength: shape.items === undefined ? 0 : 1,
        maxLength: 2,
      });
    case 'object': {
      if (shape.properties === undefined)
        return fc.dictionary(fc.constantFrom(...KEYS), valuesOf(shape.additionalProperties ?? {}), {
          maxKeys: 2,
          noNullPrototype: true,
        });
      const fields = Object.entries(shape.properties).map(([key, property]) => [
        key,
        valuesOf(property),
      ]);
      return recordOf(Object.fromEntries(fields), shape.required ?? []);
    }
    default:
      return fc.constantFrom(null, 1, 'x', [], {});
  }
}

function recordOf(
  fields: Record<string, fc.Arbitrary<unknown>>,
  required: readonly string[],
): fc.Arbitrary<unknown> {
  const options = { requiredKeys: [...required], noNullPrototype: true };
  return fc.record<Record<string, unknown>>(fields, options);
}

const vocabulary = z.toJSONSchema(z.union(ALL_FACTS.schemas), { unrepresentable: 'any' }) as Shape;
const bodies = (vocabulary.oneOf ?? vocabulary.anyOf ?? []).map(valuesOf);
const TYPES = (vocabulary.oneOf ?? vocabulary.anyOf ?? []).map(
  ({ properties }) => properties?.type?.const as FactType,
);

const logs = fc
  .array(fc.oneof(...bodies), { minLength: 1, maxLength: 12 })
  .map((list) =>
    list.map(
      (body, index) => ({ run: 'r', seq: index + 1, at: MOMENT, ...(body as object) }) as Fact,
    ),
  );

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

const RECORDED = [...readGolden('board').facts, ...readGolden('rounds').facts];

/** The fuzz targets of the kernel. */
export const KERNEL_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'facts: any JSON is read as a fact, or refused with a ZodError',
    fc.nat({ max: RECORDED.length - 1 }).chain((at) => spoilValue(RECORDED[at])),
    (json) => {
      let read: Fact | undefined;
      if (
        catchRefusal(() => {
          read = parseFact(json);
        }, z.ZodError) !== undefined
      )
        return;
      assert.deepEqual(
        parseFact(JSON.parse(JSON.stringify(read))),
        JSON.parse(JSON.stringify(read)),
      );
      assert.ok(TYPES.includes(read?.type as FactType));
    },
  ),
  makeTarget('folds: every log gives the same view in one go and fact by fact', logs, (log) => {
    for (const fact of log) assert.deepEqual(parseFact(fact), fact);
    freezeDeep(log);
    let [run, board, rounds] = [EMPTY_VIEW, EMPTY_BOARD, EMPTY_ROUNDS];
    for (const fact of log) {
      run = freezeDeep(foldRun(run, fact));
      board = freezeDeep(foldBoard(board, fact));
      rounds = freezeDeep(foldRounds(rounds, fact));
    }
    // Most of these random logs do not begin with `run.started`, and the folds must accept them, too.
    assert.deepEqual(viewOf(log), run);
    assert.deepEqual(boardOf(log), board);
    assert.deepEqual(roundsOf(log), rounds);
    pendingInput(log);
    unsettledFailures(log);
  }),
];
