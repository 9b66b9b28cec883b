/** Defines the records of statements: what specialists said, and whether each was withdrawn. */
import type { Tone } from '../../../plain/blocks.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import type { Statement } from '../rules/statements.ts';
import type { PlanDisplay } from './display-state.ts';

/**
 * The description of a plan's statements (a kind of record), from which their section of the report and the
 * comparison of two runs are made.
 */
export const STATEMENT = recordKind({
  name: 'Statements',
  about: 'Every statement, with its reason.',
  all: ({ plan }: PlanDisplay) => plan.statements,
  id: ({ id }: Statement) => id,
  heading: ({ id, text }) => `${id} · ${text}`,
  columns: [
    { title: 'statement', of: ({ id }) => id },
    { title: 'specialist', of: ({ role }, { title }) => title(role) },
    { title: 'kind', of: statementKind },
    {
      title: 'status',
      of: (statement) => ({
        text: statementStatus(statement),
        tone: statementTone(statement),
        below: statement.withdrawal === undefined ? [] : [`Reason: ${statement.withdrawal.why}`],
        isLabelled: true,
      }),
    },
    {
      title: 'text',
      of: ({ text, because = '', earlier }) => ({
        text,
        below: [
          ...(because.trim() === '' ? [] : [`Ground: ${because}`]),
          ...earlier.map((before) => `Before round ${before.round}: ${before.text}`),
        ],
        isLabelled: true,
      }),
    },
  ],
  compared: ({ text, state, ...statement }) => ({ text, state, kind: statementKind(statement) }),
  sentence: ({ text }) => text,
});

/** Formats the kind of a statement, such as `constraint, must`. */
export function statementKind({ kind, must }: Pick<Statement, 'kind' | 'must'>): string {
  return must === true ? `${kind}, must` : kind;
}

/**
 * Formats whether a statement is valid (`stands`), or in which question it was withdrawn (`given up
 * in Q-2`).
 */
export function statementStatus({ state, withdrawal }: Statement): string {
  if (state === 'live') return 'stands';
  const where = withdrawal?.conflict === undefined ? '' : ` in ${withdrawal.conflict}`;
  return `given up${where}`;
}

/** Returns the color of a statement: `good` if it is valid, `gone` if it was withdrawn. */
export function statementTone({ state }: Statement): Tone {
  return state === 'live' ? 'good' : 'gone';
}
