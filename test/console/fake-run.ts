/**
 * A run told by hand: facts and live news as the kernel would send them, with a clock that moves only
 * when it is told to. What the console shows of it depends on nothing else.
 */
import { Bus } from '../../src/kernel/bus.ts';
import type { FailureCode } from '../../src/kernel/errors.ts';
import type { CallEvent, Seat, Usage } from '../../src/kernel/model.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { type Fact, type FactOf, type FactType, fact } from '../every-fact.ts';

export const EPOCH = Date.parse('2026-03-01T10:00:00.000Z');

export function makeFakeSeat(id: string, title: string, model: string, colour?: string): Seat {
  return { id, role: id.replace(/-\d+$/, ''), title, model, brief: '', colour };
}

export const PANEL: readonly Seat[] = [
  makeFakeSeat('advocate', 'Advocate', 'ollama/qwen3:8b'),
  makeFakeSeat('critic', 'Critic', 'anthropic/claude-haiku-4-5'),
  makeFakeSeat('analyst', 'Analyst', 'ollama/llama3.2:3b'),
];

const USAGE = { input: 900, output: 410, cached: 0, cacheWritten: 0, thinking: 0 };

type Body<T extends FactType> = Omit<FactOf<T>, 'v' | 'type'>;

export class FakeRun {
  readonly bus = new Bus();
  readonly facts: Fact[] = [];
  readonly id = '0195c3e0-7d1a-7000-8000-000000000001';
  seats: readonly Seat[] = [];
  /** Whom the letters of the synthesizer's prompts mean. */
  labels: Readonly<Record<string, string>> | undefined;
  /** Milliseconds; the console is given this clock. */
  time = EPOCH;
  rehearsal = false;
  costUsd: number | undefined = 0.0052;
  readonly #said = new Map<string, string>();
  readonly #thought = new Map<string, string>();
  readonly #begun = new Map<string, number>();
  #attempts = 0;

  readonly now = (): number => this.time;

  wait(ms: number): this {
    this.time += ms;
    return this;
  }

  tell<T extends FactType>(type: T, body: Body<T>): this {
    const made = {
      run: this.id,
      seq: this.facts.length + 1,
      at: new Date(this.time).toISOString(),
      ...fact(type, body as never),
    } as Fact;
    this.facts.push(made);
    this.bus.facts([made]);
    return this;
  }

  open(question: string, seats: readonly Seat[] = PANEL, protocol = 'board'): this {
    this.seats = seats;
    return this.tell('run.started', {
      protocol,
      question,
      seats: [...seats],
      config: {},
      request: { kind: 'convene' },
    });
  }

  /**
   * A call begins: of a seat, `critic#2` for a seat's answer to the second question, or `synthesizer/2`
   * for the second synthesis.
   */
  ask(...speakers: string[]): this {
    for (const speaker of speakers) {
      this.#attempts += 1;
      this.#said.set(speaker, '');
      this.#thought.set(speaker, '');
      this.#begun.set(speaker, this.time);
      this.tell('step.started', {
        step: stepOf(speaker),
        attempt: this.#attemptOf(speaker, this.#attempts),
        kind: 'call',
        seat: seatOf(speaker),
        model: this.#modelOf(speaker),
        ...(this.labels === undefined || seatOf(speaker) !== 'synthesizer'
          ? {}
          : { labels: { ...this.labels } }),
      });
    }
    return this;
  }

  news(speaker: string, event: CallEvent): this {
    this.bus.live({
      ...event,
      step: stepOf(speaker),
      seat: seatOf(speaker),
      call: this.#attemptOf(speaker),
    });
    this.bus.flush();
    return this;
  }

  send(speaker: string, attempt = 1): this {
    return this.news(speaker, { type: 'sent', attempt });
  }

  say(speaker: string, text: string): this {
    this.#said.set(speaker, (this.#said.get(speaker) ?? '') + text);
    return this.news(speaker, { type: 'text', text });
  }

  think(speaker: string, text: string): this {
    this.#thought.set(speaker, (this.#thought.get(speaker) ?? '') + text);
    return this.news(speaker, { type: 'thinking', text });
  }

