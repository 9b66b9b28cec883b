/** The tasks of a team: their briefs, attempts, what code found, and what they wait for. */
import { shownModel } from '../../../kernel/providers/spec.ts';
import {
  type Block,
  makeSection,
  makeTableBlock,
  type Section,
  type Tone,
} from '../../../plain/blocks.ts';
import { escapeLine, escapeText } from '../../../plain/markdown.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import { formatCodeBlock, joinParagraphs, list } from '../../../text/markdown/blocks.ts';
import { formatCount, formatMs } from '../../../text/numbers.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import type { AttemptView, TaskView } from '../fold.ts';
import { formatArgv } from '../plan-lines.ts';
import { costWords } from './costs.ts';
import {
  describeWait,
  formatAttempts,
  formatCountedAttempts,
  type TeamDisplay,
} from './display-state.ts';
import { formatTaskState } from './tiers/workstream.ts';
import {
  type CheckRan,
  checkSign,
  formatCheckEnd,
  formatCheckTally,
  formatTestCounts,
  joinSentences,
  KIND_WORDS,
  LEVEL_WORDS,
  shortCommit,
} from './wording.ts';

type Commit = AttemptView['commits'][number];

/** The kind of record for tasks, in reports. */
export const TASK = recordKind({
  name: 'Tasks',
  about: 'Each task, where it stands, and what it has cost.',
  all: ({ team }: TeamDisplay) => team.tasks,
  id: ({ task }: TaskView) => task.id,
  heading: ({ task }) => task.id,
  columns: [
    { title: 'task', of: ({ task }) => task.id },
    { title: 'workstream', of: ({ task }) => task.workstream },
    { title: 'stands', of: formatTaskState },
    { title: '>attempts', of: (task, { team }) => formatAttempts(team, task) },
    {
      title: 'checks of the last',
      of: ({ attempts }) => formatCheckTally(attempts.at(-1)?.checks ?? []),
    },
    {
      title: '>cost',
      of: ({ task }, { costs }) =>
        costWords(costs.of(({ parts }) => parts[0] === 'task' && parts[1] === task.id)),
    },
  ],
  details: (task, teamed) => taskBlocks(task, teamed, false),
  isWholeInReports: true,
  compared: ({ task, state, attempts }) => ({
    title: task.title,
    state,
    attempts: String(attempts.length),
  }),
  sentence: ({ task, state }) => `${task.title} (${state})`,
});

/** Returns what people read about a task. `output` says whether to include what failed checks printed. */
export function taskBlocks(taskView: TaskView, teamed: TeamDisplay, output = true): Block[] {
  const { team } = teamed;
  const { task } = taskView;
  const listRows = (rows: readonly string[]): string => list(rows.map(escapeLine));
  const waits = describeWait(teamed, taskView);
  const amendments = team.amendments.filter((each) => each.task === task.id);
  const refusedNeeds = team.refusedNeeds.filter((each) => each.task === task.id);
  const escalations = team.escalations.filter((each) => each.task === task.id);
  return [
    `**${escapeLine(task.title)}**`,
    [
      `Status: ${escapeLine(formatTaskState(taskView, teamed))}.`,
      waits === '' ? '' : `Waits for ${escapeLine(waits)}.`,
      `Workstream ${escapeLine(task.workstream)}; ${formatCount(taskView.attempts.length, 'attempt')} so far, ${formatCountedAttempts(team, taskView)} counted${task.covers.length === 0 ? '' : `; for ${escapeLine(task.covers.join(', '))}`}.`,
    ]
      .filter(Boolean)
      .join(' '),
    makeSection(
      'Brief',
      escapeText(taskView.brief),
      taskView.brief === task.brief ? '' : `At first: ${escapeText(task.brief)}`,
      `Done when: ${escapeLine(task.done_when)}`,
    ),
    makeSection(
      'Files it holds',
      list(
        taskView.files.map(
          (path) => `${escapeLine(path)}${task.files.includes(path) ? '' : ' (granted)'}`,
        ),
      ),
    ),
    makeSection(
      'Tests it may change',
      list(task.changes_tests.map(({ file, why }) => `${escapeLine(file)}: ${escapeLine(why)}`)),
    ),
    ...taskView.attempts.toReversed().map((attempt) => attemptSection(attempt, output)),
    makeSection('Verdicts', verdictRows(task.id, teamed)),
    makeSection(
      'Why it was retried',
      list(
        taskView.retried.map(
          ({ attempt, by, why, refused = [] }) =>
            `Attempt ${attempt}, by ${by}: ${escapeLine(why)}${refused.length === 0 ? '' : `; not split: ${escapeLine(refused.join(' '))}`}`,
        ),
      ),
    ),
    makeSection(
      'Escalations',
      list(
        escalations.map(({ from, to, cause, why }) =>
          escapeLine(formatEscalation(from, to, cause, why)),
        ),
      ),
    ),
    makeSection(
      'Amendments',
      list(
        amendments.map(({ by, kind, what, why }) =>
          escapeLine(`${by}, ${kind}: ${joinSentences(what, why)}`),
        ),
      ),
    ),
    makeSection(
      'Requests refused',
      listRows(refusedNeeds.map(({ kind, what, why }) => `${kind} ${what}: ${why}`)),
    ),
  ];
}

