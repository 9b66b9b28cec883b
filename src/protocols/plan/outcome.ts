/**
 * Renders the files of a plan from its record alone, so that the same run always gives the same files.
 * Pure.
 */
import { shortId } from '../../kernel/short-id.ts';
import type { RunView } from '../../kernel/view.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { type PlanConfig, RESEARCHER } from './config.ts';
import { formatLinesPlace } from './documents.ts';
import type { PlanView } from './fold.ts';
import { formatEndState } from './rules/checks.ts';
import { marksOn, taskText } from './rules/marks.ts';
import {
  findMustsLeft,
  formatConverged,
  formatQuestionsToFindOut,
  openConflicts,
  type Spec,
  type SpecBasis,
} from './rules/spec.ts';
import { findLiveStatements } from './rules/statements.ts';
import { renderSpec } from './spec-lines.ts';
import { deriveSpecBasis } from './standings.ts';

/** A file of a plan, with its path in the repository. */
export interface OutcomeFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the files of a plan: the spec, the spec as JSON and its fixes. If research found claims with quotations,
 * a file has them; if the topic is a file `FOLDER/topic.md`, a status file belongs beside it. Empty if no plan was
 * written.
 */
export function filesOf(run: RunView, plan: PlanView, config: PlanConfig): OutcomeFile[] {
  const { written } = plan;
  if (written === undefined) return [];
  const { specs, fixes, topic } = config.output;
  const slug = slugIn(plan, config);
  return [
    { path: `${specs}/${slug}.spec.md`, text: specText(run, plan, config) },
    {
      path: `${specs}/${slug}.spec.json`,
      text: formatJson({
        run: run.id,
        state: written.state,
        title: written.title,
        // A later plan compares its own topic with `topic` in this JSON file, to find out whether both plans have the
        // same topic.
        ...withoutUndefined({ topic }),
        ...written.spec,
        ...(plan.edition < 7 ? {} : markedParts(written.spec)),
        ...groundsOf(plan),
      }),
    },
    ...written.spec.fixes.map((fix, index) => ({
      path: `${fixes}/${slug}-${index + 1}.fix.json`,
      text: formatJson({ run: run.id, ...fix }),
    })),
    ...researchFile(run, plan, config, slug),
    ...statusFile(run, plan, config),
  ];
}

/** Returns the parts of a spec, each with its marks if there are any. */
function markedParts(spec: Spec): object {
  const withMarks = <T extends { from: readonly string[] }>(part: T, text: string) => {
    const marks = marksOn({ text, from: part.from }, spec.checks);
    return marks.length === 0 ? part : { ...part, marks };
  };
  return {
    decisions: spec.decisions.map((decision) => withMarks(decision, decision.text)),
    interfaces: spec.interfaces.map((part) => withMarks(part, part.text)),
    data: spec.data.map((part) => withMarks(part, part.text)),
    tasks: spec.tasks.map((task) => withMarks(task, taskText(task))),
  };
}

/**
 * Returns the statements that the parts cite and the open questions, so that this file is enough to carry
 * out the plan.
 */
function groundsOf(plan: PlanView): object {
  if (plan.edition < 3) return {};
  const basis = deriveSpecBasis(plan);
  const standing = new Set(findLiveStatements(basis.statements).map(({ id }) => id));
  return {
    statements: findLiveStatements(basis.statements).map(({ id, text, because }) => ({
      id,
      text,
      ...withoutUndefined({ because }),
    })),
    unsettled: openConflicts(basis).map(({ id, question, options }) => ({
      id,
      question,
      options: options.filter((option) => standing.has(option)),
    })),
  };
}

/** Returns the name of the files: the chair's if it gave one, otherwise the topic's first words. */
function slugIn({ staffed }: PlanView, { output }: PlanConfig): string {
  return staffed?.slug ?? output.slug;
}

/**
 * Formats the spec (the finished plan) as Markdown. Below the spec stand the questions of seats that nothing
 * answered wholly, and the unconfirmed findings of research that seats were shown. Empty if no plan was written.
 */
export function specText(run: RunView, plan: PlanView, { commit }: PlanConfig): string {
  const { written } = plan;
  if (written === undefined) return '';
  const basis = deriveSpecBasis(plan);
  const [title = '', ...rest] = renderSpec(written.spec, basis, written.title);
  const looked =
    commit === undefined
      ? ''
      : `, commit ${commit.hash.slice(0, 12)}${commit.dirty ? ' with changes' : ''}`;
  const leaned = unconfirmedIn(plan);
  const unknown = notKnownIn(plan);
  const isRehearsal = run.seats.some(({ model }) => model.startsWith('rehearsal/'));
  return sanitiseText(
    [
      title,
      ...(isRehearsal ? ['_Rehearsal: no model wrote this._'] : []),
      `_${[...stateIn(written, basis), ...turnedIn(plan), ...forgottenIn(written.spec.forgotten), `Run ${shortId(run.id)}${looked}.`].join(' ')}_`,
      ...rest,
      ...(unknown.length === 0
        ? []
        : ['## Not known', unknown.map((row) => `- ${row}`).join('\n')]),
      ...(leaned.length === 0
        ? []
        : ['## Unconfirmed', leaned.map((row) => `- ${row}`).join('\n')]),
    ].join('\n\n'),
  ).concat('\n');
}

