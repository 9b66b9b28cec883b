/**
 * Implements `deliberate team show [TASK]`: shows a recorded task from its brief to its verdicts, or a line
 * for each task if none is named. `--diff` shows its changes if the run's copy of the repository is on this
 * machine.
 */
import type { Invocation } from '../../../app/invocation.ts';
import { findRunOf } from '../../../app/run-of.ts';
import { withRecorded } from '../../../app/store.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { markInterrupted, viewOf } from '../../../kernel/view.ts';
import { makeRedactor } from '../../../models/redact.ts';
import { blocksText } from '../../../plain/blocks-text.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { toLine } from '../../../text/line.ts';
import { ColumnBuffer } from '../../../text/rows/column-buffer.ts';
import { rowText } from '../../../text/rows/row.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import { diffTrees } from '../../../workshop/changes.ts';
import { workshopFolder } from '../../../workshop/clean.ts';
import { Repository } from '../../../workshop/repository.ts';
import { foldAllTeamFacts, type TaskView } from '../fold.ts';
import { Costs } from '../view/costs.ts';
import { deriveTeamed } from '../view/display-state.ts';
import { taskBlocks } from '../view/task-text.ts';
import { formatTaskState } from '../view/tiers/workstream.ts';

/** Shows one task of a team, or lists all. Resolves to the exit code. */
export async function showTask(call: Invocation): Promise<number> {
  const { flags, out } = call;
  const [, wanted] = call.words;
  const { run, facts, isInterrupted } = await withRecorded(call, (store) => {
    const id = findRunOf(
      { ...call, words: flags.run === undefined ? [] : [flags.run] },
      store,
      'team',
    );
    return {
      run: id,
      facts: store.facts(id),
      isInterrupted: ['interrupted', 'queued'].includes(store.summary(id).status),
    };
  });
  const view = viewOf(facts);
  if (view.protocol !== 'team')
    throw new UsageError(`run ${shortId(run)} is not a team run`, 'Find one with: deliberate list');
  const team = foldAllTeamFacts(facts);
  const teamed = deriveTeamed(isInterrupted ? markInterrupted(view) : view, team, Costs.of(facts));
  if (wanted === undefined) {
    for (const each of team.tasks)
      out.write(
        flags.json
          ? `${JSON.stringify({ run, ...each })}\n`
          : `${toLine(each.task.id)}  ${toLine(formatTaskState(each, teamed))}: ${toLine(each.task.title)}\n`,
      );
    if (team.tasks.length === 0) out.write('No tasks yet.\n');
    return 0;
  }
  const task = team.tasks.find(({ task }) => task.id === wanted);
  if (task === undefined)
    throw new UsageError(
      `run ${shortId(run)} has no task ${wanted}`,
      team.tasks.length === 0
        ? `It has no tasks yet: deliberate show ${shortId(run)}`
        : `Its tasks: ${team.tasks.map(({ task }) => task.id).join(', ')}`,
    );
  if (flags.diff) {
    out.write(await changesOf(call, run, task));
    return 0;
  }
  if (flags.json) {
    out.write(`${JSON.stringify({ run, ...task })}\n`);
    return 0;
  }
  const page = `# ${escapeLine(task.task.id)}\n\n${blocksText(taskBlocks(task, teamed), 1).join('\n\n')}\n`;
  out.write(out.isTTY ? layOut(page, out.columns) : page);
  return 0;
}

/** Renders Markdown as plain text of a terminal's width, without its marks. */
function layOut(page: string, width: number): string {
  const column = new ColumnBuffer(width);
  column.push(page);
  column.end();
  return `${column.slice(0, column.length).map(rowText).join('\n')}\n`;
}

/**
 * Returns the diff of the last attempt with a commit, or, if there is none, of the last attempt's
 * uncommitted tree.
 * @throws DeliberateError if there is no change, or no copy of the repository on this machine
 */
async function changesOf(call: Invocation, run: string, task: TaskView): Promise<string> {
  const { env, err, flags } = call;
  const made = task.attempts
    .toReversed()
    .map(({ attempt, started, reported, commits }) => ({
      attempt,
      from: started.base,
      to: commits.findLast(({ commit }) => commit !== undefined)?.commit ?? reported?.tree,
      isCommitted: commits.some(({ commit }) => commit !== undefined),
    }))
    .sort((left, right) => Number(right.isCommitted) - Number(left.isCommitted))
    .find(({ to }) => to !== undefined);
  if (made?.to === undefined)
    throw new DeliberateError('no-diff', `task ${toLine(task.task.id)} has changed nothing yet`);
  const repository = new Repository(workshopFolder(env, run), env);
  if (!repository.exists)
    throw new DeliberateError(
      'no-copy',
      `the copy of the repository that run ${shortId(run)} worked in is not on this machine`,
      `Without --diff: deliberate team show ${toLine(task.task.id)} --run ${shortId(run)}`,
    );
  const { signal } = new AbortController();
  const text = await diffTrees(repository, made.from, made.to, [], signal);
  if (!flags.quiet)
    err.write(
      `${toLine(task.task.id)}, attempt ${made.attempt}${made.isCommitted ? '' : ', not committed'}\n`,
    );
  return sanitiseText(makeRedactor(env)(text));
}
