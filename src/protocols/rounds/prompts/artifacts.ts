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
import { readableTextSchema, recordedText, type TextSchema } from './text-schemas.ts';

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
            /** The state at the start of the trace. The prompt asks for three variables or more. */
            initial_state: z.array(z.object({ variable: short, value: z.string() })).min(1),
            /**
             * The prompt asks the Action for six to ten steps in each trace of its proposal. The schema also accepts
             * three, because even a short trace can be tested.
             */
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
      /** The rule (invariant) that must always be true of the proposal. */
      invariant: short,
      /** How one measures whether the invariant holds. */
      measured_by: short,
      /** How far the measured value may be from what the invariant demands, in the Guardian's words. */
      tolerance: short,
      verdict,
      evidence: z.array(z.object({ quote: short, source: short, bears: short })).min(1),
      confidence,
    }),

    /**
     * The Observer's artifact: the story of an invented person outside the panel, who tries to reach a goal with the
     * proposal.
     */
    observer: z.object({
      title: short,
      persona: short,
      goal: short,
      starting_context: short,
      /**
       * What the invented person (`persona`) does, step by step. The prompt asks the Observer for 8 to 15 steps; the
       * schema accepts as few as 3.
       */
      steps: z.array(z.object({ does: short, outcome: short })).min(3),
      friction: z.array(
        z.object({ step: z.number().int().min(1), point: short, severity: confidence }),
      ),
      goal_reached: z.enum(['yes', 'no', 'partially']),
    }),

    /**
     * The Critic's artifact: an attack that others can reproduce, and a verdict. ROBUST means that the proposal
     * withstands it.
     */
    critic: z.object({
      title: short,
      target: short,
      hypothesis: short,
      preconditions: z.array(short).min(1),
      /** The steps of the attack. The prompt asks the Critic for five to ten; the schema accepts as few as three. */
      attack_steps: z.array(z.object({ step: short, expected: short })).min(3),
      load_bearing_assumption: short,
      verdict: z.enum(['BROKEN', 'ROBUST', 'UNCLEAR']),
      confidence,
    }),
  };
}

const asked = shapesIn(readableTextSchema);
const recorded = shapesIn(recordedText);

/** For each role, the name, schema, Markdown format and task of its artifact. */
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
 * Formats an artifact as Markdown. Every part that evidence may cite gets a heading. The fields with claims,
 * withdrawals and objections are left out.
 */
export function renderArtifact(role: keyof typeof ARTIFACTS, value: unknown): string {
  return ARTIFACTS[role].render(sanitiseAll(recorded[role].parse(value)));
}

/** Formats an artifact that is still being written. Missing and invalid parts are skipped. */
export function renderPartial(role: keyof typeof ARTIFACTS, value: unknown): string {
  return ARTIFACTS[role].render(value);
}

function renderTraces(set: unknown): string {
  return renderPage(set, [
    ...readList(set, 'traces').flatMap((trace, index) => [
      renderSection(
        `Trace ${index + 1}`,
        readText(trace, 'name'),
        wrapPart(' (', readText(trace, 'kind'), ')'),
      ),
      renderSection(
        `Trace ${index + 1} initial state`,
        renderBulletList(
          readList(trace, 'initial_state').map((variable) =>
            joinPieces(readText(variable, 'variable'), wrapPart(': ', readText(variable, 'value'))),
          ),
        ),
      ),
      renderSection(
        `Trace ${index + 1} steps`,
        renderNumberedList(
          readList(trace, 'steps').map((step) =>
            joinPieces(readText(step, 'action'), wrapPart(' → ', readText(step, 'state_delta'))),
          ),
        ),
      ),
      renderSection(`Trace ${index + 1} outcome`, readText(trace, 'outcome')),
    ]),
    renderSection('Self-score', wrapPart('', readText(set, 'self_score'), ' of 5')),
  ]);
}

function renderInvariant(check: unknown): string {
  return renderPage(check, [
    renderSection('Invariant', readText(check, 'invariant')),
    renderSection('Measured by', readText(check, 'measured_by')),
    renderSection('Tolerance', readText(check, 'tolerance')),
    renderSection('Verdict', readText(check, 'verdict'), renderConfidence(check)),
    ...readList(check, 'evidence').map((entry, index) =>
      renderSection(
        `Evidence ${index + 1}`,
        wrapPart('"', lineOf(entry, 'quote'), '"'),
        wrapPart(' (', lineOf(entry, 'source'), ')'),
        wrapPart(': ', readText(entry, 'bears')),
      ),
    ),
  ]);
}

