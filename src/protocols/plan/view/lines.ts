/**
 * What a plan says beside its seats' own words, for pipes: a line of progress for everything that bears
 * on whether the plan can be relied on.
 */
import type { CallView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { progress, type Teller, type Told } from '../../../plain/protocol-text.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { line } from '../../../text/line.ts';
import { plural } from '../../../text/numbers.ts';
import { PLAN } from '../facts.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from '../fold.ts';
import { answerWords } from './answers.ts';
import { holdsWords } from './conflict-text.ts';
import { type Planned, plannedOf } from './planned.ts';
import { endingOf, KIND_WORDS, lookWords, stateWords } from './wording.ts';

type Named = (seat: string) => string;

export function planTeller(): Teller {
  let plan = EMPTY_PLAN;
  return {
    tell: (any, { view, title }) => {
      const before = plan;
      plan = foldPlan(plan, any);
      return plan === before ? [] : newsOf(any, before, plannedOf(view, plan), title).map(tell);
    },
    above: (_synthesis, view) => {
      const planned = plannedOf(view, plan);
      return planned.plan.written === undefined ? [] : [stateWords(planned)];
    },
  };
}

function tell(text: string): Told {
  return progress(line(text));
}

function newsOf(any: AnyFact, before: PlanView, planned: Planned, title: Named): string[] {
  const one = PLAN.own(any);
  const { plan } = planned;
  switch (one?.type) {
    case 'plan.staffed':
      return [
        `Called in: ${one.seats.map(({ seat, by }) => `${title(seat)} (${by.join(', ') || 'by the person'})`).join(', ') || 'nobody'}`,
        ...(one.unowned.length === 0
          ? []
          : [`Touched and owned by nobody: ${one.unowned.join(', ')}`]),
      ];
    case 'question.looked-up':
      return one.answer === undefined
        ? [`${title(one.seat)} asks, and no document answers: ${one.question}`]
        : [`${title(one.seat)} asks: ${one.question} Answered at ${one.answer.place}`];
    case 'question.researched': {
      const { id, found, absent = [], dropped, why } = one;
      const question = plan.lookedUp.find((asked) => asked.id === id)?.question ?? id;
      const count = found.length + absent.length;
      return [
        why === undefined
          ? `Researched: ${question} ${plural(count, 'claim')} found, unconfirmed; ${dropped.length} dropped`
          : `Not researched: ${question} (${why})`,
      ];
    }
    case 'context.gated':
      return one.notKnown.map(
        (question) => `${title(one.seat)} goes on without knowing: ${question}`,
      );
    case 'conflicts.examined': {
      const look = plan.examined.at(-1);
      const known = new Set(before.conflicts.map(({ id }) => id));
      return [
        ...(look === undefined ? [] : [`Round ${one.round}: ${lookWords(look)}`]),
        ...plan.conflicts
          .filter(({ id }) => !known.has(id))
          .map(
            ({ id, kind, question, options, given = [] }) =>
              `${id}, ${KIND_WORDS[kind]}: ${question} (${options.join(', ')}${given.length === 0 ? '' : `; it rests on ${given.join(', ')}`})`,
          ),
      ];
    }
    case 'conflict.decided': {
      const conflict = plan.conflicts.find(({ id }) => id === one.conflict);
      return conflict === undefined ? [] : [`${conflict.id}: ${endingOf(conflict, planned).words}`];
    }
    case 'must.asked':
      return [
        `${title(one.role)}, asked alone, ${holdsWords(one.holds)} ${one.statement}: ${one.why}`,
      ];
    case 'seat.unheard':
      return [`${title(one.role)} is not heard in round ${one.round}: ${one.why}`];
    case 'plan.written':
      return [stateWords(planned)];
    case 'files.written':
      return [`Written into the repository: ${one.files.map(({ path }) => path).join(', ')}`];
    default:
      return [];
  }
}

/** What a seat says to the others; what only serves the chair's work is told by its outcome. */
const SPOKEN: ReadonlySet<string> = new Set(['plan/speak', 'plan/answer', 'plan/must']);

export function spokenText(call: CallView): string | undefined {
  return SPOKEN.has(call.task ?? '') ? formatAnswer(call, answerWords) : undefined;
}

/** The question that a step of research looks up; before the third edition its key does not say. */
export function questionOf(step: string, { lookedUp }: PlanView): string | undefined {
  const id = /^research\/([^/]+)$/.exec(step)?.[1];
  return lookedUp.find((one) => one.id === id)?.question;
}

const PURPOSES: readonly (readonly [RegExp, string])[] = [
  [/^staff/, ' what to search for and whom to call in'],
  [/^ask\/[^/]+\/read-/, ' whether the documents answer a question'],
  [/^ask\//, ' what it must know first'],
  [/^research\/[^/]+\/carried/, ' whether quotations carry what was claimed'],
  [/^research\//, ' to look into the code'],
  [/\/control-\d+$/, ' for a statement to plant among the others'],
  [/^round-\d+\/examine-/, ' for conflicts'],
  [/^round-1\//, ' for its statements'],
  [/^round-\d+\//, ' to answer what is open'],
  [/^decide\//, ' alone about its must'],
  [/^synthesis/, ' to write the plan'],
];

export function purposeOf(step: string): string {
  return PURPOSES.find(([steps]) => steps.test(step))?.[1] ?? '';
}
