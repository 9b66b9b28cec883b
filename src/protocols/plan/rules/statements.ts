/**
 * What the specialists said, sentence by sentence. Code numbers every statement when it is handed in
 * (`security-2`); from then on everybody names ids and nobody copies words. What a later round does not
 * name stands: a seat hands in changes, never its whole output again, so that nothing is lost by silence.
 */

export const STATEMENT_KINDS = ['section', 'constraint', 'concern'] as const;
type StatementKind = (typeof STATEMENT_KINDS)[number];

/** A statement as a seat hands it in. */
interface Handed {
  readonly kind: StatementKind;
  /** Of a section: its heading. */
  readonly title?: string | undefined;
  readonly text: string;
  /** A constraint that its seat would not give up for anything that it can think of. */
  readonly must?: boolean | undefined;
  /** Its ground, in the seat's own words or quoted from its context: how grounds cross the context gate. */
  readonly because?: string | undefined;
  /** The question that it is a way out of: it becomes an option there, for all concerned to accept. */
  readonly conflict?: string | undefined;
}

export interface Statement extends Handed {
  /** `security-2`: the role and a number that is never given twice. */
  readonly id: string;
  readonly role: string;
  /** In which round it was said first. */
  readonly round: number;
  /** `withdrawn`: its owner took it back, or the person decided against it. */
  readonly state: 'live' | 'withdrawn';
  /** What it said before, oldest first, and in which round each was given up. */
  readonly earlier: readonly { readonly round: number; readonly text: string }[];
  readonly withdrawal?: Withdrawal | undefined;
}

interface Withdrawal {
  readonly round: number;
  /** The question for which it was given up; undefined where nobody asked. */
  readonly conflict?: string | undefined;
  readonly why: string;
  /** `agreement`: all seats concerned took another option. */
  readonly by: 'owner' | 'person' | 'agreement';
}

/** What a seat hands in from the second round on, for its own statements. */
interface Changes {
  readonly role: string;
  readonly round: number;
  readonly change: readonly {
    readonly id: string;
    readonly text: string;
    /** Of the new words; absent: the ground that it has. */
    readonly because?: string | undefined;
  }[];
  readonly withdraw: readonly {
    readonly id: string;
    readonly why: string;
    readonly conflict?: string | undefined;
  }[];
  readonly add: readonly Handed[];
}

/** Something in a seat's changes that could not be done, and why: named, never dropped in silence. */
export interface Refusal {
  readonly role: string;
  readonly what: string;
  readonly why: string;
}

interface Applied {
  readonly statements: readonly Statement[];
  readonly refusals: readonly Refusal[];
}

/** The statements with those of a role added, numbered on from the last one that it ever had. */
export function number(
  known: readonly Statement[],
  role: string,
  round: number,
  handed: readonly Handed[],
): Statement[] {
  const taken = known.filter((one) => one.role === role).length;
  return [
    ...known,
    ...handed.map(
      (one, index): Statement => ({
        ...one,
        id: `${role}-${taken + index + 1}`,
        role,
        round,
        state: 'live',
        earlier: [],
      }),
    ),
  ];
}

/** What a seat changed, done: only its own live statements, each at most once a round. */
export function apply(known: readonly Statement[], changes: Changes): Applied {
  const { role, round } = changes;
  const refusals: Refusal[] = [];
  const touched = new Set<string>();
  let statements = known;
  const own = (id: string, doing: string): Statement | undefined => {
    const one = statements.find((statement) => statement.id === id);
    const why =
      one === undefined
        ? 'there is no such statement'
        : one.role !== role
          ? `it is ${one.role}'s`
          : one.state === 'withdrawn'
            ? 'it was withdrawn'
            : touched.has(id)
              ? 'it was named twice'
              : undefined;
    if (why === undefined) touched.add(id);
    else refusals.push({ role, what: `${doing} ${id}`, why });
    return why === undefined ? one : undefined;
  };
  const replace = (next: Statement): void => {
    statements = statements.map((one) => (one.id === next.id ? next : one));
  };
  for (const { id, why, conflict } of changes.withdraw) {
    const one = own(id, 'withdraw');
    if (one !== undefined) replace(withdraw(one, { round, why, conflict, by: 'owner' }));
  }
  for (const { id, text, because } of changes.change) {
    const one = own(id, 'change');
    if (one === undefined) continue;
    const next = because === undefined ? one : { ...one, because };
    const isSame = one.text === text;
    replace(
      isSame ? next : { ...next, text, earlier: [...one.earlier, { round, text: one.text }] },
    );
  }
  return { statements: number(statements, role, round, changes.add), refusals };
}

export function withdraw(one: Statement, withdrawal: Withdrawal): Statement {
  return { ...one, state: 'withdrawn', withdrawal };
}

export function live(statements: readonly Statement[]): Statement[] {
  return statements.filter(({ state }) => state === 'live');
}
