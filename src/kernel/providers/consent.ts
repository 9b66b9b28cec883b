/**
 * Asks a person, once per attempt, whether models may be called that can do more than answer. The answer
 * counts for all calls of the attempt.
 */
import type { GateQuestion } from '../handle.ts';
import type { Journal } from '../journal.ts';
import type { ModelSpec, Models } from '../model.ts';

/** The key of the gate that asks. */
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

/**
 * Asks a person once per attempt for consent to models that can do more than answer, such as run commands. The
 * answer counts for all such models until the attempt ends.
 */
export class Consent {
  readonly #parts: ConsentParts;
  readonly #openGate: OpenGate;
  #asked: Promise<string> | undefined;

  constructor(parts: ConsentParts, openGate: OpenGate) {
    this.#parts = parts;
    this.#openGate = openGate;
  }

  /**
   * Returns whether the person gave consent to calls of the model; the person is asked at the first
   * such call of an attempt. For a model that needs no consent, nobody is asked, and the result is false.
   */
  async isGiven(model: ModelSpec): Promise<boolean> {
    const question = await this.#parts.models.consent?.(model);
    if (question === undefined) return false;
    this.#asked ??= this.#ask(question);
    return (await this.#asked) === 'yes';
  }

  #ask(prompt: string): Promise<string> {
    // Forget the answer of an earlier attempt, so that every attempt asks the person once: an attempt may run on
    // another computer than the one before.
    this.#parts.journal.forget(CONSENT_GATE);
    return this.#openGate(CONSENT_GATE, { prompt, options: OPTIONS, default: 'no' });
  }
}
