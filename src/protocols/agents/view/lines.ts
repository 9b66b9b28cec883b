/** Formats what agents do as lines of progress, and finds which of their calls are texts for people. */

import type { CallView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { toLine } from '../../../text/line.ts';
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
  const fact = AGENTS.own(any);
  switch (fact?.type) {
    case 'route.chosen':
      return `${title(fact.agent)} sends it to ${fact.choice === fact.agent ? 'itself' : title(fact.choice)}: ${toLine(fact.reason)}`;
    case 'handoff.made':
      return `${title(fact.from)} hands off to ${title(fact.to)}`;
    case 'team.broadcast':
      return fact.by === 'supervisor'
        ? `${title(fact.from)} opens cycle ${fact.cycle + 1}`
        : undefined;
    case 'team.compacted':
      return `the first ${fact.messages} messages of ${toLine(fact.path)} are shortened from cycle ${fact.cycle} on, so that the discussion fits`;
    case 'team.ended':
      return `the team ${toLine(fact.path)} ended after ${fact.cycles} ${fact.cycles === 1 ? 'cycle' : 'cycles'} (${fact.how}): ${toLine(fact.why)}`;
    case 'agent.completed':
      return fact.status === 'done'
        ? undefined
        : `${title(fact.agent)} has no answer: ${toLine(fact.reason ?? fact.status)}`;
    default:
      return undefined;
  }
}
