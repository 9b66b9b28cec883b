/** The panels: what each specialist says first, and which of it cannot all be followed. One file each. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { readYaml } from '../../src/io/yaml-file.ts';
import { STATEMENT_KINDS } from '../../src/protocols/plan/rules/statements.ts';

/** Two figures, do and don't; other words, of which it only follows; only with a third statement. */
export const PAIR_KINDS = ['explicit', 'implicit', 'third'] as const;

const id = z.string().regex(/^[a-z]+-\d+$/);

const pairSchema = z.strictObject({
  kind: z.enum(PAIR_KINDS),
  /** The two that cannot both be followed, by the ids that code will give them. */
  clash: z.tuple([id, id]),
  /** Without it the two go together. */
  third: id.optional(),
  /** The one that the grounds on the table decide for; absent: no ground does, and the person has to. */
  holds: id.optional(),
  /** For whoever reads the panel. No model is shown it. */
  why: z.string(),
});
export type Pair = z.infer<typeof pairSchema>;

/** A statement as its seat says it. */
export const saidSchema = z.strictObject({
  text: z.string().max(900),
  because: z.string().max(600),
  kind: z.enum(STATEMENT_KINDS).default('constraint'),
  must: z.boolean().default(false),
});

const panelSchema = z.strictObject({
  topic: z.string(),
  /** By role: its title. */
  roles: z.record(z.string(), z.string()),
  /** By role, in the order in which they are said. */
  statements: z.record(z.string(), z.array(saidSchema)),
  pairs: z.array(pairSchema),
  /** Statements that speak of the same thing and go together. */
  decoys: z.array(z.tuple([id, id])),
});

export type Panel = z.infer<typeof panelSchema> & { readonly name: string };

const FOLDER = join(import.meta.dirname, 'panels');

/** All of them, by name. @throws BadFile naming file, line and what was expected */
export function readPanels(): Panel[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      return { ...readYaml(file, text, panelSchema).value, name: basename(file, '.yaml') };
    });
}

/** The ids that code gives the statements. */
export function idsOf({ statements }: Pick<Panel, 'statements'>): string[] {
  return Object.entries(statements).flatMap(([role, all]) =>
    all.map((_, at) => `${role}-${at + 1}`),
  );
}
