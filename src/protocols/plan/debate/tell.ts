/** A plan as Markdown: rendered from the record, so that it says what was decided and what was not. */
import { type Cited, type Debate, openConflicts, type Spec, type Task } from './spec.ts';
import { live, type Statement } from './statements.ts';

/** The spec as Markdown, a block an item. `title`: of the topic. */
export function tellSpec(spec: Spec, debate: Debate, title: string): string[] {
  const byId = new Map(debate.statements.map((one) => [one.id, one]));
  const say = (id: string): string => {
    const one = byId.get(id);
    return one === undefined ? id : `${id} (${one.kind}): ${one.text}`;
  };
  const cite = ({ text, from }: Cited): string =>
    `- ${text}${from.length === 0 ? '' : ` [${from.join(', ')}]`}`;
  const section = (heading: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [`## ${heading}`, rows.join('\n')];
  const withdrawn = debate.statements.filter(({ state }) => state === 'withdrawn');
  const changed = live(debate.statements).filter(({ earlier }) => earlier.length > 0);
  return [
    `# ${title}`,
    spec.goal,
    ...section(
      'Out of scope',
      spec.outOfScope.map((one) => `- ${one}`),
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
        [`- ${id}: ${question}`, ...options.map((option) => `  - ${say(option)}`)].join('\n'),
      ),
      ...spec.openQuestions.map(cite),
    ]),
    ...section('Given up', [
      ...withdrawn.map((one) => `- ${one.id}, ${one.role}: ${one.text}${howGivenUp(one)}`),
      ...changed.flatMap(({ id, role, earlier }) =>
        earlier.map(({ text, round }) => `- ${id}, ${role}, until round ${round}: ${text}`),
      ),
    ]),
    ...section('Not carried', [
      ...spec.notCarried.map(({ id, why }) => `- ${say(id)} (${why})`),
      ...spec.forgotten.map((id) => `- ${say(id)} (no reason was given)`),
    ]),
    ...section(
      'Not heard',
      debate.notHeard.map(({ role, why }) => `- ${role}: ${why}`),
    ),
    ...section(
      'Statements',
      live(debate.statements).map(({ id }) => `- ${say(id)}`),
    ),
    ...section(
      'Refused',
      spec.refused.map(({ text, why }) => `- ${text} (${why})`),
    ),
    ...section(
      'To be mended in any case',
      spec.fixes.map(
        ({ title, path, from, to, problem, change }) =>
          `- ${title} (\`${path}#L${from}-L${to}\`): ${problem} ${change}`,
      ),
    ),
    ...section(
      'Files that do not exist',
      spec.missingFiles.map(({ task, path }) => `- task ${task}: ${path}`),
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
  return ` (${BY[by]}${conflict === undefined ? '' : ` in ${conflict}`}: ${why})`;
}

function tellTask({ title, files, from, after, test, doneWhen }: Task, number: number): string {
  return [
    `${number}. ${title}${from.length === 0 ? '' : ` [${from.join(', ')}]`}`,
    ...(after.length === 0 ? [] : [`   - after ${after.join(', ')}`]),
    ...files.map(({ path, isNew }) => `   - \`${path}\`${isNew ? ' (new)' : ''}`),
    `   - test: ${test}`,
    `   - done when: ${doneWhen}`,
  ].join('\n');
}
