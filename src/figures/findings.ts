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
  /** The statement's new wording, where the answer changes it. */
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

/** What was said, in its order. */
export interface Said {
  readonly statements: readonly Statement[];
  readonly questions: readonly Question[];
  readonly answers: readonly Answer[];
  readonly impasses?: readonly Impasse[];
}

/** Each question is answered at most once: the first answer counts. */
export function keepLedger({ statements, questions, answers, impasses = [] }: Said): Ledger {
  const now = new Map(statements.map((one) => [one.id, { ...one, version: 1, withdrawn: false }]));
  const refused: string[] = [];
  const rows = new Map<string, LedgerRow>();
  for (const question of questions) {
    if (rows.has(question.id) || !now.has(question.statement)) refused.push(question.id);
    else rows.set(question.id, { question, answer: undefined, status: 'open' });
  }
  for (const answer of answers) {
    const row = rows.get(answer.question);
    const statement = now.get(row?.question.statement ?? '');
    if (row === undefined || row.answer !== undefined || statement === undefined) {
      refused.push(answer.question);
      continue;
    }
    const status = statusOf(answer, statement);
    if (status === 'conceded') now.set(statement.id, { ...statement, withdrawn: true });
    if (status === 'amended')
      now.set(statement.id, {
        ...statement,
        text: answer.revised ?? statement.text,
        version: statement.version + 1,
      });
    rows.set(answer.question, { ...row, answer, status });
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
 * The question that asks the same, of the same kind at the same statement as it is worded now; undefined
 * where there is none. Once a statement was changed, everything may be asked of it anew.
 */
export function findRepeated(
  question: Pick<Question, 'statement' | 'kind'>,
  said: Said,
): Question | undefined {
  return said.questions.find(
    (one) =>
      one.statement === question.statement &&
      one.kind === question.kind &&
      !said.answers.some((answer) => {
        const about = said.questions.find(({ id }) => id === answer.question);
        if (about?.statement !== one.statement || answer.round < one.round) return false;
        return changesWords(answer, wordingBefore(answer, said));
      }),
  );
}

/** Rounds without a new or changed id after which a dialogue has run dry (methods.md). */
export const IDLE_ROUNDS = 2;

/** Whether the last rounds brought nothing. `rounds`: the ids that each one added or changed. */
export function isIdle(rounds: readonly (readonly string[])[]): boolean {
  const last = rounds.slice(-IDLE_ROUNDS);
  return last.length === IDLE_ROUNDS && last.every((ids) => ids.length === 0);
}

function statusOf(answer: Answer, statement: StatementNow): Status {
  if (statement.withdrawn) return answer.text.trim() === '' ? 'open' : 'answered';
  if (answer.concedes === true) return 'conceded';
  if (changesWords(answer, statement.text)) return 'amended';
  return plainWords(answer.text).length > 0 ? 'answered' : 'open';
}

/** Another wording, not another spelling. */
function changesWords({ revised }: Answer, text: string): boolean {
  if (revised === undefined) return false;
  const words = plainWords(revised).join(' ');
  return words !== '' && words !== plainWords(text).join(' ');
}

/** How the statement that an answer is about was worded when it was answered. */
function wordingBefore(answer: Answer, said: Said): string {
  const ledger = keepLedger({
    ...said,
    answers: said.answers.slice(0, said.answers.indexOf(answer)),
  });
  const about = said.questions.find(({ id }) => id === answer.question)?.statement;
  return ledger.statements.find(({ id }) => id === about)?.text ?? '';
}
