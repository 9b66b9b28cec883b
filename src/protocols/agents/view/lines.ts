/** Formats what agents do as lines of progress, and finds which of their calls are texts for people. */

import type { CallView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { line } from '../../../text/line.ts';
import { AGENTS } from '../facts.ts';
import { answerWords } from './answers.ts';

/**
 * Returns the text of a call for people, or undefined for a router's choice, which is printed as
 * progress.
 */
export function getSpokenText(call: CallView): string | undefined {
  if (isChoice(call)) return undefined;
  return formatAnswer(call, answerWords);
}

/**
 * Returns whether a call is a router's choice. Calls in old logs have no `task` and are recognized
 * by the form of their value.
 */
export function isChoice({ task, value }: CallView): boolean {
  const isForm = typeof value === 'object' && value !== null && !('text' in value);
  return isForm && (task === undefined || task === 'agent/route');
}

/**
 * Formats a fact about agents as a line of progress; undefined if the fact is not about agents, or has no line.
 * @param title returns a seat's name without control characters
 */
export function formatNews(any: AnyFact, title: (seat: string) => string): string | undefined {
  const one = AGENTS.own(any);
  switch (one?.type) {
    case 'route.chosen':
      return `${title(one.agent)} sends it to ${one.choice === one.agent ? 'itself' : title(one.choice)}: ${line(one.reason)}`;
    case 'handoff.made':
      return `${title(one.from)} hands off to ${title(one.to)}`;
    case 'team.broadcast':
      return one.by === 'supervisor'
        ? `${title(one.from)} opens cycle ${one.cycle + 1}`
        : undefined;
    case 'team.compacted':
      return `the first ${one.messages} messages of ${line(one.path)} are shortened from cycle ${one.cycle} on, so that the discussion fits`;
    case 'team.ended':
      return `the team ${line(one.path)} ended after ${one.cycles} ${one.cycles === 1 ? 'cycle' : 'cycles'} (${one.how}): ${line(one.why)}`;
    case 'agent.completed':
      return one.status === 'done'
        ? undefined
        : `${title(one.agent)} has no answer: ${line(one.reason ?? one.status)}`;
    default:
      return undefined;
  }
}
