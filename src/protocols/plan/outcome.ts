/** The files that a plan comes to, rendered from its record alone: the same run gives the same files. Pure. */
import { shortId } from '../../kernel/short-id.ts';
import type { RunView } from '../../kernel/view.ts';
import { line } from '../../text/line.ts';
import { plural } from '../../text/numbers.ts';
import { sanitise } from '../../text/sanitise.ts';
import { type PlanConfig, RESEARCHER } from './config.ts';
import { placeOf } from './documents.ts';
import { basisOf, type PlanView } from './fold.ts';
import { stateWordsOf } from './rules/checks.ts';
import { convergedIn, mustsLeft, openConflicts, type SpecBasis, toFindOut } from './rules/spec.ts';
import { live } from './rules/statements.ts';
import { renderSpec } from './spec-lines.ts';

/** A file as seen from the repository. */
export interface OutcomeFile {
  readonly path: string;
  readonly text: string;
}

/** Empty where no plan was written. */
export function filesOf(run: RunView, plan: PlanView, config: PlanConfig): OutcomeFile[] {
  const { written } = plan;
  if (written === undefined) return [];
  const { specs, fixes, topic } = config.output;
  const slug = slugIn(plan, config);
  return [
    { path: `${specs}/${slug}.spec.md`, text: specText(run, plan, config) },
    {
      path: `${specs}/${slug}.spec.json`,
      text: json({
        ...{ run: run.id, state: written.state, title: written.title },
        // A later plan compares `topic` to tell that these files are an earlier plan of the same topic.
        ...(topic === undefined ? {} : { topic }),
        ...written.spec,
        ...groundsOf(plan),
      }),
    },
    ...written.spec.fixes.map((fix, index) => ({
      path: `${fixes}/${slug}-${index + 1}.fix.json`,
      text: json({ run: run.id, ...fix }),
    })),
    ...researchFile(run, plan, config, slug),
    ...statusFile(run, plan, config),
  ];
}

/** What the parts cite and what is open, so that whoever carries the plan out needs nothing but this file. */
function groundsOf(plan: PlanView): object {
  if (plan.edition < 3) return {};
  const basis = basisOf(plan);
  const standing = new Set(live(basis.statements).map(({ id }) => id));
  return {
    statements: live(basis.statements).map(({ id, text, because }) => ({
      ...{ id, text },
      ...(because === undefined ? {} : { because }),
    })),
    unsettled: openConflicts(basis).map(({ id, question, options }) => ({
      ...{ id, question },
      options: options.filter((option) => standing.has(option)),
    })),
  };
}

/** The chair's name for the files, else the topic's first words. */
function slugIn({ staffed }: PlanView, { output }: PlanConfig): string {
  return staffed?.slug ?? output.slug;
}

/** A plan as it is written and shown: the spec, and what it leans on that nobody has confirmed. */
export function specText(run: RunView, plan: PlanView, { commit }: PlanConfig): string {
  const { written } = plan;
  if (written === undefined) return '';
  const basis = basisOf(plan);
  const [title = '', ...rest] = renderSpec(written.spec, basis, written.title);
  const looked =
    commit === undefined
      ? ''
      : `, commit ${commit.hash.slice(0, 12)}${commit.dirty ? ' with changes' : ''}`;
  const leaned = unconfirmedIn(plan);
  const unknown = notKnownIn(plan);
  const isRehearsal = run.seats.some(({ model }) => model.startsWith('rehearsal/'));
  return sanitise(
    [
      title,
      ...(isRehearsal ? ['_Rehearsal: no model wrote this._'] : []),
      `_${[...stateIn(written, basis), ...turnedIn(plan), ...forgottenIn(written.spec.forgotten), `Run ${shortId(run.id)}${looked}.`].join(' ')}_`,
      ...rest,
      ...(unknown.length === 0
        ? []
        : ['## Not known', unknown.map((one) => `- ${one}`).join('\n')]),
      ...(leaned.length === 0
        ? []
        : ['## Unconfirmed', leaned.map((one) => `- ${one}`).join('\n')]),
    ].join('\n\n'),
  ).concat('\n');
}

