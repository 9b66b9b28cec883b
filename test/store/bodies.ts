/** Facts to record, for tests of the store, which do not depend on what facts say. */
import { type FactBody, type FactOf, fact } from '../every-fact.ts';

/** Returns the fact of a synthesis with the given version and text. */
export function makeSynthesisFact(version: number, text: string): FactBody {
  return fact('synthesis.completed', {
    version,
    model: 'test/m',
    text,
    included: [],
    excluded: [],
    labels: {},
    missing: [],
    rehearsal: false,
  });
}

/** Returns the fact that a run without seats has started. */
export function makeRunStarted(question: string): FactBody {
  return fact('run.started', {
    protocol: 'test',
    question,
    seats: [],
    config: {},
    request: { kind: 'convene' },
  });
}

/** Returns the fact that a call has ended well. `more` replaces fields. */
export function makeCompletedCall(more: Partial<FactOf<'call.completed'>> = {}): FactBody {
  return fact('call.completed', {
    step: 'ask',
    attempt: 'x',
    seat: 'critic-2',
    role: 'critic',
    model: 'ollama/org/qwen3:8b',
    text: 'No.',
    thinking: '',
    usage: { input: 100, output: 20, cached: 30, cacheWritten: 0, thinking: 0 },
    latencyMs: 1500,
    attempts: 2,
    notes: [],
    rehearsal: false,
    ...more,
  });
}
