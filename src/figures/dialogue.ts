/** A thesis under questions as they come in: what may still be asked, when it has run dry, and what is left of it. */
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
} from './findings.ts';

export class Dialogue {
  readonly #first: readonly Statement[];
  readonly #questions: Question[] = [];
  readonly #answers: Answer[] = [];
  readonly #impasses: Impasse[] = [];
  /** By round, the ids that it added or changed. */
  readonly #rounds: string[][] = [];
  #end: string | undefined;

  constructor(statements: readonly Statement[]) {
    this.#first = statements.map(({ id, text }) => ({ id, text }));
  }

  /** Those that are still held, as they are worded now. */
  get statements(): readonly Statement[] {
    return this.#ledger.statements
      .filter(({ withdrawn }) => !withdrawn)
      .map(({ id, text }) => ({ id, text }));
  }

  /** What was asked so far, with what was answered, by id and without names. */
  get asked(): readonly Statement[] {
    return this.#ledger.rows.map(({ question, answer }) => ({
      id: question.id,
      text: [
        `${question.statement}, ${question.kind}: ${question.text}`,
        ...(answer === undefined ? [] : [`Answer: ${answer.text}`]),
      ].join('\n'),
    }));
  }

  /** Why no further question is worth asking. */
  get stop(): string | undefined {
    if (this.#end !== undefined) return this.#end;
    if (this.#ledger.rows.some(({ status }) => status === 'impasse'))
      return 'both sides call it an impasse';
    if (this.statements.length === 0) return 'nothing of the thesis is held any more';
    return isIdle(this.#rounds) ? 'two rounds brought nothing new' : undefined;
  }

  /** What is wrong with a question; undefined: nothing. */
  readonly checkQuestion = (question: {
    readonly of: string;
    readonly kind: string;
  }): string | undefined => {
    const same = findRepeated({ statement: question.of, kind: question.kind }, this.#ledger);
    return same === undefined
      ? undefined
      : `${same.id} asked the same kind of question at the same wording of ${question.of}.`;
  };

  ask(question: Question): void {
    this.#questions.push(question);
  }

  /** `impasse`: the seats that call it one. */
  answer(answer: Answer, impasse: readonly string[]): void {
    const before = this.#ledger.statements;
    this.#answers.push(answer);
    this.#impasses.push(...impasse.map((seat) => ({ question: answer.question, seat })));
    const after = this.#ledger.statements;
    this.#rounds.push(
      after
        .filter(
          (one, at) =>
            one.version !== before[at]?.version || one.withdrawn !== before[at]?.withdrawn,
        )
        .map(({ id }) => id),
    );
  }

  /** A round without a question. */
  skip(): void {
    this.#rounds.push([]);
  }

  end(why: string): void {
    this.#end = why;
  }

  statusOf(question: string): Status {
    return this.#ledger.rows.find((row) => row.question.id === question)?.status ?? 'open';
  }

  wordingOf(statement: string): StatementNow {
    const found = this.#ledger.statements.find(({ id }) => id === statement);
    return found ?? { id: statement, text: '', version: 1, withdrawn: false };
  }

  figure(): {
    kind: 'changes';
    title: string;
    rows: { label: string; before: string; after: string; text: string }[];
  } {
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

  tell(): { result: string; first: string; moved: string; turns: string; belief: string } {
    const { statements, rows } = this.#ledger;
    const held = statements.filter(({ withdrawn }) => !withdrawn);
    const changed = statements.filter(({ version, withdrawn }) => version > 1 || withdrawn);
    const movers = rows.filter(({ status }) => status === 'amended' || status === 'conceded');
    const open = rows.filter(({ status }) => status === 'open' || status === 'impasse');
    const partial = this.#end === undefined ? '' : ` It is partial: ${this.#end}.`;
    return {
      result: `${held.length === 0 ? 'Nothing of the thesis is held any more.' : `What is still held: ${held.map(({ id, text }) => `${id} ${text}`).join(' ')}`}${partial}`,
      first: this.#first.map(({ id, text }) => `${id} ${text}`).join(' '),
      moved:
        movers.length === 0
          ? 'no question changed a statement.'
          : `${movers.map(({ question, status }) => `${question.id} (${question.kind}): ${question.statement} was ${status}`).join('; ')}.`,
      turns:
        open.length === 0
          ? 'no question stayed open.'
          : `what stayed open: ${open.map(({ question }) => question.id).join(', ')}.`,
      belief: `${rows.length} questions at ${new Set(rows.map(({ question }) => question.statement)).size} of ${statements.length} statements, ${changed.length} of them changed; what was not asked was not tested${this.stop === undefined ? '' : `; it ended since ${this.stop}`}. This recommends nothing.`,
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
