/**
 * Makes a value for any JSON Schema, so that a rehearsal passes every step of a protocol. Its strings name the
 * field that they fill; ids and enumerations are what the schema requires.
 */
import { entryOf } from '../../kernel/entry.ts';
import type { JsonSchema } from '../../models/provider.ts';
import { isRecord } from '../../text/json.ts';
import type { Chance } from './chance.ts';
import { makeMatching } from './pattern.ts';
import type { Topic } from './topic.ts';

/** The depth below which optional parts are left out, because schemas may contain themselves. */
const DEEP = 5;
/** The depth below which no value is made, because the schema requires itself endlessly. */
const BOTTOMLESS = 40;
/** The absolute value beyond which a bound counts as no real bound. */
const FAR = 1_000_000;
const ROUNDING = 1e-9;

/** Makes a random value that fits a JSON schema. Its texts are placeholders that name the field which they fill. */
export function makeSchemaValue(root: JsonSchema, topic: Topic, chance: Chance): unknown {
  let sentences = 0;

  const makeValue = (schema: unknown, name: string, depth: number): unknown => {
    if (!isRecord(schema) || depth > BOTTOMLESS) return makeSentence(name);
    if (typeof schema.$ref === 'string')
      return makeValue(resolveReference(root, schema.$ref), name, depth + 1);
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return oneOf(schema.enum);
    const branches = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(branches))
      return makeValue(depth < DEEP ? oneOf(branches) : chooseSimplest(branches), name, depth + 1);
    if (Array.isArray(schema.allOf))
      return makeValue(mergeParts(schema, schema.allOf), name, depth + 1);
    const type = Array.isArray(schema.type) ? oneOf(schema.type) : schema.type;
    if (type === 'object') return makeObject(schema, depth);
    if (type === 'array') return makeArray(schema, name, depth);
    if (type === 'integer' || type === 'number') return makeNumber(schema, type === 'integer');
    if (type === 'boolean') return chance.next() < 0.5;
    return type === 'null' ? null : makeString(schema, name);
  };

  const makeObject = (schema: JsonSchema, depth: number): Record<string, unknown> => {
    const required = listIn(schema.required);
    const made = Object.entries(recordIn(schema.properties))
      .filter(([key]) => required.includes(key) || depth < DEEP)
      .map(([key, property]) => [key, makeValue(property, key, depth + 1)]);
    // If the object has fewer properties than the schema requires, add made-up ones. If the schema describes
    // additional properties, the object gets at least one property, unless it is nested deeply.
    const open = isRecord(schema.additionalProperties) && depth < DEEP ? 1 : 0;
    const least = Math.max(readBound(schema.minProperties, 0), open);
    for (let index = made.length; index < least; index++) {
      const key = isRecord(schema.propertyNames)
        ? String(makeValue(schema.propertyNames, 'key', depth + 1))
        : (topic.words[index] ?? `key ${index + 1}`).toLowerCase();
      made.push([key, makeValue(schema.additionalProperties, key, depth + 1)]);
    }
    return Object.fromEntries(made);
  };

  const makeArray = (schema: JsonSchema, name: string, depth: number): unknown[] => {
    const fixed = listIn(schema.prefixItems);
    const least = Math.max(readBound(schema.minItems, 0), depth < DEEP ? 2 : 0);
    const length = Math.min(
      readBound(schema.maxItems, Number.POSITIVE_INFINITY),
      Math.max(fixed.length, least),
    );
    const singular = name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
    return Array.from({ length }, (_, index) =>
      makeValue(
        fixed[index] ?? schema.items,
        length > 1 ? `${singular} ${index + 1}` : singular,
        depth + 1,
      ),
    );
  };

  const makeNumber = (schema: JsonSchema, whole: boolean): number => {
    const above = readBound(schema.exclusiveMinimum, -FAR);
    const below = readBound(schema.exclusiveMaximum, FAR);
    let low = Math.max(readBound(schema.minimum, -FAR), above);
    let high = Math.min(readBound(schema.maximum, FAR), below);
    // If a bound is missing, choose a number near 0, or near the other bound if 0 is out of bounds. A bound that is
    // the least or greatest safe integer counts as missing, because zod adds both to every schema of integers.
    if (high - low > FAR / 2) {
      const near = Math.min(Math.max(0, low), high);
      low = Math.max(low, near - (high <= 0 ? 10 : 0));
      high = Math.min(high, near + 10);
    }
    const step = readBound(schema.multipleOf, whole ? 1 : Math.min(0.01, (high - low) / 8));
    if (step <= 0) return low;
    const first = Math.ceil(low / step - ROUNDING) + (low === above ? 1 : 0);
    const last = Math.floor(high / step + ROUNDING) - (high === below ? 1 : 0);
    const value = chance.between(first, Math.max(first, last)) * step;
    return whole ? value : Number(value.toPrecision(12));
  };

  const makeString = (schema: JsonSchema, name: string): string => {
    const { pattern, format } = schema;
    const fitting = typeof pattern === 'string' ? makeMatching(pattern, chance) : undefined;
    if (fitting !== undefined) return fitting;
    const formatted = typeof format === 'string' ? FORMATS.get(format) : undefined;
    if (formatted !== undefined) return makeMatching(formatted, chance) ?? '';
    const least = readBound(schema.minLength, 0);
    const most = readBound(schema.maxLength, Number.POSITIVE_INFINITY);
    let text = makeSentence(name);
    while (text.length < least) text += ` ${makeSentence(name)}`;
    return text.length > most ? text.slice(0, most).trimEnd().padEnd(least, '.') : text;
  };

  /** Makes a sentence that names the field it fills. A number in the sentence makes it unique in the answer. */
  const makeSentence = (name: string): string => {
    sentences += 1;
    const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
    const label = spaced.toLowerCase();
    const word = topic.words[sentences % topic.words.length] ?? topic.words[0];
    return chance.pick([
      `Rehearsal: ${label} about the ${word}, number ${sentences}.`,
      `Rehearsal: a stand-in for the ${label}; it speaks of the ${word} (${sentences}).`,
      `Rehearsal: ${label} ${sentences}, to be replaced by what a model finds about the ${word}.`,
    ]);
  };

  const oneOf = (items: readonly unknown[]) => items[chance.between(0, items.length - 1)];

  return makeValue(root, 'answer', 0);
}

