/** Makes artifacts of the required length about the claim that the seat puts first. */
import type { Ask } from './answers.ts';
import { subjectOf } from './claims.ts';

/** Returns an artifact of the required length. */
export function drawArtifact(ask: Ask): object {
  const { role } = ask;
  if (role === 'action') return traces(ask);
  if (role === 'guardian') return invariant(ask);
  return role === 'observer' ? walkthrough(ask) : attack(ask);
}

/** Makes `count` things, one after the other. */
function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function traces(ask: Ask): object {
  const { world, chance } = ask;
  const say = () => world.sentence(chance);
  return {
    title: 'What happens when it is done',
    traces: (['happy', 'edge'] as const).map((kind) => ({
      kind,
      name: say(),
      initial_state: times(3, () => ({ variable: say().slice(0, 30), value: '1' })),
      steps: times(chance.between(6, 10), () => ({
        action: say(),
        state_delta: say().slice(0, 60),
      })),
      outcome: say(),
    })),
    self_score: 3,
  };
}

function invariant(ask: Ask): object {
  const { world, chance } = ask;
  const { text, says } = subjectOf(ask);
  const quote = world.truthOf(text).quotes[0] ?? world.sentence(chance);
  return {
    title: 'What must always be so',
    invariant: text,
    measured_by: world.sentence(chance),
    tolerance: 'none',
    verdict: says === 'holds' ? 'PASS' : 'FAIL',
    evidence: times(3, () => ({
      quote,
      source: world.document.name,
      bears: world.prose(chance, 30),
    })),
    confidence: 3,
  };
}

function walkthrough({ world, chance }: Ask): object {
  const steps = chance.between(8, 12);
  const say = () => world.sentence(chance);
  return {
    title: 'A day with it',
    persona: say(),
    goal: say(),
    starting_context: say(),
    steps: times(steps, () => ({ does: say(), outcome: say() })),
    friction: times(2, () => ({ step: chance.between(1, steps), point: say(), severity: 2 })),
    goal_reached: 'partially',
  };
}

function attack(ask: Ask): object {
  const { world, chance } = ask;
  const { text, says } = subjectOf(ask);
  const say = () => world.sentence(chance);
  return {
    title: 'Where it breaks',
    target: say(),
    hypothesis: text,
    preconditions: times(2, say),
    attack_steps: times(chance.between(5, 7), () => ({ step: say(), expected: say() })),
    load_bearing_assumption: say(),
    verdict: says === 'fails' ? 'BROKEN' : 'ROBUST',
    confidence: 3,
  };
}
