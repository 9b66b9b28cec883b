/**
 * The four artifacts of phase D: what each role must hand in, as a schema, and how it becomes Markdown
 * whose headings are the anchors that evidence cites.
 */
import * as z from 'zod';
import { sanitiseAll } from '../../../text/sanitise.ts';
import { HELD } from './claims.ts';
import { recordedWords, type Words, words } from './words.ts';

const confidence = z.number().int().min(1).max(5);
const verdict = z.enum(['PASS', 'FAIL', 'CONDITIONAL_PASS', 'INCONCLUSIVE']);

/** What each role hands in, made of words as they are asked for or as they stand on record. */
function shapesIn(short: Words) {
  return {
    /** Action: what happens, step by step, with the state before and after. */
    action: z.object({
      title: short,
      traces: z
        .array(
          z.object({
            kind: z.enum(['happy', 'edge', 'cross-round']),
            name: short,
            /** Three variables or more are asked for, with their values at the start. */
            initial_state: z.array(z.object({ variable: short, value: z.string() })).min(1),
            /** Six to ten steps are asked for; three are the least that can be tested. */
            steps: z.array(z.object({ action: short, state_delta: short })).min(3),
            outcome: short,
          }),
        )
        .min(1),
      self_score: confidence,
    }),

    /** Guardian: one invariant, measurable, and whether it holds. */
    guardian: z.object({
      title: short,
      /** Always X … */
      invariant: short,
      /** … measured by Y … */
      measured_by: short,
      /** … with tolerance Z. */
      tolerance: short,
      verdict,
      evidence: z.array(z.object({ quote: short, source: short, bears: short })).min(1),
      confidence,
    }),

    /** Observer: a person who is not in the room tries to get something done. */
    observer: z.object({
      title: short,
      persona: short,
      goal: short,
      starting_context: short,
      /** Eight to fifteen steps are asked for. */
      steps: z.array(z.object({ does: short, outcome: short })).min(3),
      friction: z.array(
        z.object({ step: z.number().int().min(1), point: short, severity: confidence }),
      ),
      goal_reached: z.enum(['yes', 'no', 'partially']),
    }),

    /** Critic: an attack that somebody could reproduce, or an explicit ROBUST. */
    critic: z.object({
      title: short,
      target: short,
      hypothesis: short,
      preconditions: z.array(short).min(1),
      /** Five to ten steps are asked for. */
      attack_steps: z.array(z.object({ step: short, expected: short })).min(3),
      load_bearing_assumption: short,
      verdict: z.enum(['BROKEN', 'ROBUST', 'UNCLEAR']),
      confidence,
    }),
  };
}

const asked = shapesIn(words);
const recorded = shapesIn(recordedWords);
type Shapes = typeof recorded;

export const ARTIFACTS = {
  action: {
    name: 'Behavioural Trace Set',
    schema: asked.action.extend(HELD),
    render: renderTraces,
    task: 'Trace what happens under the proposal: one happy path, and one edge case or one path that depends on a decision of an earlier round. Each trace begins with at least three variables and their values and has 6 to 10 steps; every step says what changes in the state, with its figure where there is one. The outcome is something one could observe. self_score: from 1 to 5, how sure you are that it would happen so.',
  },
  guardian: {
    name: 'Invariant Check',
    schema: asked.guardian.extend(HELD),
    render: renderInvariant,
    task: 'State one invariant that the proposal must keep: always X (invariant), measured by Y (measured_by), with tolerance Z. Then judge the proposal: PASS, FAIL, CONDITIONAL_PASS or INCONCLUSIVE. Each piece of evidence quotes words that stand in the material (quote, copied), says where they stand (source) and how they bear on the verdict (bears); quotations are looked up. confidence: 1 to 5.',
  },
  observer: {
    name: 'Operator Walkthrough',
    schema: asked.observer.extend(HELD),
    render: renderWalkthrough,
    task: 'Walk through the outcome as one named person (persona) with a goal and what they start from (starting_context), in 8 to 15 steps; each step says what the person does and what comes of it (outcome). friction: points at which they hesitate, err or give up, each with the number of the step at which it happens and a severity from 1 to 5. Do not help the person: they know what they would know. goal_reached: yes, no or partially.',
  },
  critic: {
    name: 'Adversarial Test Case',
    schema: asked.critic.extend(HELD),
    render: renderAttack,
    task: 'Build one attack on one named target: the hypothesis, the preconditions under which it happens, 5 to 10 steps with what you expect at each (attack_steps), and the assumption of the proposal that it rests on (load_bearing_assumption). Name the point at which it meets what the proposal would do. verdict: what your own attack shows of the proposal. BROKEN: the proposal fails. ROBUST: it withstands, which is worth as much. UNCLEAR: it cannot be told. confidence: 1 to 5.',
  },
} as const;

