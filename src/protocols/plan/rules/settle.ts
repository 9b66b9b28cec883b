/**
 * Decides by code whether a question is settled, from the answers of the seats concerned. No model can say
 * that there is agreement. Trade-offs, the loss of a must, and agreement only by seats that give in on
 * everything go to the person, even if all seats agree.
 */
import { type Edition, PERSON } from '../config.ts';
import { type Conflict, listSeatsInConflict } from './conflicts.ts';
import type { Statement } from './statements.ts';

/**
 * A seat's answer to a question: which options it accepts, that the options are compatible, or that
 * the question misreads the statements.
 */
export type Answer =
  | {
      readonly conflict: string;
      /** Ids of the options that the seat accepts; its own are among them only if it still accepts them. */
      readonly accepts: readonly string[];
      readonly prefers?: string | undefined;
      readonly why: string;
    }
  | { readonly conflict: string; readonly compatible: string }
  /** Why the statements do not say what the question claims. */
  | { readonly conflict: string; readonly misread: string };

/** The answers that a seat gave in one round. */
export interface SeatAnswers {
  readonly role: string;
  readonly round: number;
  readonly answers: readonly Answer[];
}

/** A reason to doubt that a seat really agrees with the other seats in a question. */
export type Suspicion =
  /** The seat answered two or more questions, and in all of them accepted only options of other seats. */
  | 'yields everything'
  /**
   * The seat gave no reason of at least three words for accepting another seat's option, or for saying that the
   * options of the question go together.
   */
  | 'gives no ground'
  /** All seats of the question accepted only options of other seats, so that each gave up its own. */
  | 'yields with all others';

/** Whether a question is open, settled, or left to the person, with the reason. */
export interface QuestionStanding {
  readonly conflict: string;
  /** `person`: the question is left to the person. */
  readonly state: 'open' | 'settled' | 'person';
  /**
   * What the question comes to, unless the person decides otherwise: an option, or that the options go together,
   * with what each seat says on how they do. Undefined if there is neither.
   */
  readonly outcome?:
    | { readonly option: string }
    | { readonly compatible: readonly { readonly role: string; readonly how: string }[] }
    | undefined;
  /** A phrase that says why the question is in this state. */
  readonly why: string;
  /**
   * The options that each seat accepts, without withdrawn ones. Seats that have not answered, or whose answer accepts
   * no options but says something else of the question, are absent.
   */
  readonly accepts: Readonly<Record<string, readonly string[]>>;
  readonly suspicions: readonly { readonly role: string; readonly what: Suspicion }[];
}

/** The fewest words of a reason; fewer, such as `I agree`, are none. */
const LEAST_GROUND = 3;

/**
 * Returns for every question whether it is open, settled, or left to the person. Only the latest
 * answer of each seat to a question counts.
 */
export function settleQuestions(
  conflicts: readonly Conflict[],
  statements: readonly Statement[],
  said: readonly SeatAnswers[],
  edition: Edition,
): QuestionStanding[] {
  const last = collectLastAnswers(said);
  const yielding = new Set(
    [...new Set(said.map(({ role }) => role))].filter((role) =>
      yieldsEverything(role, conflicts, statements, last),
    ),
  );
  return conflicts.map((conflict) => deriveStanding(conflict, statements, last, yielding, edition));
}

type Last = ReadonlyMap<string, ReadonlyMap<string, { answer: Answer; round: number }>>;

/** Returns the latest answers of each seat, by role and then by question. */
export function collectLastAnswers(said: readonly SeatAnswers[]): Last {
  const last = new Map<string, Map<string, { answer: Answer; round: number }>>();
  for (const { role, round, answers } of [...said].sort((one, other) => one.round - other.round)) {
    const of = last.get(role) ?? new Map<string, { answer: Answer; round: number }>();
    for (const answer of answers) of.set(answer.conflict, { answer, round });
    last.set(role, of);
  }
  return last;
}

