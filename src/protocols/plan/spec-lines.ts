/**
 * Renders a plan as Markdown from the record, with what was decided and what was not. Models' words are put
 * on one line and cannot form a heading, so that they cannot imitate a part of the plan.
 */
import { line } from '../../text/line.ts';
import { PERSON } from './config.ts';
import type { Conflict } from './rules/conflicts.ts';
import { GOAL_MARK, marksOn, toPlainLine as plain, taskText, tellsEnd } from './rules/marks.ts';
import { type Cited, openConflicts, type Spec, type SpecBasis, type Task } from './rules/spec.ts';
import { findLiveStatements, type Statement } from './rules/statements.ts';

/**
 * Formats the spec (the finished plan) as a list of Markdown blocks.
 * @param title the title of the topic
 */
export function renderSpec(spec: Spec, basis: SpecBasis, title: string): string[] {
  const byId = new Map(basis.statements.map((one) => [one.id, one]));
  const edition = basis.edition ?? 1;
  const isThird = edition >= 3;
  const say = (id: string): string => {
    const one = byId.get(id);
    if (one === undefined) return id;
    const gone = isThird && one.state === 'withdrawn' ? ', given up' : '';
    return `${id} (${kindOf(one)}${gone}): ${plain(one.text)}`;
  };
  const open = openConflicts(basis);
  const source = (from: readonly string[]): string => tellSource(from, open);
  const { contradictions = [] } = spec.checks ?? {};
  const marks = (part: Cited): string[] => marksOn(part, spec.checks).map((one) => `**${one}**`);
  const cite = (part: Cited): string =>
    [`- ${plain(part.text)}${source(part.from)}`, ...marks(part).map((one) => `  - ${one}`)].join(
      '\n',
    );
  const section = (heading: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [`## ${heading}`, rows.join('\n')];
  const withdrawn = basis.statements.filter(({ state }) => state === 'withdrawn');
  return [
    `# ${title}`,
    plain(spec.goal),
    ...(edition >= 7 && tellsEnd(spec.goal) ? [`**${GOAL_MARK}**`] : []),
    ...section(
      'Out of scope',
      spec.outOfScope.map((one) => `- ${plain(one)}`),
    ),
    ...section('Decisions', spec.decisions.map(cite)),
    ...section('Interfaces', spec.interfaces.map(cite)),
    ...section('Data', spec.data.map(cite)),
    ...section(
      'Tasks',
      spec.tasks.map((task, index) =>
        [
          tellTask(task, index + 1, source(task.from), edition < 7),
          ...marks({ text: taskText(task), from: task.from }).map((one) => `   - ${one}`),
        ].join('\n'),
      ),
    ),
    ...section('Risks', spec.risks.map(cite)),
    ...section(
      'Contradictions',
      contradictions.map(
        ({ parts, why }) =>
          `- ${parts.map((one) => `“${plain(one)}”`).join(' and ')}: ${plain(why)}`,
      ),
    ),
    ...section(isThird ? 'Conflicts nobody has settled' : 'Open', [
      ...open.map((conflict) =>
        [
          `- ${conflict.id}${conflict.unconfirmed === true ? ', unconfirmed' : ''}: ${plain(conflict.question)}`,
          ...(isThird ? [`  - ${plain(conflict.why)}`] : []),
          ...conflict.options.map((option) => `  - ${say(option)}`),
          ...(conflict.given ?? []).map((id) => `  - It rests on: ${say(id)}`),
          ...howItStands(conflict, basis).map((row) => `  - ${row}`),
        ].join('\n'),
      ),
      ...(isThird ? [] : spec.openQuestions.map(cite)),
    ]),
    ...(isThird ? section('Open', spec.openQuestions.map(cite)) : []),
    ...section(
      'Settled',
      basis.conflicts
        .filter((one) => !open.includes(one))
        .map((one) => `- ${one.id}: ${plain(one.question)} ${howSettled(one, basis)}`),
    ),
    ...section('Given up', [
      ...withdrawn.map(
        (one) =>
          `- ${one.id}, ${one.role}${edition >= 4 && one.must === true ? ', a must' : ''}: ${plain(one.text)}${howGivenUp(one)}`,
      ),
      ...basis.statements.flatMap(({ id, role, earlier }) =>
        earlier.map(({ text, round }) => `- ${id}, ${role}, until round ${round}: ${plain(text)}`),
      ),
    ]),
    ...section('Not carried', [
      ...spec.notCarried.map(({ id, why }) => `- ${say(id)} (${plain(why)})`),
      ...spec.forgotten.map((id) => `- ${say(id)} (no reason was given)`),
    ]),
    ...section(
      'Not heard',
      basis.notHeard.map(({ role, why }) => `- ${role}: ${plain(why)}`),
    ),
    ...section(
      'Statements',
      findLiveStatements(basis.statements).map(
        (one) =>
          `- ${one.id} (${kindOf(one)}): ${one.title === undefined ? '' : `${plain(one.title)}: `}${plain(one.text)}${one.because === undefined ? '' : ` Because: ${line(one.because)}`}`,
      ),
    ),
    ...section(
      'Refused',
      spec.refused.map(({ text, why }) => `- ${plain(text)} (${plain(why)})`),
    ),
    ...section(
      'To be mended in any case',
      spec.fixes.map(
        ({ title, path, from, to, problem, change }) =>
          `- ${plain(title)} (\`${line(path)}#L${from}${to === from ? '' : `-L${to}`}\`): ${plain(problem)} ${plain(change)}`,
      ),
    ),
    ...section(
      'Files that do not exist',
      spec.missingFiles.map(({ task, path }) => `- task ${task}: ${line(path)}`),
    ),
  ];
}

function kindOf({ kind, must }: Statement): string {
  return must ? `${kind}, must` : kind;
}

/**
 * Formats what a part cites, and which open questions these statements belong to, because the part may have
 * to change with them.
 */
function tellSource(from: readonly string[], open: readonly Conflict[]): string {
  const waits = open
    .filter(({ options }) => options.some((id) => from.includes(id)))
    .map(({ id }) => id);
  const ids = from.join(', ');
  return from.length === 0
    ? ''
    : ` [${ids}${waits.length === 0 ? '' : `; open: ${waits.join(', ')}`}]`;
}

/**
 * Says why a question is open, who accepts which options, and what seats said about their musts
 * (constraints they insist on).
 */
function howItStands({ id }: Conflict, { standings, musts = [] }: SpecBasis): string[] {
  const standing = standings.find(({ conflict }) => conflict === id);
  if (standing === undefined) return [];
  const accepts = Object.entries(standing.accepts).map(
    ([role, options]) => `${role} accepts ${options.join(', ') || 'none'}`,
  );
  return [
    `Open because ${standing.why}.`,
    ...(accepts.length === 0 ? [] : [`${accepts.join('; ')}.`]),
    ...standing.suspicions.map(({ role, what }) => `${role} ${what}.`),
    ...musts
      .filter(({ conflict }) => conflict === id)
      .map(
        ({ role, statement, holds, why }) =>
          `Asked alone, ${role} ${holds === undefined ? 'did not say whether it holds' : holds ? 'holds' : 'would give up'} ${statement}: ${line(why)}`,
      ),
  ];
}

function howSettled({ id }: Conflict, { standings }: SpecBasis): string {
  const { outcome, why } = standings.find(({ conflict }) => conflict === id) ?? {};
  if (outcome === undefined) return why === undefined ? '' : `No conflict: ${line(why)}`;
  return 'option' in outcome
    ? `${outcome.option} (${why})`
    : outcome.compatible.some(({ role }) => role === PERSON)
      ? `All of it, decided by the person, who says how it goes together: ${outcome.compatible.map(({ how }) => line(how)).join(' ')}`
      : `All of it: ${outcome.compatible.map(({ role, how }) => `${line(how)} (${role})`).join(' ')}`;
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

function tellTask(
  { title, files, after, test, doneWhen }: Task,
  number: number,
  source: string,
  /** Whether an empty condition has a line, as before edition 7 of the rules. */
  hasEmpty: boolean,
): string {
  return [
    `${number}. ${plain(title)}${source}`,
    ...(after.length === 0 ? [] : [`   - after ${after.join(', ')}`]),
    ...files.map(({ path, isNew }) => `   - \`${line(path)}\`${isNew ? ' (new)' : ''}`),
    ...(test.trim() === '' ? [] : [`   - test: ${plain(test)}`]),
    ...(hasEmpty || doneWhen.trim() !== '' ? [`   - done when: ${plain(doneWhen)}`] : []),
  ].join('\n');
}
