/** Formats a plan's facts as sentences. */
import type { Sentences } from '../../../record-kinds/sentences.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { OwnBody } from '../facts.ts';
import { formatInsistence } from './conflict.ts';
import type { PlanDisplay } from './display-state.ts';
import {
  describeExamination,
  describeStateAndQuestions,
  getEnding,
  KIND_WORDS,
} from './wording.ts';

/** A function for each type of a plan's facts, which formats the fact as one or several sentences. */
export const SENTENCES: Sentences<OwnBody, PlanDisplay> = {
  'plan.staffed': ({ seats, unowned }, { title }) => [
    `Called in: ${seats.map(({ seat, by }) => `${title(seat)} (${by.join(', ') || 'by the person'})`).join(', ') || 'nobody'}`,
    ...(unowned.length === 0 ? [] : [`Touched and owned by nobody: ${unowned.join(', ')}`]),
  ],
  'question.looked-up': ({ seat, question, answer }, { title }) =>
    answer === undefined
      ? `${title(seat)} asks, and no document answers: ${question}`
      : `${title(seat)} asks: ${question} Answered at ${answer.place}`,
  'question.researched': ({ id, found, absent = [], dropped, why }, { plan }) => {
    const question = plan.lookedUp.find((asked) => asked.id === id)?.question ?? id;
    return why === undefined
      ? `Researched: ${question} ${formatCount(found.length + absent.length, 'claim')} found, unconfirmed; ${dropped.length} dropped`
      : `Not researched: ${question} (${why})`;
  },
  'context.gated': ({ seat, shown, withheld, cut, notKnown }, { title }) => [
    `${title(seat)} is shown ${formatCount(shown.length, 'piece')}; ${withheld.length} withheld, ${cut.length} cut`,
    ...notKnown.map((question) => `${title(seat)} goes on without knowing: ${question}`),
  ],
  'statements.made': ({ role, round, add, change, withdraw }, { title }) =>
    `${title(role)}, round ${round}: ${add.length} said, ${change.length} changed, ${withdraw.length} withdrawn`,
  'conflicts.examined': ({ round, conflicts }, { plan }) => {
    const look = plan.examined.at(-1);
    const known = new Set((plan.examined.at(-2)?.conflicts ?? []).map(({ id }) => id));
    return [
      ...(look === undefined ? [] : [`Round ${round}: ${describeExamination(look)}`]),
      ...conflicts
        .filter(({ id }) => !known.has(id))
        .map(
          ({ id, kind, question, options, given = [] }) =>
            `${id}, ${KIND_WORDS[kind]}: ${question} (${options.join(', ')}${given.length === 0 ? '' : `; it rests on ${given.join(', ')}`})`,
        ),
    ];
  },
  'conflicts.answered': ({ role, round, answers }, { title }) =>
    `${title(role)}, round ${round}: ${formatCount(answers.length, 'question')} answered`,
  'conflict.decided': ({ conflict: id }, planned) => {
    const conflict = planned.plan.conflicts.find((conflict) => conflict.id === id);
    return conflict === undefined ? [] : `${id}: ${getEnding(conflict, planned).words}`;
  },
  'conflict.reread': ({ conflict, isMisread, why }) =>
    `${conflict}: ${isMisread ? 'misread' : 'not shown to be misread'}: ${why}`,
  'must.asked': ({ role, statement, holds, why }, { title }) =>
    `${title(role)}, asked alone, ${formatInsistence(holds)} ${statement}: ${why}`,
  'seat.unheard': ({ role, round, why }, { title }) =>
    `${title(role)} is not heard in round ${round}: ${why}`,
  'plan.written': (_fact, planned) => describeStateAndQuestions(planned),
  'files.written': ({ files }) =>
    `Written into the repository: ${files.map(({ path }) => path).join(', ')}`,
};
