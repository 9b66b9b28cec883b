/** The fold of a board's facts: its questions with ballots, matrices, ablations and baselines. */
import { isCall } from '../../kernel/call.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import type { SynthesisView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { BOARD, type Fact } from './facts.ts';
import { type AblationRequest, ablationIn } from './requests.ts';

type Body<T extends Fact['type']> = Omit<
  Extract<Fact, { type: T }>,
  'v' | 'type' | 'run' | 'seq' | 'at'
>;

type BallotView = Body<'ballot.cast'>;
export type AgreementView = Body<'agreement.mapped'>;
export type AblationView = Body<'influence.weighed'>;
export type BaselineView = Body<'baseline.completed'>;
type QuorumView = Body<'quorum.reached'>;

export interface QuestionView {
  /** The number of the question; 1 is the first one. */
  readonly number: number;
  readonly text: string;
  /** The current ballot of each seat, at the end of its present answer. */
  readonly ballots: readonly BallotView[];
  /** Set while the patience after a quorum is running. */
  readonly patience?: Body<'patience.began'> | undefined;
  readonly quorum?: QuorumView | undefined;
  readonly baselines: readonly BaselineView[];
}

export interface BoardView {
  readonly questions: readonly QuestionView[];
  /** The latest matrix of each synthesis, by version. */
  readonly agreements: Readonly<Record<number, AgreementView>>;
  /** The ablations, by the version that was ablated. */
  readonly ablations: Readonly<Record<number, readonly AblationView[]>>;
  /** Versions that were made only for an ablation, with the ablated version. They count for nothing else. */
  readonly madeForAblation: Readonly<Record<number, number>>;
  /** The ablation that the latest attempt makes; absent if it does something else. */
  readonly ablation?: AblationRequest | undefined;
}

export const EMPTY_BOARD: BoardView = {
  questions: [],
  agreements: {},
  ablations: {},
  madeForAblation: {},
};

/** Folds all facts of a run. */
export function boardOf(facts: Iterable<AnyFact>): BoardView {
  let view = EMPTY_BOARD;
  for (const one of facts) view = foldBoard(view, one);
  return view;
}

/** Returns the view after one more fact. */
export function foldBoard(view: BoardView, any: AnyFact): BoardView {
  if (isCall(any)) return withoutAnswer(view, any.step);
  const one = BOARD.own(any);
  switch (one?.type) {
    case 'run.started':
      return addQuestion(view, 1, one.question);
    case 'run.resumed':
      return { ...view, ablation: ablationIn(one.request) };
    case 'step.started':
      return beginVersion(view, one.step);
    case 'question.asked':
      return addQuestion(view, one.number, one.text);
    case 'ballot.cast':
      return changeQuestion(view, one.question, ({ ballots }) => ({
        ballots: [...ballots.filter(({ seat }) => seat !== one.seat), body(one)],
      }));
    case 'patience.began':
      return changeQuestion(view, one.question, () => ({ patience: body(one) }));
    case 'quorum.reached':
      return changeQuestion(view, one.question, () => ({ patience: undefined, quorum: body(one) }));
    case 'run.ended':
      return {
        ...view,
        questions: view.questions.map((each) => ({ ...each, patience: undefined })),
      };
    case 'baseline.completed':
      return changeQuestion(view, one.question, ({ baselines }) => ({
        baselines: [...baselines.filter(({ kind }) => kind !== one.kind), body(one)],
      }));
    case 'agreement.mapped':
      return { ...view, agreements: { ...view.agreements, [one.version]: body(one) } };
    case 'influence.weighed': {
      const others = (view.ablations[one.base] ?? []).filter(
        ({ without }) => without !== one.without,
      );
      return { ...view, ablations: { ...view.ablations, [one.base]: [...others, body(one)] } };
    }
    default:
      return view;
  }
}

/** Returns the step in which a seat answers a question. */
export function answerStep(seat: string, question = 1): string {
  return question === 1 ? `seat/${seat}` : `question-${question}/seat/${seat}`;
}

/** Removes the ballot of a seat that is asked again, and what was derived from it. */
function withoutAnswer(view: BoardView, step: string): BoardView {
  const asked = view.questions.find(({ ballots }) =>
    ballots.some((one) => stepOf(one.step) === stepOf(step)),
  );
  const gone = asked?.ballots.find((one) => stepOf(one.step) === stepOf(step))?.seat;
  if (asked === undefined || gone === undefined) return view;
  const agreements = Object.entries(view.agreements).map(([version, one]) => {
    if (one.question !== asked.number) return [version, one];
    const options = one.options.map((each) => ({
      ...each,
      seats: each.seats.filter((seat) => seat !== gone),
    }));
    return [version, { ...one, options }];
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
 * Notes that a synthesis is begun. A number that an ablation reserved but never used may be given to another
 * synthesis.
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

/** Returns the latest synthesis that was not made for an ablation. */
export function latestOf(
  syntheses: readonly SynthesisView[],
  { madeForAblation }: Pick<BoardView, 'madeForAblation'>,
): SynthesisView | undefined {
  return syntheses.findLast(({ version }) => !Object.hasOwn(madeForAblation, version));
}

function addQuestion(view: BoardView, number: number, text: string): BoardView {
  if (view.questions.some((one) => one.number === number)) return view;
  return { ...view, questions: [...view.questions, { number, text, ballots: [], baselines: [] }] };
}

function changeQuestion(
  view: BoardView,
  number: number,
  change: (question: QuestionView) => Partial<QuestionView>,
): BoardView {
  return {
    ...view,
    questions: view.questions.map((one) =>
      one.number === number ? { ...one, ...change(one) } : one,
    ),
  };
}

function body<T extends Fact>(one: T): Omit<T, 'v' | 'type' | 'run' | 'seq' | 'at'> {
  const { v: _v, type: _type, run: _run, seq: _seq, at: _at, ...rest } = one;
  return rest;
}
