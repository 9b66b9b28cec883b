/** Controls that a careful reader wrote from the prompt, with the statements among which each is read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readYaml } from '../../src/io/yaml-file.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import type { Commission, WrittenControl } from '../../src/protocols/plan/rules/written-control.ts';
import { type Panel, readPanels } from './panels.ts';

const FILE = 'controls.yaml';
const fileSchema = z.record(
  z.string(),
  z.array(
    z.strictObject({ of: z.string(), role: z.string(), text: z.string(), because: z.string() }),
  ),
);

/** A control, with the statement that it was written to contradict. */
export interface WrittenCase {
  readonly panel: string;
  readonly control: WrittenControl;
  readonly asked: Commission;
  /** The statements, without those in conflict with the one that it contradicts. */
  readonly statements: readonly Statement[];
}

/**
 * Reads all controls, panel by panel.
 * @throws BadFile that names file, line and what was expected
 */
export function readControls(): WrittenCase[] {
  const panels = new Map(readPanels().map((panel) => [panel.name, panel]));
  const text = readFileSync(join(import.meta.dirname, FILE), 'utf8');
  return Object.entries(readYaml(FILE, text, fileSchema).value).flatMap(([name, controls]) => {
    const panel = panels.get(name);
    if (panel === undefined) throw new Error(`there is no panel ${name}`);
    return controls.map(({ role, ...control }): WrittenCase => {
      const statements = apartFrom(control.of, panel);
      const own = statements.filter((one) => one.role === role);
      const candidates = statements.filter((one) => one.role !== role);
      return {
        panel: name,
        control: { ...control, title: '' },
        asked: { role, own, candidates },
        statements,
      };
    });
  });
}

function apartFrom(of: string, { pairs, statements }: Panel): Statement[] {
  const against = new Set(
    pairs.flatMap(({ clash, third }) => {
      if (!clash.includes(of)) return third === of ? [clash[0]] : [];
      return clash.filter((id) => id !== of);
    }),
  );
  return Object.entries(statements).flatMap(([role, said]) =>
    said
      .map(
        (one, at): Statement => ({
          ...{ ...one, id: `${role}-${at + 1}`, role },
          ...{ round: 1, state: 'live', earlier: [] },
        }),
      )
      .filter(({ id }) => !against.has(id)),
  );
}
