/**
 * Writes the commit history that comes home: one commit for each task, with a message that says what
 * changed. Pure.
 */
import type { HistoryEntry } from '../../kernel/tools/workshop.ts';
import { toLine } from '../../text/line.ts';
import { cutText } from '../../text/words/cut.ts';
import type { TaskView, TeamView } from './fold.ts';

/** The longest subject of a commit, in characters. */
export const MAX_SUBJECT = 72;
const WIDTH = 72;

/** Verb forms at the start of a title that the imperative replaces. */
const VERB =
  /^(?:(add|fix|implement|support|test|document|return|reject|extend|report|print|show|check|convert|format|sort|export|import)(?:s|ed|ing)|(handl|updat|remov|us|mak|writ|pars|validat|creat|chang|mov|renam|generat|introduc|improv|replac|cach|stor|ignor)(?:es|ed|ing)) (?=\S)/i;

/**
 * Returns the commits of the run, each with the message that the person will see: that of its task.
 * Commits with the same message are combined later. A test gets the message of the last task of its
 * workstream that has a commit; without such a task, the test is left out.
 * @param trailer the last line of each message; undefined if there is none
 * @param tests the commits of acceptance tests and of verifiers' tests
 */
export function historyOf(
  view: TeamView,
  trailer: string | undefined,
  tests: readonly { readonly workstream: string; readonly commit: string }[] = [],
): readonly HistoryEntry[] {
  const subjects = subjectsOf(view.tasks);
  const entryFor = (task: TaskView, commit: string): HistoryEntry => ({
    commit,
    part: task.task.id,
    message: messageOf(task, subjects.get(task.task.id) ?? task.task.id, view, trailer),
  });
  const ofTasks = view.tasks.flatMap((task) =>
    task.attempts.flatMap(({ commits }) =>
      commits.flatMap(({ commit }) => (commit === undefined ? [] : [entryFor(task, commit)])),
    ),
  );
  // In the delivered branch, a workstream's tests belong to the commit of its last task: the tests may pass only
  // with the work of all its tasks.
  const ofTests = [...view.tests, ...tests].flatMap(({ commit, workstream }) => {
    if (commit === undefined) return [];
    const last = view.tasks.findLast(
      (task) => task.task.workstream === workstream && task.commit !== undefined,
    );
    return last === undefined ? [] : [entryFor(last, commit)];
  });
  return [...ofTests, ...ofTasks];
}

/** Returns a subject line for each task's id. Two tasks with the same title get different subjects. */
function subjectsOf(tasks: readonly TaskView[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  for (const { task } of tasks) {
    const plain = subjectOf(task.title, task.id);
    const subject = taken.has(plain)
      ? `${cutText(plain, MAX_SUBJECT - task.id.length - 3)} (${task.id})`
      : plain;
    taken.add(subject);
    given.set(task.id, subject);
  }
  return given;
}

/**
 * Converts a task's title to the subject of a commit. A common verb at the start is put in the imperative:
 * `Adds the flag.` becomes `Add the flag`. An empty title gives `Do` and the task's id.
 */
export function subjectOf(title: string, id: string): string {
  const text = toLine(title)
    .replace(/^(?:[A-Z]?\d+|task [\w-]+)\s*[:.)-]\s*/i, '')
    .replace(/\.+$/, '')
    .replace(VERB, (_all, whole?: string, stem?: string) => `${whole ?? `${stem}e`} `);
  const begun = text === '' ? `Do ${id}` : text.charAt(0).toUpperCase() + text.slice(1);
  return cutText(begun, MAX_SUBJECT);
}

function messageOf(
  { task }: TaskView,
  subject: string,
  { requirements }: TeamView,
  trailer: string | undefined,
): string {
  const covered = requirements.filter(({ id }) => task.covers.includes(id));
  return [
    subject,
    ...covered.map(({ id, text }) => wrapText(`${id}: ${toLine(text)}`)),
    [`Task: ${toLine(task.id)}`, ...(trailer === undefined ? [] : [trailer])].join('\n'),
  ].join('\n\n');
}

function wrapText(text: string): string {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const last = rows.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH) rows.push(word);
    else rows[rows.length - 1] = `${last} ${word}`;
  }
  return rows.join('\n');
}