/**
 * The artifact as Markdown. Every part that evidence may cite stands under a heading of its own; it is
 * cited by what is read of it, so what is hidden from readers goes first. The call has the seat's own words.
 */
export function renderArtifact(role: keyof typeof ARTIFACTS, value: unknown): string {
  const { render } = ARTIFACTS[role];
  // The union of four renderers cannot be called without telling which schema the value has passed.
  return (render as (artifact: unknown) => string)(sanitiseAll(recorded[role].parse(value)));
}

function renderTraces(set: z.infer<Shapes['action']>): string {
  return page(set.title, [
    ...set.traces.flatMap((trace, index) => [
      part(`Trace ${index + 1}`, `${trace.name} (${trace.kind})`),
      part(
        `Trace ${index + 1} initial state`,
        bullets(trace.initial_state.map(({ variable, value }) => `${variable}: ${value}`)),
      ),
      part(
        `Trace ${index + 1} steps`,
        numbers(trace.steps.map(({ action, state_delta }) => `${action} → ${state_delta}`)),
      ),
      part(`Trace ${index + 1} outcome`, trace.outcome),
    ]),
    part('Self-score', `${set.self_score} of 5`),
  ]);
}

function renderInvariant(check: z.infer<Shapes['guardian']>): string {
  return page(check.title, [
    part('Invariant', check.invariant),
    part('Measured by', check.measured_by),
    part('Tolerance', check.tolerance),
    part('Verdict', `${check.verdict} (confidence ${check.confidence} of 5)`),
    ...check.evidence.map(({ quote, source, bears }, index) =>
      part(`Evidence ${index + 1}`, `"${oneLine(quote)}" (${oneLine(source)}): ${bears}`),
    ),
  ]);
}

function renderWalkthrough(walk: z.infer<Shapes['observer']>): string {
  return page(walk.title, [
    part('Persona', walk.persona),
    part('Goal', walk.goal),
    part('Starting context', walk.starting_context),
    ...walk.steps.map(({ does, outcome }, index) =>
      part(`Step ${index + 1}`, `${does} → ${outcome}`),
    ),
    ...walk.friction.map(({ step, point, severity }, index) =>
      part(`Friction ${index + 1}`, `At step ${step}, severity ${severity} of 5: ${point}`),
    ),
    part('Goal reached', walk.goal_reached),
  ]);
}

function renderAttack(attack: z.infer<Shapes['critic']>): string {
  return page(attack.title, [
    part('Target', attack.target),
    part('Hypothesis', attack.hypothesis),
    part('Preconditions', bullets(attack.preconditions)),
    ...attack.attack_steps.map(({ step, expected }, index) =>
      part(`Attack ${index + 1}`, `${step}\n\nExpected: ${expected}`),
    ),
    part('Load-bearing assumption', attack.load_bearing_assumption),
    part('Verdict', `${attack.verdict} (confidence ${attack.confidence} of 5)`),
  ]);
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${oneLine(title)}`, ...parts].join('\n\n')}\n`;
}

/** A heading that evidence can cite. Headings of the model's own in the text would be false anchors. */
function part(heading: string, text: string): string {
  return `## ${heading}\n\n${text.trim().replace(/^(\s{0,3})(?=#)/gm, '$1\\')}`;
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${oneLine(item)}`).join('\n');
}

function numbers(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${oneLine(item)}`).join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
