/**
 * A ledger of statements and the questions put to them, with statuses by rule. Code gives the ids; what a model
 * says of its own success ("I have answered this") changes nothing.
 */
import { plainWords } from '../text/words/quotation.ts';

export interface Statement {
  readonly id: string;
  readonly text: string;
}

export interface Question {
  readonly id: string;
  /** The number of the round, from 1. */
  readonly round: number;
  readonly seat: string;
  /** The id of the statement that it is about. */
  readonly statement: string;
  /** The kind: `definition`, `evidence`, `implication`, `counter-example`, or others of the method. */
  readonly kind: string;
  readonly text: string;
}

export interface Answer {
  readonly question: string;
  readonly round: number;
  /** In the seat's own words, without quotations, which are no answer. */
  readonly text: string;
  /** The id of the statement that it changes; default: the one that was asked about. */
  readonly revises?: string | undefined;
  /** The new wording, if the answer changes the statement. */
  readonly revised?: string | undefined;
  /** Whether the answer withdraws the statement. Withdrawn does not mean refuted. */
  readonly concedes?: boolean | undefined;
}

/**
 * Says that a question cannot be settled between two seats. Both must say it; otherwise it would be an excuse.
 */
export interface Impasse {
  readonly question: string;
  readonly seat: string;
}

export type Status = 'open' | 'answered' | 'amended' | 'conceded' | 'impasse';

export interface LedgerRow {
  readonly question: Question;
  /** The version of the statement when it was asked about. */
  readonly version: number;
  readonly answer: Answer | undefined;
  readonly status: Status;
}

export interface StatementNow extends Statement {
  /** The version, from 1, increased by every change of its words. */
  readonly version: number;
  readonly withdrawn: boolean;
}

export interface Ledger {
  readonly rows: readonly LedgerRow[];
  readonly statements: readonly StatementNow[];
  /** Ids of questions and answers that were refused: about something unknown, asked or answered before. */
  readonly refused: readonly string[];
}

/** Everything that was said, each list in order. */
export interface LedgerInput {
  readonly statements: readonly Statement[];
  readonly questions: readonly Question[];
  readonly answers: readonly Answer[];
  readonly impasses?: readonly Impasse[];
}

/** Makes the ledger, round by round, questions before answers. Only the first answer to a question counts. */
export function keepLedger({ statements, questions, answers, impasses = [] }: LedgerInput): Ledger {
  const now = new Map(statements.map((one) => [one.id, { ...one, version: 1, withdrawn: false }]));
  const refused: string[] = [];
  const rows = new Map<string, LedgerRow>();
  const ask = (question: Question): void => {
    const version = now.get(question.statement)?.version;
    if (rows.has(question.id) || version === undefined) refused.push(question.id);
    else rows.set(question.id, { question, version, answer: undefined, status: 'open' });
  };
  const reply = (answer: Answer): void => {
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
    for (const question of questions) if (question.round === round) ask(question);
    for (const answer of answers) if (answer.round === round) reply(answer);
  }
  for (const [id, row] of rows) {
    const seats = new Set(
      impasses.filter(({ question }) => question === id).map((one) => one.seat),
    );
    const both = seats.has(row.question.seat) && seats.size > 1;
    if (both && (row.status === 'open' || row.status === 'answered'))
      rows.set(id, { ...row, status: 'impasse' });
  }
  return { rows: [...rows.values()], statements: [...now.values()], refused };
}

/**
 * Returns an earlier question of the same kind about the same version of the statement. After a statement has
 * changed, everything may be asked again.
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
 * Returns whether the last rounds changed nothing.
 * @param rounds the ids that each round added or changed
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