function renderWalkthrough(walk: unknown): string {
  return renderPage(walk, [
    renderSection('Persona', readText(walk, 'persona')),
    renderSection('Goal', readText(walk, 'goal')),
    renderSection('Starting context', readText(walk, 'starting_context')),
    ...readList(walk, 'steps').map((step, index) =>
      renderSection(
        `Step ${index + 1}`,
        readText(step, 'does'),
        wrapPart(' → ', readText(step, 'outcome')),
      ),
    ),
    ...readList(walk, 'friction').map((frictionPoint, index) =>
      renderSection(
        `Friction ${index + 1}`,
        wrapPart('At step ', readText(frictionPoint, 'step')),
        wrapPart(', severity ', readText(frictionPoint, 'severity'), ' of 5'),
        wrapPart(': ', readText(frictionPoint, 'point')),
      ),
    ),
    renderSection('Goal reached', readText(walk, 'goal_reached')),
  ]);
}

function renderAttack(attack: unknown): string {
  return renderPage(attack, [
    renderSection('Target', readText(attack, 'target')),
    renderSection('Hypothesis', readText(attack, 'hypothesis')),
    renderSection('Preconditions', renderBulletList(readList(attack, 'preconditions').map(toText))),
    ...readList(attack, 'attack_steps').map((step, index) =>
      renderSection(
        `Attack ${index + 1}`,
        readText(step, 'step'),
        wrapPart('\n\nExpected: ', readText(step, 'expected')),
      ),
    ),
    renderSection('Load-bearing assumption', readText(attack, 'load_bearing_assumption')),
    renderSection('Verdict', readText(attack, 'verdict'), renderConfidence(attack)),
  ]);
}

/** A piece of Markdown; undefined while the model has not written it yet. */
type Part = string | undefined;

function renderPage(value: unknown, parts: readonly Part[]): string {
  const title = lineOf(value, 'title');
  const all = [title === undefined ? undefined : `# ${title}`, ...parts];
  return `${all.filter((part) => part !== undefined).join('\n\n')}\n`;
}

/**
 * Makes a section that evidence can cite. Headings in the model's own text are escaped, because
 * they would be false anchors. Returns undefined if the model has written nothing for the section yet.
 */
function renderSection(heading: string, ...pieces: readonly Part[]): Part {
  const said = joinPieces(...pieces);
  if (said === undefined) return undefined;
  return `## ${heading}\n\n${said.trim().replace(/^(\s{0,3})(?=#)/gm, '$1\\')}`;
}

function renderBulletList(items: readonly Part[]): Part {
  return renderLines(items, () => '- ');
}

function renderNumberedList(items: readonly Part[]): Part {
  return renderLines(items, (index) => `${index + 1}. `);
}

function renderLines(items: readonly Part[], mark: (index: number) => string): Part {
  const there = items.filter((item) => item !== undefined);
  if (there.length === 0) return undefined;
  return there.map((item, index) => `${mark(index)}${joinLines(item)}`).join('\n');
}

/** Joins the existing pieces; undefined if there are none. */
function joinPieces(...pieces: readonly Part[]): Part {
  const there = pieces.filter((piece) => piece !== undefined);
  return there.length === 0 ? undefined : there.join('');
}

function wrapPart(before: string, said: Part, after = ''): Part {
  return said === undefined ? undefined : `${before}${said}${after}`;
}

function renderConfidence(value: unknown): Part {
  return wrapPart(' (confidence ', readText(value, 'confidence'), ' of 5)');
}

/** Returns a field as text; undefined if there is no such field or nothing to show. */
function readText(value: unknown, name: string): Part {
  return isRecord(value) ? toText(entryOf(value, name)) : undefined;
}

function toText(value: unknown): Part {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function lineOf(value: unknown, name: string): Part {
  const said = readText(value, name);
  return said === undefined ? undefined : joinLines(said);
}

function readList(value: unknown, name: string): readonly unknown[] {
  const found = isRecord(value) ? entryOf(value, name) : undefined;
  return Array.isArray(found) ? found : [];
}
