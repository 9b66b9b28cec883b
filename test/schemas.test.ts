/** The published schemas are those that the program reads by. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FOLDER, SCHEMAS, schemaFile, schemaText } from '../docs/schemas.ts';
import { SETTING_NAMES } from '../src/app/settings/config.ts';

describe('docs/schemas (npm run schemas)', () => {
  it.each(SCHEMAS)('contains the schema $file as the code generates it', (schema) => {
    expect(readFileSync(schemaFile(schema), 'utf8')).toBe(schemaText(schema));
  });

  it('contains only generated schemas', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(
      SCHEMAS.map(({ file }) => `${file}.schema.json`).sort(),
    );
  });

  it('has a description of every setting', () => {
    const config = SCHEMAS.find(({ file }) => file === 'config');
    const { properties } = JSON.parse(config ? schemaText(config) : '{}') as {
      properties: Record<string, { description?: string }>;
    };
    expect(Object.keys(properties)).toEqual(SETTING_NAMES);
    for (const { description } of Object.values(properties)) expect(description).toMatch(/\w{3}/);
  });
});
