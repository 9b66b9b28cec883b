/**
 * A ledger of statements and the questions put to them, with statuses by rule. Code gives the ids; what a model
 * says of its own success ("I have answered this") changes nothing.
 */
import { plainWords } from '../text/words/quotation.ts';

/** A statement that seats ask questions about. */
export interface Statement {
  readonly id: string;
  readonly text: string;
}

/** A question of one seat about another seat's statement. */
export interface Question {
  readonly id: string;
  /** The number of the round, from 1. */
  readonly round: number;
  /** The id of the seat that asks. */
  readonly seat: string;
  /** The id of the statement that the question is about. */
  readonly statement: string;
  /** The kind of question, such as `definition`, `evidence`, `implication` or `counter-example`. */
  readonly kind: string;
  readonly text: string;
}

/** A reply to a question, which may change or withdraw a statement. */
export interface Answer {
  /** The id of the question. */
  readonly question: string;
  /** The number of the round, from 1. */
  readonly round: number;
  /** The reply in the seat's own words, without quotations. */
  readonly text: string;
  /**
   * The id of the statement that the reply changes; absent: the statement that the question is
   * about.
   */
  readonly revises?: string | undefined;
  /** The new wording of the statement; absent: unchanged. */
  readonly revised?: string | undefined;
  /** Whether the reply withdraws the statement. A withdrawn statement is not refuted. */
  readonly concedes?: boolean | undefined;
}

/**
 * A seat's declaration that a question cannot be settled. It takes effect only if the seat that asked and
 * another seat declare so.
 */
export interface Impasse {
  readonly question: string;
  readonly seat: string;
}

/**
 * What became of a question. `open`: there is no reply, or one without words. `answered`: the reply
 * changed nothing. `amended`: the reply changed a statement. `conceded`: the reply withdrew the statement
 * that the question is about. `impasse`: the question is `open` or `answered`, and both seats declared that
 * it cannot be settled.
 */
export type Status = 'open' | 'answered' | 'amended' | 'conceded' | 'impasse';

/** A question with its reply and its status. */
export interface LedgerRow {
  readonly question: Question;
  /** The version, from 1, that the statement in question had when the question was asked. */
  readonly version: number;
  /** The reply; undefined if there is none. */
  readonly answer: Answer | undefined;
  readonly status: Status;
}

/** A statement in its latest wording. */
export interface StatementNow extends Statement {
  /** The version, from 1; each change of the wording adds 1. */
  readonly version: number;
  /** Whether a reply has withdrawn the statement. */
  readonly withdrawn: boolean;
}

/** All questions with their replies, and the statements that result. */
export interface Ledger {
  /** The accepted questions with their replies, in the order of the rounds. */
  readonly rows: readonly LedgerRow[];
  /** All statements in their latest wording, withdrawn ones included. */
  readonly statements: readonly StatementNow[];
  /**
   * Question ids. A question is refused if its statement is unknown or its id was used before. For a
   * refused reply, the list has the id of the question: it is unknown or has a reply already.
   */
  readonly refused: readonly string[];
}

/** What seats have said in a dialogue. Each list is in the order in which it was said. */
export interface LedgerInput {
  readonly statements: readonly Statement[];
  readonly questions: readonly Question[];
  readonly answers: readonly Answer[];
  readonly impasses?: readonly Impasse[];
}

/**
 * Computes the list of all questions with their replies, and the statements that result from them.
 * Within a round, questions come before replies. Only the first reply to a question counts.
 */
export function keepLedger({ statements, questions, answers, impasses = [] }: LedgerInput): Ledger {
  const now = new Map(
    statements.map((statement) => [statement.id, { ...statement, version: 1, withdrawn: false }]),
  );
  const refused: string[] = [];
  const rows = new Map<string, LedgerRow>();
  const addQuestion = (question: Question): void => {
    const version = now.get(question.statement)?.version;
    if (rows.has(question.id) || version === undefined) refused.push(question.id);
    else rows.set(question.id, { question, version, answer: undefined, status: 'open' });
  };
  const addAnswer = (answer: Answer): void => {
    const row = rows.get(answer.question);
    const statement = now.get(row?.question.statement ?? '');
    if (row === undefined || row.answer !== undefined || statement === undefined) {
      refused.push(answer.question);
      return;
    }
    const changed = now.get(answer.revises ?? statement.id) ?? statement;
    const status = statusOf(answer, statement, changed);
    if (status === 'conceded') now.set(statement.id, { ...statement, withdrawn: true });
    if (changesWords(answer, changed) && (status !== 'conceded' || changed.id !== statement.id)) {
      const { revised: text = changed.text } = answer;
      now.set(changed.id, { ...changed, text, version: changed.version + 1 });
    }
    rows.set(answer.question, { ...row, answer, status });
  };
  const rounds = new Set([...questions, ...answers].map(({ round }) => round));
  for (const round of [...rounds].sort((left, right) => left - right)) {
    for (const question of questions) if (question.round === round) addQuestion(question);
    for (const answer of answers) if (answer.round === round) addAnswer(answer);
  }
  for (const [id, row] of rows) {
    const seats = new Set(
      impasses.filter(({ question }) => question === id).map((impasse) => impasse.seat),
    );
    const both = seats.has(row.question.seat) && seats.size > 1;
    if (both && (row.status === 'open' || row.status === 'answered'))
      rows.set(id, { ...row, status: 'impasse' });
  }
  return { rows: [...rows.values()], statements: [...now.values()], refused };
}

/**
 * Returns an earlier question of the same kind about the same version of the same statement;
 * undefined if there is none. After a statement has changed, all questions may be asked again.
 */
export function findRepeated(
  question: Pick<Question, 'statement' | 'kind'>,
  { rows, statements }: Ledger,
): Question | undefined {
  const version = statements.find(({ id }) => id === question.statement)?.version;
  return rows.find(
    (row) =>
      row.question.statement === question.statement &&
      row.question.kind === question.kind &&
      row.version === version,
  )?.question;
}

/** After so many rounds without a new or changed id, a dialogue is over (docs/methods.md). */
const IDLE_ROUNDS = 2;

/**
 * Returns whether the last two rounds added and changed nothing, so that the dialogue can end. Returns false
 * before the second round.
 * @param rounds for each round, the ids of the questions and statements that it added or changed
 */
export function isIdle(rounds: readonly (readonly string[])[]): boolean {
  const last = rounds.slice(-IDLE_ROUNDS);
  return last.length === IDLE_ROUNDS && last.every((ids) => ids.length === 0);
}

function statusOf(answer: Answer, statement: StatementNow, changed: StatementNow): Status {
  if (statement.withdrawn) return answer.text.trim() === '' ? 'open' : 'answered';
  if (answer.concedes === true) return 'conceded';
  if (changesWords(answer, changed)) return 'amended';
  return plainWords(answer.text).length > 0 ? 'answered' : 'open';
}

/** Returns whether the revised text has other words, not only another spelling. */
function changesWords({ revised }: Answer, { text, withdrawn }: StatementNow): boolean {
  if (revised === undefined || withdrawn) return false;
  const words = plainWords(revised).join(' ');
  return words !== '' && words !== plainWords(text).join(' ');
}
