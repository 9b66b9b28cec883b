/**
 * Keeps the state of a thesis under questions: what may still be asked, when the dialogue is over, and what
 * remains.
 */

import {
  type Answer,
  findRepeated,
  type Impasse,
  isIdle,
  keepLedger,
  type Ledger,
  type Question,
  type Statement,
  type StatementNow,
  type Status,
} from '../findings.ts';
import type { ChangesFigure, ToldWithText } from '../shown.ts';

/** A seat's answer; `revises` is `none` if it changes no statement. */
interface DialogueAnswer {
  readonly question: string;
  readonly round: number;
  readonly text: string;
  readonly revises: string;
  readonly wording: string;
  readonly concedes: boolean;
}

/** Keeps the state of a dialogue in which one seat questions the statements of another. */
export class Dialogue {
  readonly #first: readonly Statement[];
  readonly #questions: Question[] = [];
  readonly #answers: Answer[] = [];
  readonly #impasses: Impasse[] = [];
  /** The ids that each round added or changed. */
  readonly #rounds: string[][] = [];
  readonly #skipped: string[] = [];
  #changed: readonly StatementNow[] = [];
  #end: string | undefined;

  constructor(statements: readonly Statement[]) {
    this.#first = statements.map(({ id, text }) => ({ id, text }));
  }

  /** The statements that are not withdrawn, in their latest wording. */
  get statements(): readonly Statement[] {
    return this.#ledger.statements
      .filter(({ withdrawn }) => !withdrawn)
      .map(({ id, text }) => ({ id, text }));
  }

