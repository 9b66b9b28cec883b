/**
 * A ledger of statements and of the questions put to them, with statuses by rule. Ids are code's; what a
 * model says of its own standing ("I have answered this") changes nothing here.
 */
import { plainWords } from '../text/words/quotation.ts';

export interface Statement {
  readonly id: string;
  readonly text: string;
}

export interface Question {
  readonly id: string;
  /** From 1. */
  readonly round: number;
  readonly seat: string;
  /** The statement it is about. */
  readonly statement: string;
  /** `definition`, `evidence`, `implication`, `counter-example`, or what the method has. */
  readonly kind: string;
  readonly text: string;
}

export interface Answer {
  readonly question: string;
  readonly round: number;
  /** In its own words: quotations are no answer, so leave them out. */
  readonly text: string;
  /** The statement that it changes, by default the one that was asked about. */
  readonly revises?: string | undefined;
  /** That statement's new wording, where the answer changes it. */
  readonly revised?: string | undefined;
  /** Gives the statement up. Withdrawn is not refuted. */
  readonly concedes?: boolean | undefined;
}

/** That a question cannot be settled between the two. It takes both: one alone would be a way out. */
export interface Impasse {
  readonly question: string;
  readonly seat: string;
}

export type Status = 'open' | 'answered' | 'amended' | 'conceded' | 'impasse';

export interface LedgerRow {
  readonly question: Question;
  /** Of the statement, when it was asked. */
  readonly version: number;
  readonly answer: Answer | undefined;
  readonly status: Status;
}

export interface StatementNow extends Statement {
  /** From 1, one more with every change of its words. */
  readonly version: number;
  readonly withdrawn: boolean;
}

export interface Ledger {
  readonly rows: readonly LedgerRow[];
  readonly statements: readonly StatementNow[];
  /** Ids of questions and answers that could not stand: of nothing known, asked or answered before. */
  readonly refused: readonly string[];
}

/** What was said, each list in its order. */
export interface Said {
  readonly statements: readonly Statement[];
  readonly questions: readonly Question[];
  readonly answers: readonly Answer[];
  readonly impasses?: readonly Impasse[];
}

/** Round by round, questions before answers. Each question is answered at most once: the first counts. */
export function keepLedger({ statements, questions, answers, impasses = [] }: Said): Ledger {
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
 * The question that asked the same: of the same kind, at the same statement as it is worded now. Once a
 * statement was changed, everything may be asked of it anew.
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

/** Rounds without a new or changed id after which a dialogue has run dry (methods.md). */
const IDLE_ROUNDS = 2;

/** Whether the last rounds brought nothing. `rounds`: the ids that each one added or changed. */
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

/** Another wording, not another spelling. */
function changesWords({ revised }: Answer, { text, withdrawn }: StatementNow): boolean {
  if (revised === undefined || withdrawn) return false;
  const words = plainWords(revised).join(' ');
  return words !== '' && words !== plainWords(text).join(' ');
}
