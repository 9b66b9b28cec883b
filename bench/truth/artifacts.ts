/** Makes artifacts of the required length about the claim that the seat puts first. */
import type { Ask } from './answers.ts';
import { subjectOf } from './claims.ts';

/** Returns the artifact of a simulated seat, in the form and length that its role requires. */
export function drawArtifact(ask: Ask): object {
  const { role } = ask;
  if (role === 'action') return makeTraces(ask);
  if (role === 'guardian') return makeInvariant(ask);
  return role === 'observer' ? makeWalkthrough(ask) : makeAttack(ask);
}

/** Makes `count` things, one after the other. */
function repeat<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function makeTraces(ask: Ask): object {
  const { world, chance } = ask;
  const makeSentence = () => world.sentence(chance);
  return {
    title: 'What happens when it is done',
    traces: (['happy', 'edge'] as const).map((kind) => ({
      kind,
      name: makeSentence(),
      initial_state: repeat(3, () => ({ variable: makeSentence().slice(0, 30), value: '1' })),
      steps: repeat(chance.between(6, 10), () => ({
        action: makeSentence(),
        state_delta: makeSentence().slice(0, 60),
      })),
      outcome: makeSentence(),
    })),
    self_score: 3,
  };
}

function makeInvariant(ask: Ask): object {
  const { world, chance } = ask;
  const { text, says } = subjectOf(ask);
  const quote = world.truthOf(text).quotes[0] ?? world.sentence(chance);
  return {
    title: 'What must always be so',
    invariant: text,
    measured_by: world.sentence(chance),
    tolerance: 'none',
    verdict: says === 'holds' ? 'PASS' : 'FAIL',
    evidence: repeat(3, () => ({
      quote,
      source: world.document.name,
      bears: world.prose(chance, 30),
    })),
    confidence: 3,
  };
}

function makeWalkthrough({ world, chance }: Ask): object {
  const steps = chance.between(8, 12);
  const makeSentence = () => world.sentence(chance);
  return {
    title: 'A day with it',
    persona: makeSentence(),
    goal: makeSentence(),
    starting_context: makeSentence(),
    steps: repeat(steps, () => ({ does: makeSentence(), outcome: makeSentence() })),
    friction: repeat(2, () => ({
      step: chance.between(1, steps),
      point: makeSentence(),
      severity: 2,
    })),
    goal_reached: 'partially',
  };
}

function makeAttack(ask: Ask): object {
  const { world, chance } = ask;
  const { text, says } = subjectOf(ask);
  const makeSentence = () => world.sentence(chance);
  return {
    title: 'Where it breaks',
    target: makeSentence(),
    hypothesis: text,
    preconditions: repeat(2, makeSentence),
    attack_steps: repeat(chance.between(5, 7), () => ({
      step: makeSentence(),
      expected: makeSentence(),
    })),
    load_bearing_assumption: makeSentence(),
    verdict: says === 'fails' ? 'BROKEN' : 'ROBUST',
    confidence: 3,
  };
}
