/** Has the plan written: a spec that has to account for every statement, which code counts. */
import { linesOfQuotation } from '../../../text/words/quotation.ts';
import { CHAIR, editionOf, TIME_LIMITS } from '../config.ts';
import { findExistingFiles } from '../documents.ts';
import { fact } from '../facts.ts';
import { isExamined } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import { draftMessages, draftSchema } from '../prompts/synthesis.ts';
import { citedParts, listOpenPoints } from '../rules/checks.ts';
import { checkDraft, type Draft, type Fix, type Spec, type SpecBasis } from '../rules/spec.ts';
import { findLiveStatements } from '../rules/statements.ts';
import { renderSpec } from '../spec-lines.ts';
import { deriveSpecBasis } from '../standings.ts';
import { titleOf } from '../topic.ts';
import { checkSpecDraft, type SpecReading } from './check.ts';

/**
 * Asks the chair to write the spec (the finished plan), and once more if the first draft has faults. Records the
 * draft with fewer faults, and the state in which the plan ended.
 * @returns why there is no spec; undefined if there is one
 */
export async function writeSpec(
  plan: PlanRun,
  seats: readonly string[],
): Promise<string | undefined> {
  const { topic, view, config } = plan;
  const basis = deriveSpecBasis(view);
  const isChecked = editionOf(config) >= 3;
  // Keep what readers found, so that parts which a second draft leaves unchanged are not read twice.
  const read: SpecReading = new Map();
  const first = await draftSpec(plan, 'synthesis', basis, isChecked ? read : undefined);
  if ('why' in first) return `there is no synthesis: ${first.why}`;
  let { spec } = first;
  if (first.lacks > 0) {
    const again = isChecked ? read : undefined;
    const second = await draftSpec(plan, 'synthesis/again', basis, again, first);
    if ('spec' in second && second.lacks < first.lacks) spec = second.spec;
  }
  const round = Math.max(0, ...view.examined.map((examination) => examination.round));
  const isLookedThrough = isExamined(view, round);
  const state = !isLookedThrough
    ? 'unexamined'
    : listOpenPoints(spec, basis, isLookedThrough).length > 0
      ? 'open'
      : 'converged';
  const title = titleOf(topic);
  const chair = plan.seat(CHAIR, 'synthesis').model;
  await plan.record('synthesis/written', { state }, [
    fact('plan.written', { state, title, spec }),
    fact('synthesis.completed', {
      version: 1,
      model: chair,
      text: renderSpec(spec, basis, title).join('\n\n'),
      included: seats.filter((seat) => !basis.notHeard.some(({ role }) => role === seat)),
      excluded: basis.notHeard.map(({ role }) => ({ seat: role, reason: 'failed' as const })),
      labels: {},
      missing: [],
      rehearsal: chair.startsWith('rehearsal/'),
    }),
  ]);
  return undefined;
}

interface Drafted {
  /** The draft as the model wrote it. */
  readonly given: unknown;
  readonly spec: Spec;
  /**
   * How many faults another draft could fix; from edition 3 of the rules on these include parts found wrong
   * by readers.
   */
  readonly lacks: number;
}

async function draftSpec(
  plan: PlanRun,
  key: string,
  basis: SpecBasis,
  read: SpecReading | undefined,
  earlier?: Drafted,
): Promise<Drafted | { why: string }> {
  const { topic, config, view } = plan;
  const standing = findLiveStatements(basis.statements);
  const asked = await plan.ask(key, {
    task: 'plan/synthesis',
    seat: CHAIR,
    about: { heard: standing.map(({ id, text }) => ({ from: id, text })) },
    isShownAttached: true,
    messages: draftMessages(
      topic,
      basis,
      view.researched.flatMap(({ found: claims }) => claims),
      earlier === undefined ? undefined : { ...earlier.spec, text: JSON.stringify(earlier.given) },
      config.seed,
    ),
    schema: draftSchema(
      standing.map(({ id }) => id),
      editionOf(config),
    ),
    timeoutMs: TIME_LIMITS.synthesis,
  });
  if ('why' in asked) return asked;
  const { fixes, ...rest } = asked.value;
  const found = await findExistingFiles(plan, `${key}/files`, [
    ...new Set([...rest.tasks.flatMap(({ files }) => files), ...fixes].map(({ path }) => path)),
  ]);
  const placed: (Fix | Draft['fixes'][number])[] = [];
  for (const [index, { replacement, ...told }] of fixes.entries()) {
    const fix = replacement?.trim() ? { ...told, replacement } : told;
    const lines = found.has(fix.path)
      ? await linesIn(plan, `${key}/fix-${index + 1}`, fix.path, fix.quotation)
      : undefined;
    placed.push(lines === undefined ? fix : { ...fix, from: lines[0], to: lines[1] });
  }
  const spec = checkDraft({ ...rest, fixes: placed }, basis, (path) => found.has(path));
  if (read === undefined) return { given: asked.value, spec, lacks: spec.forgotten.length };
  const checks = await checkSpecDraft(plan, key, spec, basis, read);
  const refused = citedParts(rest).length - citedParts(spec).length;
  const lacks = [spec.forgotten, checks.notCarried, checks.contradictions];
  return {
    given: asked.value,
    spec: { ...spec, checks },
    lacks: lacks.reduce((sum, { length }) => sum + length, refused),
  };
}

/** Returns the first and last line of a quotation in a file; undefined if the file does not contain it. */
async function linesIn(
  plan: PlanRun,
  key: string,
  path: string,
  quotation: string,
): Promise<readonly [number, number] | undefined> {
  const call = { name: 'read', arguments: { path } };
  const { text, from, refused } = await plan.run.callTool(key, CHAIR, call);
  const lines = refused ? undefined : linesOfQuotation(quotation, { text });
  return lines && [lines[0] + from - 1, lines[1] + from - 1];
}
