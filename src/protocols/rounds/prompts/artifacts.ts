/**
 * The artifacts of phase D: the schema of each role, and its format as Markdown. The headings are
 * the anchors that evidence cites.
 */
import * as z from 'zod';
import { entryOf } from '../../../kernel/entry.ts';
import { isRecord } from '../../../text/json.ts';
import { joinLines } from '../../../text/line.ts';
import { sanitiseAll } from '../../../text/sanitise.ts';
import { CLAIM_FIELD_SCHEMAS } from './claims.ts';
import { owedText, recordedText, type TextSchema } from './text-schemas.ts';

const confidence = z.number().int().min(1).max(5);
const verdict = z.enum(['PASS', 'FAIL', 'CONDITIONAL_PASS', 'INCONCLUSIVE']);

/** Makes the schemas of all artifacts. */
function shapesIn(short: TextSchema) {
  return {
    /** The Action's artifact: what happens step by step, with the state before and after. */
    action: z.object({
      title: short,
      traces: z
        .array(
          z.object({
            kind: z.enum(['happy', 'edge', 'cross-round']),
            name: short,
            /** The prompt asks for three variables or more, with their values at the start. */
            initial_state: z.array(z.object({ variable: short, value: z.string() })).min(1),
            /** The prompt asks for six to ten steps. Three are needed for a test. */
            steps: z.array(z.object({ action: short, state_delta: short })).min(3),
            outcome: short,
          }),
        )
        .min(1),
      self_score: confidence,
    }),

    /** The Guardian's artifact: one measurable invariant, and whether it holds. */
    guardian: z.object({
      title: short,
      /** What must always hold. */
      invariant: short,
      /** How it is measured. */
      measured_by: short,
      /** How much deviation is allowed. */
      tolerance: short,
      verdict,
      evidence: z.array(z.object({ quote: short, source: short, bears: short })).min(1),
      confidence,
    }),

    /** The Observer's artifact: a person outside the panel tries to get something done. */
    observer: z.object({
      title: short,
      persona: short,
      goal: short,
      starting_context: short,
      /** The prompt asks for eight to fifteen steps. */
      steps: z.array(z.object({ does: short, outcome: short })).min(3),
      friction: z.array(
        z.object({ step: z.number().int().min(1), point: short, severity: confidence }),
      ),
      goal_reached: z.enum(['yes', 'no', 'partially']),
    }),

    /** The Critic's artifact: an attack that others can reproduce, or an explicit ROBUST. */
    critic: z.object({
      title: short,
      target: short,
      hypothesis: short,
      preconditions: z.array(short).min(1),
      /** The prompt asks for five to ten steps. */
      attack_steps: z.array(z.object({ step: short, expected: short })).min(3),
      load_bearing_assumption: short,
      verdict: z.enum(['BROKEN', 'ROBUST', 'UNCLEAR']),
      confidence,
    }),
  };
}

const asked = shapesIn(owedText);
const recorded = shapesIn(recordedText);

/** The name, schema and Markdown format of each role's artifact. */
export const ARTIFACTS = {
  action: {
    name: 'Behavioural Trace Set',
    schema: asked.action.extend(CLAIM_FIELD_SCHEMAS),
    render: renderTraces,
    task: 'Trace what happens under the proposal: one happy path, and one edge case or one path that depends on a decision of an earlier round. Each trace begins with at least three variables and their values and has 6 to 10 steps; every step says what changes in the state, with its figure where there is one. The outcome is something one could observe. self_score: from 1 to 5, how sure you are that it would happen so.',
  },
  guardian: {
    name: 'Invariant Check',
    schema: asked.guardian.extend(CLAIM_FIELD_SCHEMAS),
    render: renderInvariant,
    task: 'State one invariant that the proposal must keep: always X (invariant), measured by Y (measured_by), with tolerance Z. Then judge the proposal: PASS, FAIL, CONDITIONAL_PASS or INCONCLUSIVE. Each piece of evidence quotes words that stand in the material (quote, copied), says where they stand (source) and how they bear on the verdict (bears); quotations are looked up. confidence: 1 to 5.',
  },
  observer: {
    name: 'Operator Walkthrough',
    schema: asked.observer.extend(CLAIM_FIELD_SCHEMAS),
    render: renderWalkthrough,
    task: 'Walk through the outcome as one named person (persona) with a goal and what they start from (starting_context), in 8 to 15 steps; each step says what the person does and what comes of it (outcome). friction: points at which they hesitate, err or give up, each with the number of the step at which it happens and a severity from 1 to 5. Do not help the person: they know what they would know. goal_reached: yes, no or partially.',
  },
  critic: {
    name: 'Adversarial Test Case',
    schema: asked.critic.extend(CLAIM_FIELD_SCHEMAS),
    render: renderAttack,
    task: 'Build one attack on one named target: the hypothesis, the preconditions under which it happens, 5 to 10 steps with what you expect at each (attack_steps), and the assumption of the proposal that it rests on (load_bearing_assumption). Name the point at which it meets what the proposal would do. verdict: what your own attack shows of the proposal. BROKEN: the proposal fails. ROBUST: it withstands, which is worth as much. UNCLEAR: it cannot be told. confidence: 1 to 5.',
  },
} as const;

/**
 * Formats an artifact as Markdown. Every part that evidence may cite gets a heading. Fields that
 * only code uses are left out.
 */