const SIMPLE: readonly unknown[] = ['null', 'string', 'number', 'boolean', 'integer'];

/** Returns the simplest branch, so that a schema that contains itself comes to an end. */
function chooseSimplest(branches: readonly unknown[]): unknown {
  return branches.find((branch) => isRecord(branch) && SIMPLE.includes(branch.type)) ?? branches[0];
}

function resolveReference(root: JsonSchema, ref: string): unknown {
  const path = ref.split('/').slice(1);
  return path.reduce<unknown>((found, part) => {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return isRecord(found) ? entryOf(found, key) : undefined;
  }, root);
}

/** Merges the parts of `allOf` into one schema. */
function mergeParts({ allOf: _all, ...rest }: JsonSchema, parts: readonly unknown[]): JsonSchema {
  const all = [rest, ...parts.filter(isRecord)];
  return {
    ...Object.fromEntries(all.flatMap((part) => Object.entries(part))),
    properties: Object.fromEntries(
      all.flatMap((part) => Object.entries(recordIn(part.properties))),
    ),
    required: all.flatMap((part) => listIn(part.required)),
  };
}

function readBound(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function recordIn(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Regular expressions for string formats. */
const FORMATS = new Map([
  ['date-time', '2026-01-[01][1-9]T[01][0-9]:00:00Z'],
  ['date', '2026-01-[01][1-9]'],
  ['time', '[01][0-9]:00:00'],
  ['uuid', '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}'],
  ['email', 'rehearsal@example\\.org'],
  ['uri', 'https://example\\.org/rehearsal'],
]);
