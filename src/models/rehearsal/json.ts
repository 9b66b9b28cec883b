/**
 * A value for any JSON Schema, so that a rehearsal gets through every step of a protocol. Its
 * strings say what they are; ids and enumerations are whatever the schema wants.
 */

import { entryOf } from '../../kernel/entry.ts';
import { isRecord } from '../failure.ts';
import type { JsonSchema } from '../provider.ts';
import type { Chance } from './chance.ts';
import { matching } from './pattern.ts';
import type { Topic } from './topic.ts';

/** Below this, whatever is optional is left out: schemas may contain themselves. */
const DEEP = 5;
/** And below this nothing is made at all: the schema demands itself without end. */
const BOTTOMLESS = 40;
/** Numbers beyond it are bounds that nobody meant. */
const FAR = 1_000_000;
const ROUNDING = 1e-9;

export function valueFor(schema: JsonSchema, topic: Topic, chance: Chance): unknown {
  return new Inventor(schema, topic, chance).make(schema, 'answer', 0);
}

class Inventor {
  private readonly root: JsonSchema;
  private readonly topic: Topic;
  private readonly chance: Chance;
  private made = 0;

  constructor(root: JsonSchema, topic: Topic, chance: Chance) {
    this.root = root;
    this.topic = topic;
    this.chance = chance;
  }

  make(schema: unknown, name: string, depth: number): unknown {
    if (!isRecord(schema) || depth > BOTTOMLESS) return this.sentence(name);
    if (typeof schema.$ref === 'string')
      return this.make(this.resolve(schema.$ref), name, depth + 1);
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return this.oneOf(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(choices)) return this.make(this.choose(choices, depth), name, depth + 1);
    if (Array.isArray(schema.allOf)) return this.make(merged(schema), name, depth + 1);
    const type = Array.isArray(schema.type) ? this.oneOf(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.array(schema, name, depth);
      case 'integer':
      case 'number':
        return this.number(schema, type === 'integer');
      case 'boolean':
        return this.chance.next() < 0.5;
      case 'null':
        return null;
      default:
        return this.string(schema, name);
    }
  }

  private object(schema: JsonSchema, depth: number): Record<string, unknown> {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    const made = Object.entries(properties)
      .filter(([key]) => required.includes(key) || depth < DEEP)
      .map(([key, property]) => [key, this.make(property, key, depth + 1)]);
    // A record: as many entries as it must have, under names of its own.
    const least = Math.max(
      number(schema.minProperties) ?? 0,
      isRecord(schema.additionalProperties) && depth < DEEP ? 1 : 0,
    );
    for (let index = made.length; index < least; index++) {
      const key = isRecord(schema.propertyNames)
        ? String(this.make(schema.propertyNames, 'key', depth + 1))
        : (this.topic.words[index] ?? `key ${index + 1}`).toLowerCase();
      made.push([key, this.make(schema.additionalProperties, key, depth + 1)]);
    }
    return Object.fromEntries(made);
  }

  private array(schema: JsonSchema, name: string, depth: number): unknown[] {
    const least = number(schema.minItems) ?? 0;
    const most = number(schema.maxItems) ?? Number.POSITIVE_INFINITY;
    const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    const wished = Math.max(fixed.length, depth < DEEP ? Math.max(least, 2) : least);
    const length = Math.min(most, wished);
    const one = name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
    return Array.from({ length }, (_, index) =>
      this.make(fixed[index] ?? schema.items, length > 1 ? `${one} ${index + 1}` : one, depth + 1),
    );
  }

