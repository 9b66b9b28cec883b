/**
 * Numbers and changes the statements of specialists. Code numbers each statement (`security-2`) when it is
 * handed in, and from then on everybody names ids. A statement that a later round does not name stays as it
 * is: seats hand in only changes, so nothing is lost by silence.
 */

/**
 * The kinds of statements: `section` says what is to be done, `constraint` what has to hold,
 * `concern` what could go wrong.
 */
export const STATEMENT_KINDS = ['section', 'constraint', 'concern'] as const;
type StatementKind = (typeof STATEMENT_KINDS)[number];

/** A statement as a seat hands it in. */
interface Handed {
  readonly kind: StatementKind;
  /** A heading, which mostly sections have. */
  readonly title?: string | undefined;
  readonly text: string;
  /** Whether the statement is a constraint that its seat would not give up for any reason. */
  readonly must?: boolean | undefined;
  /**
   * The reason, in the seat's own words or quoted from its documents. Other seats see documents only
   * through such reasons.
   */
  readonly because?: string | undefined;
  /**
   * The id of the question for which the statement proposes a way out. The statement becomes an option of
   * that question, for all seats to accept.
   */
  readonly conflict?: string | undefined;
}

/** A statement of a seat, with its history. */
export interface Statement extends Handed {
  /** An id such as `security-2`: the role and a number that is never used twice. */
  readonly id: string;
  readonly role: string;
  /** The round in which the statement was made. */
  readonly round: number;
  /** `withdrawn`: its seat withdrew it, or another option was chosen by the person or by agreement. */
  readonly state: 'live' | 'withdrawn';
  /** Earlier texts, the oldest first, with the round in which each was replaced. */
  readonly earlier: readonly { readonly round: number; readonly text: string }[];
  /** How the statement was withdrawn. Absent if it was not. */
  readonly withdrawal?: Withdrawal | undefined;
}

interface Withdrawal {
  readonly round: number;
  /** The question for which the statement was withdrawn; undefined if it was not for a question. */
  readonly conflict?: string | undefined;
  readonly why: string;
  /** `agreement`: all seats concerned accepted another option. */
  readonly by: 'owner' | 'person' | 'agreement';
}

/** A seat's changes to its own statements, from the second round on. */
interface Changes {
  readonly role: string;
  readonly round: number;
  readonly change: readonly {
    readonly id: string;
    readonly text: string;
    /** The reason for the new text; absent if the old reason stays. */
    readonly because?: string | undefined;
  }[];
  readonly withdraw: readonly {
    readonly id: string;
    readonly why: string;
    readonly conflict?: string | undefined;
  }[];
  readonly add: readonly Handed[];
}

/** A change that a seat wanted and code refused, with the reason. */
export interface RefusedChange {
  readonly role: string;
  /** What the seat wanted to do, such as `withdraw security-2`. */
  readonly what: string;
  readonly why: string;
}

interface Applied {
  readonly statements: readonly Statement[];
  readonly refusals: readonly RefusedChange[];
}

/**
 * Appends a role's new statements to the known ones and numbers them. Numbers continue after the
 * last number that the role ever had.
 */
export function numberStatements(
  known: readonly Statement[],
  role: string,
  round: number,
  handed: readonly Handed[],
): Statement[] {
  const taken = known.filter((statement) => statement.role === role).length;
  return [
    ...known,
    ...handed.map(
      (statement, index): Statement => ({
        ...statement,
        id: `${role}-${taken + index + 1}`,
        role,
        round,
        state: 'live',
        earlier: [],
      }),
    ),
  ];
}

/**
 * Applies a seat's changes. A seat may change or withdraw only its own statements that are not withdrawn yet, each
 * at most once in a round; other changes are refused.
 */
export function applyChanges(known: readonly Statement[], changes: Changes): Applied {
  const { role, round } = changes;
  const refusals: RefusedChange[] = [];
  const touched = new Set<string>();
  let statements = known;
  const findOwnStatement = (id: string, doing: string): Statement | undefined => {
    const statement = statements.find((statement) => statement.id === id);
    const why =
      statement === undefined
        ? 'there is no such statement'
        : statement.role !== role
          ? `it is ${statement.role}'s`
          : statement.state === 'withdrawn'
            ? 'it was withdrawn'
            : touched.has(id)
              ? 'it was named twice'
              : undefined;
    if (why === undefined) touched.add(id);
    else refusals.push({ role, what: `${doing} ${id}`, why });
    return why === undefined ? statement : undefined;
  };
  const replaceStatement = (next: Statement): void => {
    statements = statements.map((statement) => (statement.id === next.id ? next : statement));
  };
  for (const { id, why, conflict } of changes.withdraw) {
    const statement = findOwnStatement(id, 'withdraw');
    if (statement !== undefined)
      replaceStatement(withdrawStatement(statement, { round, why, conflict, by: 'owner' }));
  }
  for (const { id, text, because } of changes.change) {
    const statement = findOwnStatement(id, 'change');
    if (statement === undefined) continue;
    const next = because === undefined ? statement : { ...statement, because };
    const isSame = statement.text === text;
    replaceStatement(
      isSame
        ? next
        : { ...next, text, earlier: [...statement.earlier, { round, text: statement.text }] },
    );
  }
  return { statements: numberStatements(statements, role, round, changes.add), refusals };
}

/** Returns a copy of a statement that is marked as withdrawn. */
export function withdrawStatement(statement: Statement, withdrawal: Withdrawal): Statement {
  return { ...statement, state: 'withdrawn', withdrawal };
}

/** Returns the statements that are not withdrawn. */
export function findLiveStatements(statements: readonly Statement[]): Statement[] {
  return statements.filter(({ state }) => state === 'live');
}
