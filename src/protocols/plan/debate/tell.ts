/**
 * A plan as Markdown: rendered from the record, so that it says what was decided and what was not. Whatever
 * models wrote has one line and is no heading: it can imitate no part of the plan.
 */
import { line } from '../../../text/line.ts';
import { type Cited, type Debate, openConflicts, type Spec, type Task } from './spec.ts';
import { live, type Statement } from './statements.ts';

/** The spec as Markdown, a block an item. `title`: of the topic. */
export function tellSpec(spec: Spec, debate: Debate, title: string): string[] {
  const byId = new Map(debate.statements.map((one) => [one.id, one]));
  const say = (id: string): string => {
    const one = byId.get(id);
    return one === undefined ? id : `${id} (${one.kind}): ${plain(one.text)}`;
  };
  const cite = ({ text, from }: Cited): string =>
    `- ${plain(text)}${from.length === 0 ? '' : ` [${from.join(', ')}]`}`;
  const section = (heading: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [`## ${heading}`, rows.join('\n')];
  const withdrawn = debate.statements.filter(({ state }) => state === 'withdrawn');
  const changed = live(debate.statements).filter(({ earlier }) => earlier.length > 0);
  return [
    `# ${title}`,
    plain(spec.goal),
    ...section(
      'Out of scope',
      spec.outOfScope.map((one) => `- ${plain(one)}`),
    ),
    ...section('Decisions', spec.decisions.map(cite)),
    ...section('Interfaces', spec.interfaces.map(cite)),
    ...section('Data', spec.data.map(cite)),
    ...section(
      'Tasks',
      spec.tasks.map((task, index) => tellTask(task, index + 1)),
    ),
    ...section('Risks', spec.risks.map(cite)),
    ...section('Open', [
      ...openConflicts(debate).map(({ id, question, options }) =>
        [`- ${id}: ${plain(question)}`, ...options.map((option) => `  - ${say(option)}`)].join(
          '\n',
        ),
      ),
      ...spec.openQuestions.map(cite),
    ]),
    ...section('Given up', [
      ...withdrawn.map((one) => `- ${one.id}, ${one.role}: ${plain(one.text)}${howGivenUp(one)}`),
      ...changed.flatMap(({ id, role, earlier }) =>
        earlier.map(({ text, round }) => `- ${id}, ${role}, until round ${round}: ${plain(text)}`),
      ),
    ]),
    ...section('Not carried', [
      ...spec.notCarried.map(({ id, why }) => `- ${say(id)} (${plain(why)})`),
      ...spec.forgotten.map((id) => `- ${say(id)} (no reason was given)`),
    ]),
    ...section(
      'Not heard',
      debate.notHeard.map(({ role, why }) => `- ${role}: ${plain(why)}`),
    ),
    ...section(
      'Statements',
      live(debate.statements).map(({ id }) => `- ${say(id)}`),
    ),
    ...section(
      'Refused',
      spec.refused.map(({ text, why }) => `- ${plain(text)} (${plain(why)})`),
    ),
    ...section(
      'To be mended in any case',
      spec.fixes.map(
        ({ title, path, from, to, problem, change }) =>
          `- ${plain(title)} (\`${line(path)}#L${from}-L${to}\`): ${plain(problem)} ${plain(change)}`,
      ),
    ),
    ...section(
      'Files that do not exist',
      spec.missingFiles.map(({ task, path }) => `- task ${task}: ${line(path)}`),
    ),
  ];
}

const BY = {
  owner: 'withdrawn',
  person: 'decided by the person',
  agreement: 'by agreement',
} as const;

function howGivenUp({ withdrawal }: Statement): string {
  if (withdrawal === undefined) return '';
  const { by, conflict, why } = withdrawal;
  return ` (${BY[by]}${conflict === undefined ? '' : ` in ${conflict}`}: ${plain(why)})`;
}

function tellTask({ title, files, from, after, test, doneWhen }: Task, number: number): string {
  return [
    `${number}. ${plain(title)}${from.length === 0 ? '' : ` [${from.join(', ')}]`}`,
    ...(after.length === 0 ? [] : [`   - after ${after.join(', ')}`]),
    ...files.map(({ path, isNew }) => `   - \`${line(path)}\`${isNew ? ' (new)' : ''}`),
    `   - test: ${plain(test)}`,
    `   - done when: ${plain(doneWhen)}`,
  ].join('\n');
}

/** Somebody's words in one line that begins no heading. */
function plain(text: string): string {
  return line(text).replace(/^#+\s*/, '');
}
