/** The facts of a plan in a few words each, for the log; pipes are told by `lines.ts`. */
import type { AnyFact, Sayings } from '../../../kernel/vocabulary.ts';
import { plural } from '../../../text/numbers.ts';
import { type OwnBody, PLAN } from '../facts.ts';

const SAYINGS: Sayings<OwnBody> = {
  'plan.staffed': ({ seats, unowned }) =>
    `called in: ${seats.map(({ seat, by }) => `${seat} (${by.join(', ')})`).join(', ') || 'nobody'}${unowned.length === 0 ? '' : `; owned by nobody: ${unowned.join(', ')}`}`,
  'question.looked-up': ({ id, question, answer, why }) =>
    `${id} ${question} ${answer === undefined ? (why ?? 'not known') : answer.place}`,
  'question.researched': ({ id, found, absent = [], dropped, why }) =>
    `${id}: ${why ?? `${plural(found.length + absent.length, 'claim')} found, ${dropped.length} dropped`}`,
  'context.gated': ({ seat, shown, withheld, cut, notKnown }) =>
    `${seat} is shown ${plural(shown.length, 'piece')}; ${withheld.length} withheld, ${cut.length} cut, ${notKnown.length} not known`,
  'statements.made': ({ role, round, add, change, withdraw }) =>
    `${role}, round ${round}: ${add.length} said, ${change.length} changed, ${withdraw.length} withdrawn`,
  'conflicts.examined': ({ round, model, found, control, why }) =>
    `round ${round}, ${model}: ${why ?? `${plural(found.length, 'conflict')}; the control was ${control === undefined ? 'not held' : control.seen ? 'seen' : 'missed'}`}`,
  'conflicts.answered': ({ role, round, answers }) =>
    `${role}, round ${round}: ${plural(answers.length, 'question')} answered`,
  'conflict.decided': ({ conflict, option, by, together }) =>
    `${conflict}: ${option ?? (together === undefined ? 'left open' : 'they go together')} (${by})`,
  'conflict.reread': ({ conflict, isMisread, why }) =>
    `${conflict}: ${isMisread ? 'misread' : 'not shown to be misread'}: ${why}`,
  'must.asked': ({ role, statement, holds, why }) =>
    `${role} ${holds === undefined ? 'did not say' : holds ? 'holds' : 'gives up'} ${statement}: ${why}`,
  'seat.unheard': ({ role, round, why }) => `${role}, round ${round}: ${why}`,
  'plan.written': ({ state, title }) => `${state}: ${title}`,
  'files.written': ({ files }) => files.map(({ path }) => path).join(', '),
};

/** Undefined where the fact is none of these. */
export function says(one: AnyFact): string | undefined {
  return PLAN.say(SAYINGS, one);
}
