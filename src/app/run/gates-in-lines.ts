/**
 * Asks a person at a terminal without a console what a run asks: one question at a time, a line for each
 * answer. An answer that comes from elsewhere meanwhile ends the question.
 */
import { askLine } from '../../io/confirm.ts';
import type { Streams } from '../../io/surroundings.ts';
import type { Listener } from '../../kernel/bus.ts';
import { InterruptedError } from '../../kernel/errors.ts';
import { type FactOf, KERNEL } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { toLine } from '../../text/line.ts';
import { checkChoice } from './intervene.ts';

type Gate = FactOf<'gate.opened'>;

interface Person {
  readonly streams: Pick<Streams, 'stdin' | 'err'>;
  /** Answers the gate of a step. */
  readonly answer: (step: string, answer: string) => void;
  /** Called when the person presses Ctrl-C at a question. */
  readonly interrupt: () => void;
  /** Called with an error of the terminal. */
  readonly fail: (error: unknown) => void;
  /** Whether the question itself was printed when it was opened. */
  readonly isToldAlready: boolean;
}

/**
 * Asks the person at the terminal what a run asks at its gates, as lines of text and one question at
 * a time. A question is withdrawn when it is answered elsewhere or the run ends.
 */
export class GatesInLines implements Listener {
  readonly #person: Person;
  readonly #open = new Map<string, AbortController>();
  #asking: Promise<void> = Promise.resolve();

  constructor(person: Person) {
    this.#person = person;
  }

  fact(any: AnyFact): void {
    const fact = KERNEL.own(any);
    if (fact?.type === 'gate.opened') {
      const over = new AbortController();
      const isNext = this.#open.size === 0;
      this.#open.set(fact.step, over);
      this.#asking = this.#asking
        .then(() => this.#ask(fact, over.signal, isNext && this.#person.isToldAlready))
        .catch(this.#person.fail);
    }
    if (fact?.type === 'gate.answered') this.#close(fact.step);
    if (fact?.type === 'run.ended') for (const step of [...this.#open.keys()]) this.#close(step);
  }

  #close(step: string): void {
    this.#open.get(step)?.abort();
    this.#open.delete(step);
  }

  async #ask(gate: Gate, signal: AbortSignal, isTold: boolean): Promise<void> {
    const { streams, answer, interrupt } = this.#person;
    if (signal.aborted) return;
    if (!isTold) streams.err.write(`${gate.prompt.split('\n').map(toLine).join('\n')}\n`);
    try {
      const given = await readChoice(streams, gate, signal);
      if (given !== undefined) answer(gate.step, given);
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error;
      interrupt();
    }
  }
}

/** Formats the options of a gate, one in a line: `  own: WORDS  decide in my own words`. */
function tellOptions({ options }: Gate): string[] {
  const names = options.map(
    ({ value, words }) => `${toLine(value)}${words === undefined ? '' : ': WORDS'}`,
  );
  const width = Math.max(...names.map((name) => name.length));
  return options.map(({ value, label }, at) => {
    // Some labels begin with the option's value, for lists that show only labels. The line printed here
    // begins with the value, so remove the value from the label.
    const rest = label.startsWith(`${value} `) ? label.slice(value.length + 1) : label;
    return `  ${(names[at] ?? '').padEnd(width)}  ${toLine(rest)}`;
  });
}

/** Asks until the line is an answer that the gate takes. Resolves to undefined if the gate was closed meanwhile. */
async function readChoice(
  streams: Person['streams'],
  gate: Gate,
  signal: AbortSignal,
): Promise<string | undefined> {
  const short = `Your answer [${toLine(gate.default)}]: `;
  // The first prompt includes the options, so that no output of the run is printed between the options
  // and the words "Your answer".
  let prompt = [...tellOptions(gate), short].join('\n');
  for (;;) {
    const typed = await askLine(streams, prompt, '', signal);
    prompt = short;
    if (signal.aborted) return undefined;
    const choice = typed === '' ? gate.default : typed;
    const refused = checkChoice(gate.options, choice);
    if (refused === undefined) return choice;
    if (refused.wanted === undefined) {
      const values = gate.options.map(({ value }) => toLine(value)).join(', ');
      streams.err.write(`"${toLine(choice)}" is not one of the choices: ${values}\n`);
      continue;
    }
    const words = await askLine(streams, `${toLine(refused.wanted)} `, '', signal);
    if (signal.aborted) return undefined;
    if (words !== '') return `${choice.replace(/:\s*$/, '')}: ${words}`;
  }
}
