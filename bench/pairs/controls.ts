/** Controls that a careful reader wrote from the prompt, with the statements among which each is read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readYaml } from '../../src/io/yaml-file.ts';
import { whyConspicuous } from '../../src/protocols/plan/rules/conspicuous.ts';
import { describeGiveaway } from '../../src/protocols/plan/rules/inconspicuous.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import {
  type ControlInstructions,
  type WrittenControl,
  whyUnfit,
} from '../../src/protocols/plan/rules/written-control.ts';
import { type Panel, readPanels, saidSchema } from './panels.ts';

/**
 * The file of a set of controls. Those of `controls.yaml` were written by the plan's prompt of edition 5, those
 * of `unmarked.yaml` by the prompt of edition 7. `replaced.yaml` has controls in place of those of
 * `unmarked.yaml` that code refuses.
 */
export type ControlSet = 'controls.yaml' | 'unmarked.yaml' | 'replaced.yaml';

const controlsSchema = z.record(
  z.string(),
  z.array(
    z.strictObject({
      of: z.string(),
      role: z.string(),
      text: z.string(),
      because: z.string(),
      must: z.boolean().default(false),
    }),
  ),
);

const FURTHER = 'further.yaml';
const furtherSchema = z.record(z.string(), z.record(z.string(), z.array(saidSchema)));

/** A control of a panel, with what its writer was given. */
export interface WrittenCase {
  readonly panel: string;
  /** The control. Its `of` is the id of the statement that it contradicts. */
  readonly control: WrittenControl;
  /** The instructions by which the control was written. */
  readonly asked: ControlInstructions;
  /** All statements of the panel's seats, including conflicting ones, without controls. */
  readonly statements: readonly Statement[];
}

/**
 * Reads the controls of a set, panel by panel.
 * @throws BadFile that names file, line and what was expected
 * @throws Error if a panel is unknown, a control contradicts a statement that is in a conflict, or the control's
 * seat has no constraint as binding as the control
 */
export function readControls(set: ControlSet = 'controls.yaml'): WrittenCase[] {
  const panels = new Map(readPanels().map((panel) => [panel.name, panel]));
  const further = readYamlFile(FURTHER, furtherSchema);
  return Object.entries(readYamlFile(set, controlsSchema)).flatMap(([name, controls]) => {
    const panel = panels.get(name);
    if (panel === undefined) throw new Error(`there is no panel ${name}`);
    const statements = statementsOf(panel, further[name] ?? {});
    const inConflict = conflictsIn(panel);
    return controls.map(({ role, must, ...control }): WrittenCase => {
      if (inConflict.has(control.of)) throw new Error(`${name}: ${control.of} is in a conflict`);
      const own = statements.filter((statement) => statement.role === role);
      return {
        panel: name,
        control: { ...control, title: '' },
        asked: {
          role,
          own,
          candidates: statements.filter((statement) => statement.role !== role),
          like: likeOf(own, must),
        },
        statements,
      };
    });
  });
}

/** Returns why code of edition 7 refuses a control of a plan with this topic; undefined if it accepts it. */
export function whyRefused(
  { control, asked, statements }: WrittenCase,
  topic: string,
): string | undefined {
  return (
    whyUnfit(control, asked, statements) ??
    whyConspicuous(control, asked, [topic]) ??
    describeGiveaway(control, asked, [topic], statements)
  );
}

/** Reads the controls of edition 7 that code accepts, fifteen for each panel. */
export function readAcceptedControls(): WrittenCase[] {
  const topics = new Map(readPanels().map(({ name, topic }) => [name, topic]));
  return [...readControls('unmarked.yaml'), ...readControls('replaced.yaml')].filter(
    (controlCase) => whyRefused(controlCase, topics.get(controlCase.panel) ?? '') === undefined,
  );
}

/** Returns the ids of the statements of a panel that are in a planted conflict. */
export function conflictsIn({ pairs }: Panel): Set<string> {
  return new Set(
    pairs.flatMap(({ clash, third }) => [...clash, ...(third === undefined ? [] : [third])]),
  );
}

function readYamlFile<T>(file: string, schema: z.ZodType<T>): T {
  return readYaml(file, readFileSync(join(import.meta.dirname, file), 'utf8'), schema).value;
}

/** The statements of a panel and the further ones, numbered on by seat. */
function statementsOf(
  { statements }: Panel,
  further: Readonly<Record<string, Panel['statements'][string]>>,
): Statement[] {
  return Object.entries(statements).flatMap(([role, said]) =>
    [...said, ...(further[role] ?? [])].map(
      (statement, at): Statement => ({
        ...statement,
        id: `${role}-${at + 1}`,
        role,
        round: 1,
        state: 'live',
        earlier: [],
      }),
    ),
  );
}

/** Returns the constraint of a seat that a control looks like: the first one that is as binding. */
function likeOf(own: readonly Statement[], must: boolean): Statement {
  const like = own.find((statement) => statement.kind === 'constraint' && statement.must === must);
  if (like === undefined) throw new Error(`${own[0]?.role} has no statement like that`);
  return like;
}
