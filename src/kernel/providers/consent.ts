/** Leave to call a model that may do more than answer: asked of the person once in an attempt, for all calls. */
import type { GateQuestion } from '../handle.ts';
import type { Journal } from '../journal.ts';
import type { ModelSpec, Models } from '../model.ts';

/** The gate that asks for it. */
const CONSENT_GATE = 'consent/unsandboxed';

const OPTIONS = [
  { value: 'no', label: 'No: their seats fail' },
  { value: 'yes', label: 'Run them without a sandbox' },
];

type OpenGate = (key: string, question: GateQuestion) => Promise<string>;

interface ConsentParts {
  readonly models: Models;
  readonly journal: Journal;
}

export class Consent {
  readonly #parts: ConsentParts;
  readonly #openGate: OpenGate;
  #asked: Promise<string> | undefined;

  constructor(parts: ConsentParts, openGate: OpenGate) {
    this.#parts = parts;
    this.#openGate = openGate;
  }

  /** Returns whether a person has allowed what they have to be asked for. False where there is nothing to ask. */
  async isGiven(model: ModelSpec): Promise<boolean> {
    const question = await this.#parts.models.consent?.(model);
    if (question === undefined) return false;
    this.#asked ??= this.#ask(question);
    return (await this.#asked) === 'yes';
  }

  #ask(prompt: string): Promise<string> {
    // What was answered in an earlier attempt, or on another machine, was said of another place.
    this.#parts.journal.forget(CONSENT_GATE);
    return this.#openGate(CONSENT_GATE, { prompt, options: OPTIONS, default: 'no' });
  }
}