function deriveStanding(
  conflict: Conflict,
  statements: readonly Statement[],
  last: Last,
  yielding: ReadonlySet<string>,
  edition: Edition,
): QuestionStanding {
  const seats = listSeatsInConflict(conflict, statements).filter(
    (role) => edition < 3 || role !== PERSON,
  );
  const given = seats.flatMap((role) => {
    const lastAnswer = last.get(role)?.get(conflict.id);
    return lastAnswer === undefined ? [] : [{ role, ...lastAnswer }];
  });
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const standing = conflict.options.filter((id) => isLive(byId.get(id)));
  const options = new Set(standing);
  const accepting = given.flatMap(({ role, answer }) =>
    'accepts' in answer
      ? [{ role, ...answer, accepts: answer.accepts.filter((id) => options.has(id)) }]
      : [],
  );
  const suspicions = findSuspicions(accepting, byId, yielding, edition);
  const told = {
    conflict: conflict.id,
    accepts: Object.fromEntries(accepting.map(({ role, accepts }) => [role, accepts])),
    suspicions,
  };
  if (conflict.kind === 'unowned')
    return { ...told, state: 'person', why: 'nobody owns it: somebody has to be named' };
  const [left, ...others] = standing;
  if (left === undefined) return { ...told, state: 'open', why: 'every option was withdrawn' };
  if (others.length === 0 && conflict.options.length > 1)
    return forPerson(
      { ...told, outcome: { option: left } },
      conflict,
      byId,
      edition < 3 ? 'the other options were withdrawn' : whyLast(conflict, byId),
    );
  const missing = seats.filter((role) => !given.some((answer) => answer.role === role));
  if (missing.length > 0) return { ...told, state: 'open', why: whyMissing(missing, edition) };
  const words = [...standing, ...(conflict.given ?? []).filter((id) => isLive(byId.get(id)))];
  const reworded = given.flatMap(({ role, round }) =>
    words.filter((id) => isReworded(byId.get(id), role, round)),
  )[0];
  if (reworded !== undefined)
    return { ...told, state: 'open', why: `${reworded} was reworded after others had answered` };
  const misread = given.flatMap(({ role, answer }) => ('misread' in answer ? [role] : []));
  if (misread.length > 0)
    return {
      ...told,
      state: 'open',
      why: `${misread.join(' and ')} ${misread.length === 1 ? 'calls' : 'call'} it misread, which nobody has confirmed`,
    };
  const compatible = given.flatMap(({ role, answer }) =>
    'compatible' in answer ? [{ role, how: answer.compatible }] : [],
  );
  if (compatible.length === given.length)
    return forPerson(
      {
        ...told,
        outcome: { compatible },
        suspicions: [...suspicions, ...(edition < 7 ? [] : suspectTogether(compatible))],
      },
      conflict,
      byId,
      'all say how it goes together',
    );
  if (compatible.length > 0)
    return { ...told, state: 'open', why: 'some say that it goes together, others choose' };
  const common = standing.filter((id) => accepting.every(({ accepts }) => accepts.includes(id)));
  const [option, another] = common;
  if (option === undefined) return { ...told, state: 'open', why: 'no option is accepted by all' };
  if (another !== undefined) {
    const accepted = `all accept ${common.join(' and ')}`;
    const preferred = edition === 1 ? undefined : preferredIn(accepting, common);
    if (preferred === undefined)
      return { ...told, state: 'person', why: `${accepted}: one has to be chosen` };
    // If a seat prefers one option, only this option counts when code judges whether the seat gave in.
    const preferring = accepting.map((answer) =>
      answer.prefers === undefined ? answer : { ...answer, accepts: [preferred] },
    );
    const outcome = { option: preferred };
    return forPerson(
      { ...told, outcome, suspicions: findSuspicions(preferring, byId, yielding, edition) },
      conflict,
      byId,
      `${accepted}, and whoever prefers one prefers ${preferred}`,
    );
  }
  return forPerson({ ...told, outcome: { option } }, conflict, byId, `all accept ${option}`);
}

/**
 * Says which seats have not answered a question. From edition 6 of the rules on, it does not say that they were
 * asked: a question that was found after the last round is put to no seat.
 */
function whyMissing(roles: readonly string[], edition: Edition): string {
  const names = roles.join(', ');
  return edition < 6 ? `${names} did not answer` : `there is no answer from ${names}`;
}

/** Says how the other options of a question were withdrawn. */
function whyLast({ options }: Conflict, byId: ReadonlyMap<string, Statement>): string {
  const fallen = options.flatMap((id) => {
    const { withdrawal } = byId.get(id) ?? {};
    if (withdrawal === undefined) return [];
    const { by, conflict } = withdrawal;
    const byWhom =
      by === 'owner' ? 'by its seat' : by === 'person' ? 'by the person' : 'by agreement';
    return [`${id} was given up ${byWhom}${conflict === undefined ? '' : ` in ${conflict}`}`];
  });
  return fallen.join(', ');
}

function isLive(statement: Statement | undefined): boolean {
  return statement?.state === 'live';
}