/** How the plan ended, and which musts nobody carries. */
function stateIn({ state, spec }: NonNullable<PlanView['written']>, basis: SpecBasis): string[] {
  if ((basis.edition ?? 1) >= 3) return [stateWordsOf({ state, spec }, basis), ...toFindOut(spec)];
  const left = mustsLeft(spec, basis.statements);
  const isDecided = state === 'open' && openConflicts(basis).length === 0;
  return [
    isDecided
      ? 'Open: every question is decided.'
      : state === 'converged'
        ? `${convergedIn(spec)}.`
        : STATES[state],
    ...toFindOut(spec),
    ...(left.length === 0 ? [] : [`Not carried, although a must: ${left.join(', ')}.`]),
  ];
}

/** Says that the control of the last search was no written one, which proves less, since the fifth edition. */
function turnedIn({ edition, examined }: PlanView): string[] {
  const control = examined.findLast(({ seat }) => seat === undefined)?.control;
  return edition < 5 || control?.seen !== true || control.by !== undefined
    ? []
    : [
        'What was planted for the last search for conflicts is a statement that code turned: it is easier to see than one that a model writes.',
      ];
}

/** Whoever reads no further has to hear of it. */
function forgottenIn({ length }: readonly string[]): string[] {
  return length === 0 ? [] : [`Not carried, and no reason given: ${plural(length, 'statement')}.`];
}

const STATES = {
  open: 'Open: not every question is decided.',
  unexamined:
    'Unexamined: nobody who looked for conflicts in the statements as they stand showed that they can see one.',
} as const;

/** What seats were shown that a researcher wrote, each once. */
function unconfirmedIn({ gated }: PlanView): string[] {
  return [
    ...new Set(
      gated.flatMap(({ shown }) =>
        shown
          .filter((one) => one.unconfirmed === true)
          .map((piece) => `${placeOf(piece)}: ${piece.text.split('\n', 1)[0]}`),
      ),
    ),
  ];
}

/** What seats had to know and nobody could tell. */
function notKnownIn({ gated }: PlanView): string[] {
  return gated.flatMap(({ seat, notKnown }) => notKnown.map((one) => `${line(one)} (${seat})`));
}

/** What was found out in the code, as a document that the index takes: claims with their quotations. */
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
      found.length === 0 ? [] : (lookedUp.find((one) => one.id === id)?.seat ?? []),
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
  // JSON is YAML, and leaves no doubt about what a string is.
  const front = [
    `clusters: ${JSON.stringify(clusters)}`,
    'unconfirmed: true',
    `model: ${JSON.stringify(model ?? '')}`,
    ...(commit === undefined ? [] : [`commit: ${JSON.stringify(commit.hash)}`]),
    'claims:',
    ...claims.map(
      ({ text, place, quotation }) =>
        `  - {claim: ${yaml(text)}, at: ${yaml(place)}, quote: ${yaml(quotation)}}`,
    ),
  ];
  const questions = researched.flatMap(({ id, found }) =>
    found.length === 0
      ? []
      : [
          `## ${line(lookedUp.find((one) => one.id === id)?.question ?? id)}`,
          found.map(({ text, place }) => `- ${line(text)} (${place})`).join('\n'),
        ],
  );
  const text = ['---', ...front, '---', '', `# ${slug}`, '', questions.join('\n\n'), ''].join('\n');
  return [{ path: `${output.research}/${slug}.md`, text }];
}

/** Beside a topic in a folder of its own: by what it is known to be done, and what was searched for. */
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
  return [{ path, text: json(status) }];
}

interface Status {
  /** As it was planned for: another text is another topic. */
  readonly topic: string;
  readonly run: string;
  readonly state: 'output-created';
  readonly plan: 'converged' | 'open' | 'unexamined';
  readonly queries: readonly string[];
  readonly named: readonly string[];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function yaml(text: string): string {
  return JSON.stringify(sanitise(text));
}
