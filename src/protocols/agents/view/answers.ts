/** Formats structured answers of agents: a supervisor's turn as its text, a router's as its choice. */
import type { AnswerWords } from '../../../text/answers/answer.ts';
import { readEntry } from '../../../text/answers/read.ts';
import { joinLines } from '../../../text/line.ts';

/**
 * Formats structured answers of agents as text: a supervisor's message or report, or a router's
 * choice. Returns undefined for other answers.
 */
export const answerWords: AnswerWords = (task, value) => {
  // Calls in old logs have no `task`. Among these, an answer with the field `action` is a supervisor's.
  const isTurn = task === undefined && readText(value, 'action') !== '';
  if (task === 'agent/supervise' || isTurn) return readText(value, 'text');
  if (task !== 'agent/route') return undefined;
  const [agent, reason, message] = ['agent', 'reason', 'message'].map((name) =>
    readText(value, name),
  );
  return [
    agent && `Sends it to **${joinLines(agent)}**${reason && `: ${joinLines(reason)}`}`,
    message && `It adds: ${message}`,
  ]
    .filter(Boolean)
    .join('\n\n');
};

function readText(value: unknown, name: string): string {
  const said = readEntry(value, name);
  return typeof said === 'string' ? said.trim() : '';
}