  /** The questions so far with their answers, without the names of seats. */
  get asked(): readonly Statement[] {
    return this.#ledger.rows.map(({ question, answer }) => ({
      id: question.id,
      text: [
        `${question.statement}, ${question.kind}: ${question.text}`,
        ...(answer === undefined ? [] : [`Answer: ${answer.text}`]),
      ].join('\n'),
    }));
  }

  /** The reason to ask no further question; undefined while another question is worthwhile. */
  get stop(): string | undefined {
    if (this.#end !== undefined) return this.#end;
    if (this.#ledger.rows.some(({ status }) => status === 'impasse'))
      return 'both sides called it an impasse';
    if (this.statements.length === 0) return 'nothing of the thesis is held any more';
    return isIdle(this.#rounds) ? 'two rounds in a row brought nothing new' : undefined;
  }

  /**
   * Returns a sentence on what is wrong with a question; undefined if the question is valid. `of` is the id of
   * the questioned statement, or `none` if the seat has no question left, which is valid.
   */
  readonly checkQuestion = (question: {
    readonly of: string;
    readonly kind: string;
    readonly text: string;
  }): string | undefined => {
    if (question.of === 'none') return undefined;
    if (question.text.trim() === '') return 'There is no question in it.';
    const same = findRepeated({ statement: question.of, kind: question.kind }, this.#ledger);
    return same === undefined
      ? undefined
      : `${same.id} asked the same kind of question at the same wording of ${question.of}.`;
  };

  /** Adds a question. */
  ask(question: Question): void {
    this.#questions.push(question);
  }

  /**
   * Adds an answer.
   *
   * @param impasse ids of the seats that declare the question impossible to settle
   */
  answer(given: DialogueAnswer, impasse: readonly string[]): void {
    const before = this.#ledger.statements;
    const { question, round, text, revises, wording, concedes } = given;
    const isChange = revises !== 'none' && wording.trim() !== '';
    const change = isChange ? { revises, revised: wording.trim() } : {};
    this.#answers.push({ question, round, text, concedes, ...change });
    this.#impasses.push(...impasse.map((seat) => ({ question, seat })));
    this.#changed = this.#ledger.statements.filter(
      (statement, at) =>
        statement.version !== before[at]?.version || statement.withdrawn !== before[at]?.withdrawn,
    );
    this.#rounds.push([question, ...this.#changed.map(({ id }) => id)]);
  }

  /** The statements that the last answer changed or withdrew. */
  get changed(): readonly (StatementNow & { readonly status: 'withdrawn' | 'amended' })[] {
    return this.#changed.map((statement) => ({
      ...statement,
      status: statement.withdrawn ? ('withdrawn' as const) : ('amended' as const),
    }));
  }

  /**
   * Records a round without a question.
   *
   * @param asker the name of the asking seat, for the description of the result
   * @param isSilent true if the asking seat did not answer, false if it had no question left
   */
  skip(asker: string, isSilent: boolean): void {
    this.#rounds.push([]);
    this.#skipped.push(isSilent ? `${asker} was not heard` : `${asker} had no question left`);
  }

  /** Ends the dialogue early, so that its result is partial. `why` is the reason, as a part of a sentence. */
  end(why: string): void {
    this.#end = why;
  }

  /** Returns what became of a question, by the question's id; `open` for an unknown id. */
  statusOf(question: string): Status {
    return this.#ledger.rows.find((row) => row.question.id === question)?.status ?? 'open';
  }

  /** Returns a chart of the statements before and after the dialogue. */
  figure(): ChangesFigure {
    return {
      kind: 'changes',
      title: 'The thesis, before and after',
      rows: this.#ledger.statements.map(({ id, text, withdrawn }, at) => ({
        label: id,
        before: this.#first[at]?.text ?? '',
        after: withdrawn ? 'withdrawn' : text,
        text: this.#ledger.rows
          .filter(({ question }) => question.statement === id)
          .map(({ question, status }) => `${question.id} ${status}`)
          .join(', '),
      })),
    };
  }

  /** Describes the result of the dialogue in sentences. */
  tell(): ToldWithText {
    const { statements, rows } = this.#ledger;
    const held = statements.filter(({ withdrawn }) => !withdrawn);
    const amended = held.filter(({ version }) => version > 1).length;
    const gone = statements.length - held.length;
    const movers = rows.filter(({ status }) => status === 'amended' || status === 'conceded');
    const open = rows.filter(({ status }) => status === 'open' || status === 'impasse');
    const asked = new Set(rows.map(({ question }) => question.statement));
    const same = held.filter(({ version }) => version === 1);
    const tested = same.filter(({ id }) => asked.has(id)).length;
    const counts = [
      ...countOf(tested, 'is held as it was', 'are held as they were'),
      ...countOf(amended, 'is held in a new wording', 'are held in new wordings'),
      ...countOf(gone, 'was given up', 'were given up'),
      ...countOf(same.length - tested, 'was not questioned', 'were not questioned'),
    ];
    return {
      result: `${this.#end === undefined ? '' : 'Partial. '}Of ${statements.length} statements ${counts.join(', ')}.`,
      first: this.#first.map(({ id, text }) => `${id} ${text}`).join(' '),
      moved:
        movers.length === 0
          ? 'No question changed a statement.'
          : `${movers.map(({ question, answer, status }) => `${question.id} (${question.kind}): ${status === 'conceded' ? question.statement : (answer?.revises ?? question.statement)} was ${status === 'conceded' ? 'given up' : 'amended'}`).join('; ')}.`,
      turns:
        open.length === 0
          ? 'No question stayed open.'
          : `An answer to ${open.map(({ question }) => `${question.id} (${question.text})`).join('; ')}`,
      belief: [
        `${rows.length} questions at ${asked.size} of ${statements.length} statements; what was not asked was not tested.`,
        this.stop === undefined
          ? `It ended after ${this.#rounds.length} rounds.`
          : `It ended since ${this.stop}.`,
        ...(this.#skipped.length === 0 ? [] : [`${this.#skipped.join('; ')}.`]),
        'It recommends nothing.',
      ].join(' '),
      text: ['What is held now:', '', ...held.map(({ id, text }) => `- ${id} ${text}`)].join('\n'),
    };
  }

  get #ledger(): Ledger {
    return keepLedger({
      statements: this.#first,
      questions: this.#questions,
      answers: this.#answers,
      impasses: this.#impasses,
    });
  }
}

/** Formats a count, such as `2 as they were`; empty for 0. */
function countOf(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