  private number(schema: JsonSchema, whole: boolean): number {
    const above = number(schema.exclusiveMinimum);
    const below = number(schema.exclusiveMaximum);
    let low = Math.max(number(schema.minimum) ?? -FAR, above ?? -FAR);
    let high = Math.min(number(schema.maximum) ?? FAR, below ?? FAR);
    // Where a side is open, stay near nought: zod writes the bounds of safe integers everywhere.
    if (high - low > FAR / 2) {
      const near = Math.min(Math.max(0, low), high);
      low = Math.max(low, near - (high <= 0 ? 10 : 0));
      high = Math.min(high, near + 10);
    }
    const step = number(schema.multipleOf) ?? (whole ? 1 : Math.min(0.01, (high - low) / 8));
    if (step <= 0) return low;
    const first = Math.ceil(low / step - ROUNDING) + (low === above ? 1 : 0);
    const last = Math.floor(high / step + ROUNDING) - (high === below ? 1 : 0);
    const value = this.chance.between(first, Math.max(first, last)) * step;
    return whole ? value : Number(value.toPrecision(12));
  }

  private string(schema: JsonSchema, name: string): string {
    if (typeof schema.pattern === 'string') {
      const made = matching(schema.pattern, this.chance);
      if (made !== undefined) return made;
    }
    const format = typeof schema.format === 'string' ? entryOf(FORMATS, schema.format) : undefined;
    if (format !== undefined) return format(this.chance);
    const least = number(schema.minLength) ?? 0;
    const most = number(schema.maxLength) ?? Number.POSITIVE_INFINITY;
    let text = this.sentence(name);
    while (text.length < least) text += ` ${this.sentence(name)}`;
    return text.length > most ? text.slice(0, most).trimEnd().padEnd(least, '.') : text;
  }

  /** Every string is another one, and names the field it fills. */
  private sentence(name: string): string {
    this.made += 1;
    const label = name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase();
    const word = this.topic.words[this.made % this.topic.words.length] ?? this.topic.words[0];
    return this.chance.pick([
      `Rehearsal: ${label} about the ${word}, number ${this.made}.`,
      `Rehearsal: a stand-in for the ${label}; it speaks of the ${word} (${this.made}).`,
      `Rehearsal: ${label} ${this.made}, to be replaced by what a model finds about the ${word}.`,
    ]);
  }

  private oneOf(items: readonly unknown[]): unknown {
    return items[this.chance.between(0, items.length - 1)];
  }

  /** Deep down the simplest branch, so that a schema that contains itself comes to an end. */
  private choose(branches: readonly unknown[], depth: number): unknown {
    if (depth < DEEP) return this.oneOf(branches);
    return (
      branches.find(
        (branch) =>
          isRecord(branch) && /^(null|string|number|boolean|integer)$/.test(String(branch.type)),
      ) ?? branches[0]
    );
  }

  private resolve(ref: string): unknown {
    let found: unknown = this.root;
    for (const part of ref.split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      found = isRecord(found) ? entryOf(found, key) : undefined;
    }
    return found;
  }
}

/** One schema out of those that must all hold. */
function merged(schema: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema;
  let all: Record<string, unknown> = rest;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    if (!isRecord(part)) continue;
    all = {
      ...all,
      ...part,
      properties: {
        ...(isRecord(all.properties) ? all.properties : {}),
        ...(isRecord(part.properties) ? part.properties : {}),
      },
      required: [
        ...(Array.isArray(all.required) ? all.required : []),
        ...(Array.isArray(part.required) ? part.required : []),
      ],
    };
  }
  return all;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const hex = (chance: Chance, digits: number): string =>
  Array.from({ length: digits }, () => chance.between(0, 15).toString(16)).join('');

const FORMATS: Readonly<Record<string, (chance: Chance) => string>> = {
  'date-time': (chance) =>
    `2026-01-${two(chance.between(1, 28))}T${two(chance.between(0, 23))}:00:00Z`,
  date: (chance) => `2026-01-${two(chance.between(1, 28))}`,
  time: (chance) => `${two(chance.between(0, 23))}:00:00`,
  uuid: (chance) =>
    `${hex(chance, 8)}-${hex(chance, 4)}-4${hex(chance, 3)}-a${hex(chance, 3)}-${hex(chance, 12)}`,
  email: () => 'rehearsal@example.org',
  uri: () => 'https://example.org/rehearsal',
};

function two(value: number): string {
  return String(value).padStart(2, '0');
}