export function renderArtifact(role: keyof typeof ARTIFACTS, value: unknown): string {
  return ARTIFACTS[role].render(sanitiseAll(recorded[role].parse(value)));
}

/** Formats an artifact that is still being written. Missing and invalid parts are skipped. */
export function renderPartial(role: keyof typeof ARTIFACTS, value: unknown): string {
  return ARTIFACTS[role].render(value);
}

function renderTraces(set: unknown): string {
  return page(set, [
    ...list(set, 'traces').flatMap((trace, index) => [
      part(`Trace ${index + 1}`, text(trace, 'name'), wrap(' (', text(trace, 'kind'), ')')),
      part(
        `Trace ${index + 1} initial state`,
        bullets(
          list(trace, 'initial_state').map((one) =>
            join(text(one, 'variable'), wrap(': ', text(one, 'value'))),
          ),
        ),
      ),
      part(
        `Trace ${index + 1} steps`,
        numbers(
          list(trace, 'steps').map((one) =>
            join(text(one, 'action'), wrap(' → ', text(one, 'state_delta'))),
          ),
        ),
      ),
      part(`Trace ${index + 1} outcome`, text(trace, 'outcome')),
    ]),
    part('Self-score', wrap('', text(set, 'self_score'), ' of 5')),
  ]);
}

function renderInvariant(check: unknown): string {
  return page(check, [
    part('Invariant', text(check, 'invariant')),
    part('Measured by', text(check, 'measured_by')),
    part('Tolerance', text(check, 'tolerance')),
    part('Verdict', text(check, 'verdict'), certainty(check)),
    ...list(check, 'evidence').map((one, index) =>
      part(
        `Evidence ${index + 1}`,
        wrap('"', lineOf(one, 'quote'), '"'),
        wrap(' (', lineOf(one, 'source'), ')'),
        wrap(': ', text(one, 'bears')),
      ),
    ),
  ]);
}

function renderWalkthrough(walk: unknown): string {
  return page(walk, [
    part('Persona', text(walk, 'persona')),
    part('Goal', text(walk, 'goal')),
    part('Starting context', text(walk, 'starting_context')),
    ...list(walk, 'steps').map((one, index) =>
      part(`Step ${index + 1}`, text(one, 'does'), wrap(' → ', text(one, 'outcome'))),
    ),
    ...list(walk, 'friction').map((one, index) =>
      part(
        `Friction ${index + 1}`,
        wrap('At step ', text(one, 'step')),
        wrap(', severity ', text(one, 'severity'), ' of 5'),
        wrap(': ', text(one, 'point')),
      ),
    ),
    part('Goal reached', text(walk, 'goal_reached')),
  ]);
}

function renderAttack(attack: unknown): string {
  return page(attack, [
    part('Target', text(attack, 'target')),
    part('Hypothesis', text(attack, 'hypothesis')),
    part('Preconditions', bullets(list(attack, 'preconditions').map(show))),
    ...list(attack, 'attack_steps').map((one, index) =>
      part(`Attack ${index + 1}`, text(one, 'step'), wrap('\n\nExpected: ', text(one, 'expected'))),
    ),
    part('Load-bearing assumption', text(attack, 'load_bearing_assumption')),
    part('Verdict', text(attack, 'verdict'), certainty(attack)),
  ]);
}

/** A piece of Markdown; undefined while the model has not written it yet. */
type Part = string | undefined;

function page(value: unknown, parts: readonly Part[]): string {
  const title = lineOf(value, 'title');
  const all = [title === undefined ? undefined : `# ${title}`, ...parts];
  return `${all.filter((one) => one !== undefined).join('\n\n')}\n`;
}

/**
 * Makes a section that evidence can cite. Headings in the model's own text are removed, because
 * they would be false anchors.
 */
function part(heading: string, ...pieces: readonly Part[]): Part {
  const said = join(...pieces);
  if (said === undefined) return undefined;
  return `## ${heading}\n\n${said.trim().replace(/^(\s{0,3})(?=#)/gm, '$1\\')}`;
}

function bullets(items: readonly Part[]): Part {
  return lines(items, () => '- ');
}

function numbers(items: readonly Part[]): Part {
  return lines(items, (index) => `${index + 1}. `);
}

function lines(items: readonly Part[], mark: (index: number) => string): Part {
  const there = items.filter((one) => one !== undefined);
  if (there.length === 0) return undefined;
  return there.map((one, index) => `${mark(index)}${joinLines(one)}`).join('\n');
}

/** Joins the existing pieces; undefined if there are none. */
function join(...pieces: readonly Part[]): Part {
  const there = pieces.filter((one) => one !== undefined);
  return there.length === 0 ? undefined : there.join('');
}

function wrap(before: string, said: Part, after = ''): Part {
  return said === undefined ? undefined : `${before}${said}${after}`;
}

function certainty(value: unknown): Part {
  return wrap(' (confidence ', text(value, 'confidence'), ' of 5)');
}

/** Returns a field as text; undefined if there is no such field or nothing to show. */
function text(value: unknown, name: string): Part {
  return isRecord(value) ? show(entryOf(value, name)) : undefined;
}

function show(value: unknown): Part {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function lineOf(value: unknown, name: string): Part {
  const said = text(value, name);
  return said === undefined ? undefined : joinLines(said);
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = isRecord(value) ? entryOf(value, name) : undefined;
  return Array.isArray(found) ? found : [];
}
