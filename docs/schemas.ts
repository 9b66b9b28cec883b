/** Writes the JSON Schemas of our file formats from the code that reads them. A test refuses others. */
import { mkdirSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { archiveSchema } from '../src/store/archive.ts';

export interface PublishedSchema {
  /** Below docs/schemas/. */
  readonly file: string;
  readonly title: string;
  readonly schema: z.ZodType;
}

export const SCHEMAS: readonly PublishedSchema[] = [
  {
    file: 'run.schema.json',
    title: 'A run of deliberate, as exported with --format json',
    schema: archiveSchema,
  },
];

export function schemaText({ title, schema }: PublishedSchema): string {
  return `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: 'input' }) }, null, 2)}\n`;
}

if (import.meta.main) {
  const folder = new URL('./schemas/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const one of SCHEMAS) writeFileSync(new URL(one.file, folder), schemaText(one));
}
