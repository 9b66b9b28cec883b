/** The question at which a run waits (a gate), as one person sees it: asked, or put aside to look elsewhere. */
import type { GateView } from '../../kernel/view.ts';
import { GateForm } from './forms/gate.ts';
import type { ScreenContext } from './surroundings.ts';

/**
 * The question that the run asks, as one person's screen shows it: as a form, until it is answered
 * or put aside.
 */
export class OpenGate {
  readonly #around: ScreenContext;
  readonly #answered: () => void;
  /** The step of the question that the person has put aside. */
  #aside: string | undefined;
  #asked: { readonly gate: GateView; readonly form: GateForm } | undefined;

  /** Expects a function that is called when the person has answered, before the answer is recorded. */
  constructor(around: ScreenContext, answered: () => void) {
    this.#around = around;
    this.#answered = answered;
  }

  /** The form in which the person answers; undefined if there is no question to answer here or it was put aside. */
  get form(): GateForm | undefined {
    const gate = this.#open;
    if (gate === undefined || gate.step === this.#aside) return undefined;
    if (this.#asked?.gate !== gate) this.#asked = { gate, form: this.#formOf(gate) };
    return this.#asked.form;
  }

  /** The question that the person has put aside and that still waits for an answer; undefined if there is none. */
  get waiting(): GateView | undefined {
    const gate = this.#open;
    return gate?.step === this.#aside ? gate : undefined;
  }

  /** Puts the question aside. The run keeps waiting. */
  putAside(): void {
    this.#aside = this.#open?.step;
  }

  /** Shows the form again for the question that was put aside. */
  ask(): void {
    this.#aside = undefined;
  }

  /** The question, if this person can answer it. */
  get #open(): GateView | undefined {
    const { actions, runModel } = this.#around;
    return actions === undefined ? undefined : runModel.view.gate;
  }

  #formOf(gate: GateView): GateForm {
    const { view, runModel, actions } = this.#around;
    return new GateForm(gate, view.asks(gate, runModel), (answer) => {
      this.#answered();
      actions?.answer(gate.step, answer);
    });
  }
}
