/**
 * Renders a plan as Markdown from the record, with what was decided and what was not. Models' words are put
 * on one line and cannot form a heading, so that they cannot imitate a part of the plan.
 */
import { toLine } from '../../text/line.ts';
import { PERSON } from './config.ts';
import type { Conflict } from './rules/conflicts.ts';
import { GOAL_MARK, isAboutEnd, marksOn, toPlainLine as plain, taskText } from './rules/marks.ts';
import {
  type CitedPart,
  openConflicts,
  type Spec,
  type SpecBasis,
  type Task,
} from './rules/spec.ts';
import { findLiveStatements, type Statement } from './rules/statements.ts';

/**
 * Formats the spec (the finished plan) as a list of Markdown blocks.
 * @param title the title of the topic
 */
export function renderSpec(spec: Spec, basis: SpecBasis, title: string): string[] {
  const byId = new Map(basis.statements.map((statement) => [statement.id, statement]));
  const edition = basis.edition ?? 1;
  const isThird = edition >= 3;
  const tellStatement = (id: string): string => {
    const statement = byId.get(id);
    if (statement === undefined) return id;
    const gone = isThird && statement.state === 'withdrawn' ? ', given up' : '';
    return `${id} (${kindOf(statement)}${gone}): ${plain(statement.text)}`;
  };
  const open = openConflicts(basis);
  const formatSource = (from: readonly string[]): string => tellSource(from, open);
  const { contradictions = [] } = spec.checks ?? {};
  const listMarks = (part: CitedPart): string[] =>
    marksOn(part, spec.checks).map((mark) => `**${mark}**`);
  const citePart = (part: CitedPart): string =>
    [
      `- ${plain(part.text)}${formatSource(part.from)}`,
      ...listMarks(part).map((mark) => `  - ${mark}`),
    ].join('\n');
  const formatSection = (heading: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [`## ${heading}`, rows.join('\n')];
  const withdrawn = basis.statements.filter(({ state }) => state === 'withdrawn');
  return [
    `# ${title}`,
    plain(spec.goal),
    ...(edition >= 7 && isAboutEnd(spec.goal) ? [`**${GOAL_MARK}**`] : []),
    ...formatSection(
      'Out of scope',
      spec.outOfScope.map((item) => `- ${plain(item)}`),
    ),
    ...formatSection('Decisions', spec.decisions.map(citePart)),
    ...formatSection('Interfaces', spec.interfaces.map(citePart)),
    ...formatSection('Data', spec.data.map(citePart)),
    ...formatSection(
      'Tasks',
      spec.tasks.map((task, index) =>
        [
          tellTask(task, index + 1, formatSource(task.from), edition < 7),
          ...listMarks({ text: taskText(task), from: task.from }).map((mark) => `   - ${mark}`),
        ].join('\n'),
      ),
    ),
    ...formatSection('Risks', spec.risks.map(citePart)),
    ...formatSection(
      'Contradictions',
      contradictions.map(
        ({ parts, why }) =>
          `- ${parts.map((part) => `“${plain(part)}”`).join(' and ')}: ${plain(why)}`,
      ),
    ),
    ...formatSection(isThird ? 'Conflicts nobody has settled' : 'Open', [
      ...open.map((conflict) =>
        [
          `- ${conflict.id}${conflict.unconfirmed === true ? ', unconfirmed' : ''}: ${plain(conflict.question)}`,
          ...(isThird ? [`  - ${plain(conflict.why)}`] : []),
          ...conflict.options.map((option) => `  - ${tellStatement(option)}`),
          ...(conflict.given ?? []).map((id) => `  - It rests on: ${tellStatement(id)}`),
          ...howItStands(conflict, basis).map((row) => `  - ${row}`),
        ].join('\n'),
      ),
      ...(isThird ? [] : spec.openQuestions.map(citePart)),
    ]),
    ...(isThird ? formatSection('Open', spec.openQuestions.map(citePart)) : []),
    ...formatSection(
      'Settled',
      basis.conflicts
        .filter((conflict) => !open.includes(conflict))
        .map(
          (conflict) =>
            `- ${conflict.id}: ${plain(conflict.question)} ${howSettled(conflict, basis)}`,
        ),
    ),
    ...formatSection('Given up', [
      ...withdrawn.map(
        (statement) =>
          `- ${statement.id}, ${statement.role}${edition >= 4 && statement.must === true ? ', a must' : ''}: ${plain(statement.text)}${howGivenUp(statement)}`,
      ),
      ...basis.statements.flatMap(({ id, role, earlier }) =>
        earlier.map(({ text, round }) => `- ${id}, ${role}, until round ${round}: ${plain(text)}`),
      ),
    ]),
    ...formatSection('Not carried', [
      ...spec.notCarried.map(({ id, why }) => `- ${tellStatement(id)} (${plain(why)})`),
      ...spec.forgotten.map((id) => `- ${tellStatement(id)} (no reason was given)`),
    ]),
    ...formatSection(
      'Not heard',
      basis.notHeard.map(({ role, why }) => `- ${role}: ${plain(why)}`),
    ),
    ...formatSection(
      'Statements',
      findLiveStatements(basis.statements).map(
        (statement) =>
          `- ${statement.id} (${kindOf(statement)}): ${statement.title === undefined ? '' : `${plain(statement.title)}: `}${plain(statement.text)}${statement.because === undefined ? '' : ` Because: ${toLine(statement.because)}`}`,
      ),
    ),
    ...formatSection(
      'Refused',
      spec.refused.map(({ text, why }) => `- ${plain(text)} (${plain(why)})`),
    ),
    ...formatSection(
      'To be mended in any case',
      spec.fixes.map(
        ({ title, path, from, to, problem, change }) =>
          `- ${plain(title)} (\`${toLine(path)}#L${from}${to === from ? '' : `-L${to}`}\`): ${plain(problem)} ${plain(change)}`,
      ),
    ),
    ...formatSection(
      'Files that do not exist',
      spec.missingFiles.map(({ task, path }) => `- task ${task}: ${toLine(path)}`),
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
          `Asked alone, ${role} ${holds === undefined ? 'did not say whether it holds' : holds ? 'holds' : 'would give up'} ${statement}: ${toLine(why)}`,
      ),
  ];
}

function howSettled({ id }: Conflict, { standings }: SpecBasis): string {
  const { outcome, why } = standings.find(({ conflict }) => conflict === id) ?? {};
  if (outcome === undefined) return why === undefined ? '' : `No conflict: ${toLine(why)}`;
  return 'option' in outcome
    ? `${outcome.option} (${why})`
    : outcome.compatible.some(({ role }) => role === PERSON)
      ? `All of it, decided by the person, who says how it goes together: ${outcome.compatible.map(({ how }) => toLine(how)).join(' ')}`
      : `All of it: ${outcome.compatible.map(({ role, how }) => `${toLine(how)} (${role})`).join(' ')}`;
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
    ...files.map(({ path, isNew }) => `   - \`${toLine(path)}\`${isNew ? ' (new)' : ''}`),
    ...(test.trim() === '' ? [] : [`   - test: ${plain(test)}`]),
    ...(hasEmpty || doneWhen.trim() !== '' ? [`   - done when: ${plain(doneWhen)}`] : []),
  ].join('\n');
}
