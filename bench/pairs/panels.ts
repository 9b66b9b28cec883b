/**
 * The panels: what each specialist says first, and which statements cannot all be followed. One file for each
 * panel.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { readYaml } from '../../src/io/yaml-file.ts';
import { STATEMENT_KINDS } from '../../src/protocols/plan/rules/statements.ts';

/**
 * How a planted pair of statements conflicts. `explicit`: by two figures, or by "do" and "don't". `implicit`:
 * by what the words imply. `third`: only together with a third statement.
 */
export const PAIR_KINDS = ['explicit', 'implicit', 'third'] as const;

const id = z.string().regex(/^[a-z]+-\d+$/);

const pairSchema = z.strictObject({
  kind: z.enum(PAIR_KINDS),
  /** The two statements that cannot both be followed, by the ids that code will give them. */
  clash: z.tuple([id, id]),
  /** For the kind `third`: the third statement, without which the two can both be followed. */
  third: id.optional(),
  /** Which of the two statements should be kept, by the reasons given for them; absent if only a person can decide. */
  holds: id.optional(),
  /** Explains the conflict to people who read the panel's file. No model sees it. */
  why: z.string(),
});
/** A planted pair of statements that conflict. */
export type Pair = z.infer<typeof pairSchema>;

/** The form of a statement in a panel's file. */
export const saidSchema = z.strictObject({
  text: z.string().max(900),
  because: z.string().max(600),
  kind: z.enum(STATEMENT_KINDS).default('constraint'),
  must: z.boolean().default(false),
});

const panelSchema = z.strictObject({
  topic: z.string(),
  /** The title of each specialist's role, such as `Engineer for payments`. */
  roles: z.record(z.string(), z.string()),
  /** The statements of each role, in the order in which they are said. */
  statements: z.record(z.string(), z.array(saidSchema)),
  pairs: z.array(pairSchema),
  /** Pairs of statements about the same thing that can both be followed. */
  decoys: z.array(z.tuple([id, id])),
});

/**
 * A test panel of specialists: what each of them says, the planted pairs of statements that conflict, and the
 * decoys, which are pairs about the same thing that can both be followed.
 */
export type Panel = z.infer<typeof panelSchema> & { readonly name: string };

const FOLDER = join(import.meta.dirname, 'panels');

/**
 * Reads all test panels, in the order of their names.
 * @throws BadFile that names file, line and what was expected
 */
export function readPanels(): Panel[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      return { ...readYaml(file, text, panelSchema).value, name: basename(file, '.yaml') };
    });
}

/** Returns the ids that code gives to a panel's statements: the role and a number, such as `payments-1`. */
export function idsOf({ statements }: Pick<Panel, 'statements'>): string[] {
  return Object.entries(statements).flatMap(([role, all]) =>
    all.map((_, at) => `${role}-${at + 1}`),
  );
}
