/** The fold of a board's facts: its questions with ballots, matrices, ablations and baselines. */
import { isCall } from '../../kernel/call.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import type { SynthesisView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { BOARD, type Fact } from './facts.ts';
import { type AblationRequest, getAblationRequest } from './requests.ts';

type Body<T extends Fact['type']> = Omit<
  Extract<Fact, { type: T }>,
  'v' | 'type' | 'run' | 'seq' | 'at'
>;

type BallotView = Body<'ballot.cast'>;
/** A table of positions: which seats are for and against each point, with quotations. */
export type AgreementView = Body<'agreement.mapped'>;
/** How the recommendation differs if the synthesis is written again without one of its seats, or with all of them. */
export type AblationView = Body<'influence.weighed'>;
/** The answer and cost of a model that answers without a panel, for comparison. */
export type BaselineView = Body<'baseline.completed'>;
type QuorumView = Body<'quorum.reached'>;

/** A question to the panel, with its ballots, the wait for answers, and its baselines. */
export interface QuestionView {
  /** The question's number; 1 is the first question of the run. */
  readonly number: number;
  readonly text: string;
  /** The latest ballot of each seat. */
  readonly ballots: readonly BallotView[];
  /**
   * The wait for the remaining answers after enough seats have answered. Absent before and after
   * this wait.
   */
  readonly patience?: Body<'patience.began'> | undefined;
  /**
   * How the quorum ended the wait for answers: who had answered, and which seats were stopped.
   * Absent if it did not.
   */
  readonly quorum?: QuorumView | undefined;
  /** The answers without a panel with which the panel is compared. */
  readonly baselines: readonly BaselineView[];
}

/** The state of a board, apart from what every run has, such as answers and syntheses. */
export interface BoardView {
  readonly questions: readonly QuestionView[];
  /** The latest table of positions of each synthesis, by the synthesis's version. */
  readonly agreements: Readonly<Record<number, AgreementView>>;
  /**
   * The results of ablations (syntheses written again without one seat, to see what that seat changed), by
   * the version of the synthesis that was examined.
   */
  readonly ablations: Readonly<Record<number, readonly AblationView[]>>;
  /**
   * The syntheses that were written only for an ablation and are not shown as results: from the version of
   * each to the version that it examines.
   */
  readonly madeForAblation: Readonly<Record<number, number>>;
  /**
   * The ablation that the latest attempt carries out. Absent if the attempt does something else.
   */
  readonly ablation?: AblationRequest | undefined;
}

/** The state of a board before its first fact. */
export const EMPTY_BOARD: BoardView = {
  questions: [],
  agreements: {},
  ablations: {},
  madeForAblation: {},
};

/** Computes a board's state from all facts of its run. */
export function boardOf(facts: Iterable<AnyFact>): BoardView {
  let view = EMPTY_BOARD;
  for (const fact of facts) view = foldBoard(view, fact);
  return view;
}

/** Updates a board's state by one fact. */
export function foldBoard(view: BoardView, any: AnyFact): BoardView {
  if (isCall(any)) return withoutAnswer(view, any.step);
  const fact = BOARD.own(any);
  switch (fact?.type) {
    case 'run.started':
      return addQuestion(view, 1, fact.question);
    case 'run.resumed':
      return { ...view, ablation: getAblationRequest(fact.request) };
    case 'step.started':
      return beginVersion(view, fact.step);
    case 'question.asked':
      return addQuestion(view, fact.number, fact.text);
    case 'ballot.cast':
      return changeQuestion(view, fact.question, ({ ballots }) => ({
        ballots: [...ballots.filter(({ seat }) => seat !== fact.seat), getBody(fact)],
      }));
    case 'patience.began':
      return changeQuestion(view, fact.question, () => ({ patience: getBody(fact) }));
    case 'quorum.reached':
      return changeQuestion(view, fact.question, () => ({
        patience: undefined,
        quorum: getBody(fact),
      }));
    case 'run.ended':
      return {
        ...view,
        questions: view.questions.map((each) => ({ ...each, patience: undefined })),
      };
    case 'baseline.completed':
      return changeQuestion(view, fact.question, ({ baselines }) => ({
        baselines: [...baselines.filter(({ kind }) => kind !== fact.kind), getBody(fact)],
      }));
    case 'agreement.mapped':
      return { ...view, agreements: { ...view.agreements, [fact.version]: getBody(fact) } };
    case 'influence.weighed': {
      const others = (view.ablations[fact.base] ?? []).filter(
        ({ without }) => without !== fact.without,
      );
      return { ...view, ablations: { ...view.ablations, [fact.base]: [...others, getBody(fact)] } };
    }
    default:
      return view;
  }
}

/**
 * Returns the key of the step in which a seat answers a question.
 * @param seat the seat's id
 * @param question the number of the question
 */
export function getAnswerStep(seat: string, question = 1): string {
  return question === 1 ? `seat/${seat}` : `question-${question}/seat/${seat}`;
}

/**
 * Removes the ballot of a seat that is asked again, and everything that was derived from this
 * ballot.
 */
function withoutAnswer(view: BoardView, step: string): BoardView {
  const asked = view.questions.find(({ ballots }) =>
    ballots.some((ballot) => stepOf(ballot.step) === stepOf(step)),
  );
  const gone = asked?.ballots.find((ballot) => stepOf(ballot.step) === stepOf(step))?.seat;
  if (asked === undefined || gone === undefined) return view;
  const agreements = Object.entries(view.agreements).map(([version, agreement]) => {
    if (agreement.question !== asked.number) return [version, agreement];
    const options = agreement.options.map((each) => ({
      ...each,
      seats: each.seats.filter((seat) => seat !== gone),
    }));
    return [version, { ...agreement, options }];
  });
  return changeQuestion(
    { ...view, agreements: Object.fromEntries(agreements) },
    asked.number,
    () => ({
      ballots: asked.ballots.filter(({ seat }) => seat !== gone),
    }),
  );
}

/**
 * Records that a synthesis has begun. Another synthesis may get a version number that an
 * interrupted ablation had reserved, but not used.
 */
function beginVersion(view: BoardView, step: string): BoardView {
  const version = Number(/^synthesis\/(\d+)/.exec(step)?.[1]);
  if (Number.isNaN(version)) return view;
  const { [version]: _before, ...madeForAblation } = view.madeForAblation;
  const { base } = view.ablation ?? {};
  return {
    ...view,
    madeForAblation: base === undefined ? madeForAblation : { ...madeForAblation, [version]: base },
  };
}

/**
 * Returns the latest synthesis that was not written for an ablation, or undefined if there is none.
 */
export function getLatestSynthesis(
  syntheses: readonly SynthesisView[],
  { madeForAblation }: Pick<BoardView, 'madeForAblation'>,
): SynthesisView | undefined {
  return syntheses.findLast(({ version }) => !Object.hasOwn(madeForAblation, version));
}

function addQuestion(view: BoardView, number: number, text: string): BoardView {
  if (view.questions.some((question) => question.number === number)) return view;
  return { ...view, questions: [...view.questions, { number, text, ballots: [], baselines: [] }] };
}

function changeQuestion(
  view: BoardView,
  number: number,
  change: (question: QuestionView) => Partial<QuestionView>,
): BoardView {
  return {
    ...view,
    questions: view.questions.map((question) =>
      question.number === number ? { ...question, ...change(question) } : question,
    ),
  };
}

function getBody<T extends Fact>(fact: T): Omit<T, 'v' | 'type' | 'run' | 'seq' | 'at'> {
  const { v: _v, type: _type, run: _run, seq: _seq, at: _at, ...rest } = fact;
  return rest;
}
