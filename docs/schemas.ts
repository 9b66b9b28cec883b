/**
 * Writes docs/schemas/*.schema.json from the program's schemas. `npm run schemas`; a test compares the files.
 * To add a schema, add one line.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { describeConfig } from '../src/app/settings/config.ts';
import { cardsSchema } from '../src/io/cards.ts';
import {
  boardSchema,
  castSchema,
  methodPresetSchema,
  questionSchema,
  roleSchema,
  specialistSchema,
  staffSchema,
} from '../src/io/preset-kinds.ts';
import { documentSchema } from '../src/knowledge/document.ts';
import { archiveSchema } from '../src/protocols/registry/archive.ts';
import { staffingSchema } from '../src/protocols/team/desk/staff.ts';
import { toolchainsSchema } from '../src/workshop/toolchains/schema.ts';

export const FOLDER: URL = new URL('schemas/', import.meta.url);

export const SCHEMAS: readonly { file: string; schema: z.ZodType; title: string }[] = [
  { file: 'config', schema: describeConfig(), title: 'config.yaml' },
  { file: 'board', schema: boardSchema, title: 'A preset board: boards/NAME.yaml' },
  { file: 'cast', schema: castSchema, title: 'A preset cast: casts/NAME.yaml' },
  { file: 'role', schema: roleSchema, title: 'The frontmatter of a role: roles/NAME.md' },
  { file: 'staff', schema: staffSchema, title: 'A preset staff: staffs/NAME.yaml' },
  {
    file: 'method',
    schema: methodPresetSchema,
    title: 'Values for a method of debate: methods/NAME.yaml',
  },
  {
    file: 'specialist',
    schema: specialistSchema,
    title: 'The frontmatter of a specialist: specialists/NAME.md',
  },
  {
    file: 'question',
    schema: questionSchema,
    title: 'The frontmatter of a question: questions/NAME.md',
  },
  { file: 'clusters', schema: cardsSchema, title: 'The clusters of a project: clusters.yaml' },
  {
    file: 'document',
    schema: documentSchema,
    title: 'What is read of the frontmatter of an indexed document',
  },
  {
    file: 'toolchains',
    schema: toolchainsSchema,
    title: 'How a team checks what languages and build tools make: toolchains.yaml',
  },
  { file: 'team', schema: staffingSchema, title: 'Who plays which tier of a team: team.yaml' },
  {
    file: 'run',
    schema: archiveSchema(),
    title: 'A run of deliberate, as exported with --format json',
  },
];

/**
 * Returns the text of a schema's file. The schema describes input, before defaults and conversions are applied.
 */
export function schemaText({ schema, title }: (typeof SCHEMAS)[number]): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

/** Returns the URL of a schema's file. */
export function schemaFile({ file }: (typeof SCHEMAS)[number]): URL {
  return new URL(`${file}.schema.json`, FOLDER);
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const schema of SCHEMAS) writeFileSync(schemaFile(schema), schemaText(schema));
}
