/**
 * Says beside each part of a spec what readers found wrong with it, and which reading it lacks, so that
 * whoever reads one decision alone is not misled.
 */
import { line } from '../../../text/line.ts';
import type { Checks, Cited, Task } from './spec.ts';

/** Puts a model's words on one line that begins no heading. */
export function toPlainLine(text: string): string {
  return line(text).replace(/^#+\s*/, '');
}

/** Returns the words of a task that readers of the finished plan were shown. */
export function taskText({ title, doneWhen }: Pick<Task, 'title' | 'doneWhen'>): string {
  return `${title}: ${doneWhen}`;
}

/**
 * Returns sentences about a part: what readers found wrong with it, and that nobody has read or compared it
 * who had shown that they see faults. Empty if there is nothing to say, or if the plan was not checked.
 */
export function marksOn({ text, from }: Cited, checks: Checks | undefined): string[] {
  const { notCarried = [], notRead = [], notCompared = [], contradictions = [] } = checks ?? {};
  const isThis = (one: Cited): boolean => one.text === text && one.from.join() === from.join();
  const unread = notRead.find(isThis)?.why;
  const uncompared = notCompared.find(isThis)?.why;
  return [
    ...notCarried
      .filter(isThis)
      .map(({ why }) => `Not carried by what it cites: ${toPlainLine(why)}`),
    ...contradictions
      .filter(({ parts }) => parts.includes(text))
      .map(({ parts, why }) => {
        const others = parts.filter((one) => one !== text).map((one) => `“${toPlainLine(one)}”`);
        return `Contradicts ${others.join(', ')}: ${toPlainLine(why)}`;
      }),
    ...lacking(unread, uncompared),
  ];
}

function lacking(unread: string | undefined, uncompared: string | undefined): string[] {
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