/**
 * Formats a line that says which tier handed a failed task to whom, such as `T3 to T2 (brief): …`.
 */
export function formatEscalation(from: string, to: string, cause: string, why: string): string {
  return `${from} to ${to === 'person' ? 'a person' : to}${cause === 'none' ? '' : ` (${cause})`}: ${why}`;
}

function attemptSection(
  { attempt, started, reported, commits, checks, judged }: AttemptView,
  output: boolean,
): Section {
  const { level, effort, model, base } = started;
  const how = `${LEVEL_WORDS[level]}, ${effort} effort, ${shownModel(model)}, from ${shortCommit(base)}`;
  const result = reported?.result;
  const rows = withoutFalse([
    reported === undefined && 'no report yet',
    reported?.why !== undefined && `no result: ${reported.why}`,
    result !== undefined &&
      `says: ${result.status}, in ${formatCount(reported?.turns ?? 0, 'turn')}`,
    ...(result?.did ?? []).map(({ path, what }) => `${path}: ${what}`),
    ...(result?.left ?? []).map((left) => `left: ${left}`),
    ...(result?.needs ?? []).map(({ kind, what, why }) => `needs ${kind} ${what}: ${why}`),
  ]);
  return makeSection(
    `Attempt ${attempt}`,
    escapeLine(how),
    list(rows.map(escapeLine)),
    ...commits.map(commitText),
    checkTable(checks),
    list(
      judged.map(({ green, why }) =>
        green ? 'Code finds it green.' : `Code finds it red: ${why.map(escapeLine).join('; ')}.`,
      ),
    ),
    ...(output ? checks.filter((each) => checkSign(each) !== '✓').map(outputText) : []),
  );
}

/**
 * Formats a commit with the lines changed in each file, such as `Commit c0a30000: src/list.ts +12 −3`, or
 * why there is none.
 */
function commitText({ commit, files, lines = [], refused }: Commit): string {
  if (refused.length > 0)
    return `Nothing was committed: ${refused.map(({ path, why }) => (why === 'empty' ? 'no file was changed' : escapeLine(`${path} (${why})`))).join(', ')}.`;
  const rows = files.map((path) => {
    const counted = lines.find((file) => file.path === path);
    return `${escapeLine(path)}${counted === undefined ? '' : ` +${counted.added} −${counted.removed}`}`;
  });
  return joinParagraphs([
    `Commit ${shortCommit(commit ?? 'unknown')}, ${formatCount(files.length, 'file')}:`,
    list(rows),
  ]);
}

