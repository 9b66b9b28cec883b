/**
 * Says beside each part of a spec what readers found wrong with it, and which reading it lacks, so that
 * whoever reads one decision alone is not misled.
 */
import { toLine } from '../../../text/line.ts';
import type { Checks, CitedPart, Task } from './spec.ts';

/**
 * Puts a model's words on one line, and removes `#` at the beginning, so that Markdown shows no
 * heading.
 */
export function toPlainLine(text: string): string {
  return toLine(text).replace(/^#+\s*/, '');
}

/** The remark below a spec's goal if the goal, which a model wrote, says how the plan ended. */
export const GOAL_MARK = 'How this plan ended is said by its first line, not by its goal';

const END_WORDS = [
  /\bconverged?\b|\bunanimous(?:ly)?\b|\beinstimmig\b/iu,
  /\b(?:all|both|each|every|everybody|everyone|seats?|sides?|specialists?)\b[^.;]{0,30}\bagreed?\b/iu,
  /\b(?:conflicts?|contradictions?|disagreements?|questions?)\b[^.;]{0,30}\b(?:closed|decided|left|open|resolved|settled)\b/iu,
  /\bno (?:open )?(?:conflicts?|contradictions?|disagreements?|questions?)\b/iu,
];

/** Returns whether a text speaks of how a plan ended: that seats agreed, or that no question is open. */
export function isAboutEnd(text: string): boolean {
  return END_WORDS.some((words) => words.test(text));
}

/**
 * Formats a task of the plan as one line, in the words in which the readers of the finished plan
 * saw it.
 */
export function taskText({ title, doneWhen }: Pick<Task, 'title' | 'doneWhen'>): string {
  return `${title}: ${doneWhen}`;
}

/**
 * Returns sentences that are shown beside a part of the plan. They say what readers found wrong
 * with it. They also mention if the part was never read, or never compared with the other parts, by
 * a reader that had passed the test for finding faults. Empty if there is nothing to say, or if the
 * plan was not checked.
 */
export function marksOn({ text, from }: CitedPart, checks: Checks | undefined): string[] {
  const { notCarried = [], notRead = [], notCompared = [], contradictions = [] } = checks ?? {};
  const isThis = (part: CitedPart): boolean =>
    part.text === text && part.from.join() === from.join();
  const unread = notRead.find(isThis)?.why;
  const uncompared = notCompared.find(isThis)?.why;
  return [
    ...notCarried
      .filter(isThis)
      .map(({ why }) => `Not carried by what it cites: ${toPlainLine(why)}`),
    ...contradictions
      .filter(({ parts }) => parts.includes(text))
      .map(({ parts, why }) => {
        const others = parts
          .filter((part) => part !== text)
          .map((part) => `“${toPlainLine(part)}”`);
        return `Contradicts ${others.join(', ')}: ${toPlainLine(why)}`;
      }),
    ...listMissingChecks(unread, uncompared),
  ];
}

function listMissingChecks(unread: string | undefined, uncompared: string | undefined): string[] {
  if (unread !== undefined && unread === uncompared)
    return [`${NOT_READ}, nor compared with the other parts: ${toPlainLine(unread)}`];
  return [
    ...(unread === undefined ? [] : [`${NOT_READ}: ${toPlainLine(unread)}`]),
    ...(uncompared === undefined
      ? []
      : [`Not compared with the other parts: ${toPlainLine(uncompared)}`]),
  ];
}

const NOT_READ = 'Not read against what it cites';