/** Says how the plan ended, and which musts are missing in it. */
function stateIn({ state, spec }: NonNullable<PlanView['written']>, basis: SpecBasis): string[] {
  if ((basis.edition ?? 1) >= 3)
    return [formatEndState({ state, spec }, basis), ...formatQuestionsToFindOut(spec)];
  const left = findMustsLeft(spec, basis.statements);
  const isDecided = state === 'open' && openConflicts(basis).length === 0;
  return [
    isDecided
      ? 'Open: every question is decided.'
      : state === 'converged'
        ? `${formatConverged(spec)}.`
        : STATES[state],
    ...formatQuestionsToFindOut(spec),
    ...(left.length === 0 ? [] : [`Not carried, although a must: ${left.join(', ')}.`]),
  ];
}

/**
 * Warns, from edition 5 of the rules on, if the last search for conflicts was tested only by a control that
 * code made, which proves less.
 */
function turnedIn({ edition, examined }: PlanView): string[] {
  const control = examined.findLast(({ seat }) => seat === undefined)?.control;
  return edition < 5 || control?.seen !== true || control.by !== undefined
    ? []
    : [
        'What was planted for the last search for conflicts is a statement that code turned: it is easier to see than one that a model writes.',
      ];
}

/** Warns at the top of the spec how many statements are missing without a reason. */
function forgottenIn({ length }: readonly string[]): string[] {
  return length === 0
    ? []
    : [`Not carried, and no reason given: ${formatCount(length, 'statement')}.`];
}

const STATES = {
  open: 'Open: not every question is decided.',
  unexamined:
    'Unexamined: nobody who looked for conflicts in the statements as they stand showed that they can see one.',
} as const;

/** Lists researchers' findings that seats were shown, each once. */
function unconfirmedIn({ gated }: PlanView): string[] {
  return [
    ...new Set(
      gated.flatMap(({ shown }) =>
        shown
          .filter((piece) => piece.unconfirmed === true)
          .map((piece) => `${formatLinesPlace(piece)}: ${piece.text.split('\n', 1)[0]}`),
      ),
    ),
  ];
}

/** Lists what seats had to know and what was not found. */
function notKnownIn({ gated }: PlanView): string[] {
  return gated.flatMap(({ seat, notKnown }) =>
    notKnown.map((question) => `${toLine(question)} (${seat})`),
  );
}

/** Returns what research found in the code, as a document for the index: claims with their quotations. */
function researchFile(
  run: RunView,
  { researched, lookedUp }: PlanView,
  config: PlanConfig,
  slug: string,
): OutcomeFile[] {
  const claims = researched.flatMap(({ found }) => found);
  if (claims.length === 0) return [];
  const { commit, output, roles } = config;
  const seats = new Set(
    researched.flatMap(({ id, found }) =>
      found.length === 0 ? [] : (lookedUp.find((question) => question.id === id)?.seat ?? []),
    ),
  );
  const clusters = [
    ...new Set(
      [...seats].flatMap((seat) =>
        Object.hasOwn(roles, seat) ? (roles[seat]?.clusters ?? []) : [],
      ),
    ),
  ];
  const model = run.seats.find(({ id }) => id === RESEARCHER)?.model;
  // JSON is valid YAML and makes clear what is a string.
  const front = [
    `clusters: ${JSON.stringify(clusters)}`,
    'unconfirmed: true',
    `model: ${JSON.stringify(model ?? '')}`,
    ...(commit === undefined ? [] : [`commit: ${JSON.stringify(commit.hash)}`]),
    'claims:',
    ...claims.map(
      ({ text, place, quotation }) =>
        `  - {claim: ${formatYaml(text)}, at: ${formatYaml(place)}, quote: ${formatYaml(quotation)}}`,
    ),
  ];
  const questions = researched.flatMap(({ id, found }) =>
    found.length === 0
      ? []
      : [
          `## ${toLine(lookedUp.find((question) => question.id === id)?.question ?? id)}`,
          found.map(({ text, place }) => `- ${toLine(text)} (${place})`).join('\n'),
        ],
  );
  const text = ['---', ...front, '---', '', `# ${slug}`, '', questions.join('\n\n'), ''].join('\n');
  return [{ path: `${output.research}/${slug}.md`, text }];
}

/**
 * Returns `status.json` for a topic in a folder of its own. It says which topic text was planned, and with
 * which queries.
 */
function statusFile(
  run: RunView,
  { staffed, written }: PlanView,
  { output }: PlanConfig,
): OutcomeFile[] {
  if (output.topic === undefined || !output.topic.endsWith('/topic.md')) return [];
  const path = output.topic.replace(/topic\.md$/, 'status.json');
  const status: Status = {
    topic: run.question,
    run: run.id,
    state: 'output-created',
    plan: written?.state ?? 'open',
    queries: (staffed?.queries ?? []).map(({ query }) => query),
    named: [...(staffed?.named ?? [])],
  };
  return [{ path, text: formatJson(status) }];
}

interface Status {
  /** The text that was planned. A changed text is a new topic. */
  readonly topic: string;
  readonly run: string;
  readonly state: 'output-created';
  readonly plan: 'converged' | 'open' | 'unexamined';
  readonly queries: readonly string[];
  readonly named: readonly string[];
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function formatYaml(text: string): string {
  return JSON.stringify(sanitiseText(text));
}
