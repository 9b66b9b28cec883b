/** Knows a schema by the names of its properties. */
import { entryOf } from '../../kernel/entry.ts';
import { isRecord } from '../failure.ts';
import type { JsonSchema } from '../provider.ts';

/** The schema of a property of an object, or of what an array holds; undefined where there is none. */
export function inside(schema: unknown, ...path: readonly string[]): JsonSchema | undefined {
  let found: unknown = schema;
  for (const name of path) {
    if (!isRecord(found)) return undefined;
    if (name === '[]') found = found.items;
    else found = isRecord(found.properties) ? entryOf(found.properties, name) : undefined;
  }
  return isRecord(found) ? found : undefined;
}

/** Whether it is an object of exactly these properties. */
export function isObjectOf(schema: unknown, ...names: readonly string[]): boolean {
  if (!isRecord(schema) || !isRecord(schema.properties)) return false;
  return Object.keys(schema.properties).toSorted().join() === names.toSorted().join();
}

/** The strings to choose from; none where anything goes. */
export function choices(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  if (typeof schema.const === 'string') return [schema.const];
  if (!Array.isArray(schema.enum)) return [];
  return schema.enum.filter((one) => typeof one === 'string');
}