/** Returns runs of checks as a table. */
export function checkTable(checks: readonly CheckRan[]): Block {
  return makeTableBlock(
    '',
    ['check', 'purpose', 'result', '>passed', '>failed', '>skipped', '>time'],
    checks.map((check) => [
      { text: check.check, tone: checkTone(check) },
      KIND_WORDS[check.kind],
      formatCheckEnd(check),
      ...countCells(check),
      formatMs(check.ms),
    ]),
  );
}

/**
 * Returns the tone (colour) for a run of a check: good if it ended as expected, bad if not, open if it did not
 * finish or is flaky.
 */
export function checkTone(check: CheckRan): Tone {
  const sign = checkSign(check);
  return sign === '?' ? 'open' : sign === '✓' ? 'good' : 'bad';
}

/**
 * Returns the numbers of passed, failed and skipped tests as texts; empty texts if they were not counted.
 */
export function countCells({ counts }: CheckRan): string[] {
  return counts === undefined
    ? ['', '', '']
    : [counts.passed, counts.failed, counts.skipped].map(String);
}

/** Formats what a check printed, below its name. */
function outputText(check: CheckRan): string {
  return joinParagraphs([
    `**${escapeLine(check.check)}, ${KIND_WORDS[check.kind]}:** ${escapeLine(formatCheckEnd(check))}`,
    formatCodeBlock(check.output.trim() === '' ? '(it printed nothing)' : check.output.trimEnd()),
  ]);
}

/** Formats one run of a check as Markdown. */
export function checkText(run: CheckRan): string {
  const { argv, on, task, attempt, workstream, sandbox, counts, bytes, ms, output } = run;
  const of = withoutFalse([
    task !== undefined && `task ${task}${attempt === undefined ? '' : `, attempt ${attempt}`}`,
    workstream !== undefined && `workstream ${workstream}`,
  ]).join('; ');
  const cut =
    new TextEncoder().encode(output).length < bytes
      ? `The end of ${formatCount(bytes, 'byte')}:`
      : '';
  return joinParagraphs([
    `**${escapeLine(formatCheckEnd(run))}**`,
    list(
      [
        `Run ${KIND_WORDS[run.kind]}${of === '' ? '' : `; ${of}`}`,
        `On ${shortCommit(on)}, in ${formatMs(ms)}, ${sandbox === 'none' ? 'without a sandbox' : `in ${sandbox}`}`,
        ...(counts === undefined ? [] : [formatTestCounts(run)]),
        ...(counts?.failing ?? []).map((name) => `failed: ${name}`),
      ].map(escapeLine),
    ),
    formatCodeBlock(formatArgv(argv)),
    cut,
    formatCodeBlock(output.trim() === '' ? '(it printed nothing)' : output.trimEnd()),
  ]);
}

/** Lists what verifiers said about a task, each with the quotation. */
function verdictRows(id: string, { team, title }: TeamDisplay): string {
  const rows = team.verdicts.flatMap(({ seat, round, defects }) =>
    defects
      .filter(({ task }) => task === id)
      .map(
        (defect) =>
          `${escapeLine(title(seat))}, round ${round}: ${escapeLine(defect.why)} ${formatQuotedPlace(defect)}`,
      ),
  );
  const joint = team.joint.flatMap(({ round, failing }) =>
    failing
      .filter(({ task }) => task === id)
      .map(({ why }) => `Fails round ${round}: ${escapeLine(why)}`),
  );
  return list([...rows, ...joint]);
}

/**
 * Formats a quotation with its file, such as `(src/format.ts: “getHours()”)`, and says so if it was not
 * found there.
 */
export function formatQuotedPlace({
  path,
  quote,
  found,
}: {
  readonly path: string;
  readonly quote: string;
  readonly found: boolean;
}): string {
  if (quote.trim() === '') return '(no place given, so it does not count)';
  return `(${escapeLine(path)}: “${escapeLine(quote)}”${found ? '' : ', not found there'})`;
}