/**
 * Returns the one option that all seats with a preference prefer, among those that all accept. Undefined if
 * preferences differ or name another option.
 */
function preferredIn(
  accepting: readonly { readonly prefers?: string | undefined }[],
  common: readonly string[],
): string | undefined {
  const named = new Set(accepting.flatMap(({ prefers }) => prefers ?? []));
  const [preferred] = named;
  return named.size === 1 ? common.find((id) => id === preferred) : undefined;
}

/**
 * Returns whether a statement was reworded in or after the round of an answer, so that the answer was given
 * to other words.
 */
function isReworded(statement: Statement | undefined, role: string, round: number): boolean {
  return (
    statement !== undefined &&
    statement.role !== role &&
    statement.earlier.some((was) => was.round >= round)
  );
}

/** Returns the question as settled, unless a person has to decide it although the seats agree. */
function forPerson(
  told: Omit<QuestionStanding, 'state' | 'why'>,
  { kind, options }: Conflict,
  byId: ReadonlyMap<string, Statement>,
  agreed: string,
): QuestionStanding {
  const { outcome, suspicions } = told;
  const kept = outcome !== undefined && 'option' in outcome ? [outcome.option] : options;
  // If the person has withdrawn a must (what a seat insists on) by deciding another question, no
  // second decision about it is needed.
  const falls = options.filter((id) => {
    const statement = byId.get(id);
    return !kept.includes(id) && statement?.must === true && statement.withdrawal?.by !== 'person';
  });
  const reason =
    kind === 'trade-off'
      ? 'a trade-off is the person’s to choose'
      : falls.length > 0
        ? `${falls.join(' and ')} ${falls.length === 1 ? 'is a must' : 'are musts'} that would fall`
        : suspicions.length > 0
          ? `only because ${suspicions.map(({ role, what }) => `${role} ${what}`).join(', ')}`
          : undefined;
  return reason === undefined
    ? { ...told, state: 'settled', why: agreed }
    : { ...told, state: 'person', why: `${agreed}, but ${reason}` };
}

function findSuspicions(
  accepting: readonly { role: string; why: string; accepts: readonly string[] }[],
  byId: ReadonlyMap<string, Statement>,
  yielding: ReadonlySet<string>,
  edition: Edition,
): QuestionStanding['suspicions'] {
  const isOthers = (role: string, id: string): boolean => byId.get(id)?.role !== role;
  const yields = accepting.filter(
    ({ role, accepts }) => accepts.length > 0 && accepts.every((id) => isOthers(role, id)),
  );
  const all = yields.length > 1 && yields.length === accepting.length;
  const needingGround =
    edition < 6
      ? yields
      : accepting.filter((answer) => answer.accepts.some((id) => isOthers(answer.role, id)));
  return accepting.flatMap((answer) => {
    const { role } = answer;
    const isYielding = yields.includes(answer);
    return [
      ...(isYielding && yielding.has(role) ? [{ role, what: 'yields everything' as const }] : []),
      ...(needingGround.includes(answer) && isGroundless(answer.why)
        ? [{ role, what: 'gives no ground' as const }]
        : []),
      ...(isYielding && all ? [{ role, what: 'yields with all others' as const }] : []),
    ];
  });
}

/** Returns the seats that say of a question's options that they go together, and not how. */
function suspectTogether(
  compatible: readonly { readonly role: string; readonly how: string }[],
): QuestionStanding['suspicions'] {
  return compatible.flatMap(({ role, how }) =>
    isGroundless(how) ? [{ role, what: 'gives no ground' as const }] : [],
  );
}

function isGroundless(why: string): boolean {
  return why.trim().split(/\s+/u).filter(Boolean).length < LEAST_GROUND;
}

/** Returns whether a seat answered at least two questions and accepted only others' options. */
function yieldsEverything(
  role: string,
  conflicts: readonly Conflict[],
  statements: readonly Statement[],
  last: Last,
): boolean {
  const owners = new Map(statements.map((statement) => [statement.id, statement.role]));
  const answers = conflicts
    .filter((conflict) => listSeatsInConflict(conflict, statements).includes(role))
    .flatMap(({ id }) => last.get(role)?.get(id)?.answer ?? []);
  return (
    answers.length > 1 &&
    answers.every(
      (answer) =>
        'accepts' in answer &&
        answer.accepts.length > 0 &&
        answer.accepts.every((id) => owners.get(id) !== role),
    )
  );
}
