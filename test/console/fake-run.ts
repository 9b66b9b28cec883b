/**
 * A run whose facts and live news a test sends itself, as the kernel would send them. Its clock moves only
 * when a test moves it, and nothing else decides what the console shows of the run.
 */
import { Bus } from '../../src/kernel/bus.ts';
import type { FailureCode } from '../../src/kernel/errors.ts';
import type { CallEvent, Seat, Usage } from '../../src/kernel/model.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { type Fact, type FactOf, type FactType, fact } from '../every-fact.ts';

/** The time at which the clock starts, in milliseconds since 1970. */
export const EPOCH = Date.parse('2026-03-01T10:00:00.000Z');

/** Returns a seat without a brief. Its role is the id without a number at the end. */
export function makeFakeSeat(id: string, title: string, model: string, colour?: string): Seat {
  return { id, role: id.replace(/-\d+$/, ''), title, model, brief: '', colour };
}

/** The three seats of most fake runs. */
export const PANEL: readonly Seat[] = [
  makeFakeSeat('advocate', 'Advocate', 'ollama/qwen3:8b'),
  makeFakeSeat('critic', 'Critic', 'anthropic/claude-haiku-4-5'),
  makeFakeSeat('analyst', 'Analyst', 'ollama/llama3.2:3b'),
];

const USAGE = { input: 900, output: 410, cached: 0, cacheWritten: 0, thinking: 0 };

type Body<T extends FactType> = Omit<FactOf<T>, 'v' | 'type'>;

/**
 * A run as a console follows it. All its methods that record or send something return the run itself. A
 * speaker is the id of a seat, `critic#2` for a seat's answer to the second question, or `synthesizer/2` for
 * the second synthesis.
 */
export class FakeRun {
  /** Sends facts and news to the console. */
  readonly bus = new Bus();
  /** The facts recorded so far. */
  readonly facts: Fact[] = [];
  /** The id of the run. */
  readonly id = '0195c3e0-7d1a-7000-8000-000000000001';
  /** The seats of the run; `open` sets them. */
  seats: readonly Seat[] = [];
  /**
   * The ids of seats by the letters that stand for them in the synthesizer's prompts; undefined if syntheses
   * record none.
   */
  labels: Readonly<Record<string, string>> | undefined;
  /** The time of the clock in milliseconds since 1970. */
  time = EPOCH;
  /** Whether calls are recorded as answered by the stand-in. */
  rehearsal = false;
  /** The cost of each call in US dollars; undefined if the cost is not known. */
  costUsd: number | undefined = 0.0052;
  readonly #said = new Map<string, string>();
  readonly #thought = new Map<string, string>();
  readonly #begun = new Map<string, number>();
  #attempts = 0;

  /** Returns the time of the clock, for the console. */
  readonly now = (): number => this.time;

  /** Moves the clock forward. */
  wait(ms: number): this {
    this.time += ms;
    return this;
  }

  /** Records a fact and sends it to the console. */
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

  /** Records that the run starts. */
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

  /** Records that a call to each speaker begins. */
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

  /** Sends an event of a running call to the console at once. */
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

  /** Sends the news that an attempt of the call was sent to the model. */
  send(speaker: string, attempt = 1): this {
    return this.news(speaker, { type: 'sent', attempt });
  }

  /** Sends a part of the answer of a running call. */
  say(speaker: string, text: string): this {
    this.#said.set(speaker, (this.#said.get(speaker) ?? '') + text);
    return this.news(speaker, { type: 'text', text });
  }

  /** Sends a part of the thoughts of a running call. */
  think(speaker: string, text: string): this {
    this.#thought.set(speaker, (this.#thought.get(speaker) ?? '') + text);
    return this.news(speaker, { type: 'thinking', text });
  }

  /** Records that a call is completed, with the text and thoughts sent for it. */
  done(speaker: string): this {
    return this.tell('call.completed', { ...this.#ended(speaker), value: null }).#completed(
      speaker,
    );
  }

  /** Records that a call failed, with the text and thoughts sent for it. */
  fail(speaker: string, code: FailureCode, message: string, next?: string): this {
    return this.tell('call.failed', { ...this.#ended(speaker), code, message, next }).#completed(
      speaker,
    );
  }

  /** Records that a call was stopped, with the text and thoughts sent for it. */
  stop(speaker: string, usage: Usage = USAGE): this {
    return this.tell('call.stopped', { ...this.#ended(speaker), usage: { ...usage } });
  }

  /**
   * Records that the call of a synthesis is completed, and the synthesis with the text sent for it. The
   * synthesis includes all seats unless `body` says otherwise.
   */
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

  /** Records that the run ends. */
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

/** Returns `words` words of prose in paragraphs. The same two numbers always give the same text. */
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