  /** The call ends well, with what was said. */
  done(speaker: string): this {
    return this.tell('call.completed', { ...this.#ended(speaker), value: null }).#completed(
      speaker,
    );
  }

  fail(speaker: string, code: FailureCode, message: string, next?: string): this {
    return this.tell('call.failed', { ...this.#ended(speaker), code, message, next }).#completed(
      speaker,
    );
  }

  stop(speaker: string, usage: Usage = USAGE): this {
    return this.tell('call.stopped', { ...this.#ended(speaker), usage: { ...usage } });
  }

  synthesize(version: number, body: Partial<Body<'synthesis.completed'>> = {}): this {
    const synthesizer = `synthesizer/${version}`;
    this.tell('call.completed', { ...this.#ended(synthesizer), value: null });
    return this.tell('synthesis.completed', {
      version,
      model: 'anthropic/claude-sonnet-5-5',
      text: this.#said.get(synthesizer) ?? '',
      included: this.seats.map(({ id }) => id),
      excluded: [],
      labels: { ...this.labels },
      missing: [],
      rehearsal: this.rehearsal,
      ...body,
    }).#completed(synthesizer);
  }

  end(status: 'done' | 'stopped' | 'failed', reason?: string): this {
    return this.tell('run.ended', { status, ...withoutUndefined({ reason }) });
  }

  #completed(speaker: string): this {
    return this.tell('step.completed', {
      step: stepOf(speaker),
      attempt: this.#attemptOf(speaker),
    });
  }

  #ended(speaker: string): Body<'call.stopped'> {
    return {
      step: stepOf(speaker),
      attempt: this.#attemptOf(speaker),
      seat: seatOf(speaker),
      role: seatOf(speaker),
      model: this.#modelOf(speaker),
      text: this.#said.get(speaker) ?? '',
      thinking: this.#thought.get(speaker) ?? '',
      usage: USAGE,
      ...withoutUndefined({ costUsd: this.costUsd }),
      latencyMs: this.time - (this.#begun.get(speaker) ?? this.time),
      firstTokenMs: 400,
      attempts: 1,
      notes: [],
      rehearsal: this.rehearsal,
    };
  }

  readonly #current = new Map<string, string>();

  #attemptOf(speaker: string, number?: number): string {
    if (number !== undefined) this.#current.set(speaker, `attempt-${number}`);
    return this.#current.get(speaker) ?? 'none';
  }

  #modelOf(speaker: string): string {
    return (
      this.seats.find(({ id }) => id === seatOf(speaker))?.model ?? 'anthropic/claude-sonnet-5-5'
    );
  }
}

function seatOf(speaker: string): string {
  return speaker.replace(/[/#]\d+$/, '');
}

function stepOf(speaker: string): string {
  if (speaker.startsWith('agreement/')) return speaker;
  const question = /#(\d+)$/.exec(speaker)?.[1];
  if (question !== undefined) return `question-${question}/seat/${seatOf(speaker)}`;
  const version = /\/(\d+)$/.exec(speaker)?.[1];
  return version === undefined ? `seat/${speaker}` : `synthesis/${version}`;
}

/** Prose in paragraphs, the same for the same number: `words(3, 40)`. */
export function makeProse(seed: number, words: number): string {
  const vocabulary =
    'the monolith deploys once a week and three teams wait for one pipeline so the cost of a split is paid in latency on call and contracts while the gain is ownership that a smaller release train would also buy'.split(
      ' ',
    );
  let text = '';
  for (let index = 0; index < words; index += 1) {
    const word =
      vocabulary[(seed * 7 + index * (3 + (seed % 3)) + (index >> 3)) % vocabulary.length];
    const ends = index % 13 === 12;
    text += index === 0 || index % 13 === 0 ? capitalize(word) : word;
    text += index === words - 1 ? '.' : ends ? (index % 39 === 38 ? '.\n\n' : '. ') : ' ';
  }
  return text;
}

function capitalize(word = ''): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
