/**
 * Makes one attempt at a task: T4 works in a tree of its own, code commits the files that the task holds,
 * and checks judge the commit. A commit that is refused or red is sent back to T4, at most twice in one
 * attempt.
 */

import type { AgentExecution, CommitAnswer } from '../../../kernel/tools/workshop.ts';
import { toLine } from '../../../text/line.ts';
import { cutText } from '../../../text/words/cut.ts';
import { fact } from '../facts.ts';
import { resultSchema, type TaskResult } from '../forms/work.ts';
import { MAX_SUBJECT } from '../history.ts';
import { type Brief, workFile, workMessages } from '../prompts/work.ts';
import { type AttemptFailure, TRIES_OF_ATTEMPT } from '../rules/failures.ts';
import { findAllowedGuarded, guardedOf } from '../rules/plan.ts';
import { castOf } from '../team-run.ts';
import { buildBrief } from './brief.ts';
import { type JudgedCommit, judgeCommit } from './judge.ts';
import { lockedFiles } from './locked.ts';
import { askWorking } from './place.ts';
import { requireSandbox } from './sandboxed.ts';
import type { Start, WorkState } from './state.ts';
import { checkTool, needsTool } from './tools.ts';

type Attempted = { readonly commit: string } | { readonly failure: AttemptFailure };

/**
 * Makes one attempt at a task. `key` is the prefix of its recorded steps.
 * @returns the commit, or how the attempt failed
 */
export async function attemptTask(state: WorkState, key: string, start: Start): Promise<Attempted> {
  const { team } = state;
  const { id, attempt: number, commit: base } = start;
  const seat = team.seat(key, { seat: 't4', level: start.level });
  const { runtime } = team.config;
  await team.record(`${key}/started`, { start, model: seat.model, runtime }, [
    fact('task.started', {
      task: id,
      attempt: number,
      level: start.level,
      effort: start.effort,
      base,
      model: runtime.kind === 'standard' ? seat.model : (runtime.argv[0] ?? runtime.kind),
      files: [...team.task(id).files],
    }),
  ]);
  const from = await team.look(`${key}/tree`, { base }, () => team.workshop.treeOf(base));
  let tree = from;
  let back: SentBack | undefined;
  let known: Known | undefined;
  for (let go = 1; go <= TRIES_OF_ATTEMPT; go += 1) {
    const step = `${key}/go-${go}`;
    const sentBack = back && [back.why, back.todo].filter((text) => text !== '').join('\n');
    const done = await workOnTask(state, step, start, tree, sentBack);
    tree = done.tree;
    await team.record(`${step}/reported`, { done }, [
      fact('task.reported', {
        task: id,
        attempt: number,
        tree,
        turns: done.turns,
        ...('why' in done.result
          ? { why: done.result.why }
          : { result: structuredClone(done.result.value) }),
      }),
    ]);
    if ('why' in done.result) return { failure: { kind: 'environment', why: done.result.why } };
    const { status, needs, left } = done.result.value;
    if (status === 'blocked') {
      const why = needs.map(({ kind, what, why: ground }) => `${kind} ${what}: ${ground}`);
      if (team.edition >= 3 && tree !== from) await keepPart(state, step, start, tree, from, known);
      return { failure: { kind: 'blocked', why: why.join('; ') || 'it does not say by what' } };
    }
    const committed = await commitTree(state, step, start, tree, from);
    if (!committed.done) {
      back = tellRefused(committed, team.task(id).files);
      continue;
    }
    const judged = await judgeCommit(state, step, start, committed, status === 'done');
    known = { tree, commit: committed.commit, standsAsPart: judged.standsAsPart };
    if (judged.state === 'environment')
      return { failure: { kind: 'environment', why: judged.why.join('; ') } };
    if (judged.state === 'green') return endGreenAttempt(state, id, committed.commit, status, left);
    back = { why: tellRed(judged), todo: '' };
  }
  return {
    failure: { kind: 'bad-output', cause: 'none', why: back?.why ?? 'nothing was handed in' },
  };
}

/**
 * Ends an attempt whose commit is green. A commit that does only a part of the task is kept, and the rest
 * is another attempt.
 */
function endGreenAttempt(
  { parts }: WorkState,
  id: string,
  commit: string,
  status: TaskResult['status'],
  left: readonly string[],
): Attempted {
  if (status === 'done') return { commit };
  parts.set(id, commit);
  return { failure: { kind: 'partial', left, committed: true } };
}

/** What judging found about the tree that was handed in last. */
interface Known {
  readonly tree: string;
  readonly commit: string;
  readonly standsAsPart: JudgedCommit['standsAsPart'];
}

/**
 * Keeps the work of a blocked attempt as a part if its checks are green, so that the next attempt continues
 * from it. From version 4 of the rules on, a tree that was judged when it was handed in is not judged
 * again.
 */
async function keepPart(
  state: WorkState,
  key: string,
  start: Start,
  tree: string,
  from: string,
  known: Known | undefined,
): Promise<void> {
  if (state.team.edition >= 4 && known?.tree === tree && known.standsAsPart !== undefined) {
    if (known.standsAsPart) state.parts.set(start.id, known.commit);
    return;
  }
  const committed = await commitTree(state, key, start, tree, from);
  if (!committed.done) return;
  const judged = await judgeCommit(state, key, start, committed, false);
  if (judged.state === 'green') state.parts.set(start.id, committed.commit);
}

interface Done {
  readonly result: { readonly value: TaskResult } | { readonly why: string };
  readonly tree: string;
  readonly turns: number;
}

async function workOnTask(
  state: WorkState,
  key: string,
  start: Start,
  tree: string,
  sentBack: string | undefined,
): Promise<Done> {
  const { team, ground } = state;
  const brief = await buildBrief(state, key, start, tree, sentBack);
  if (team.config.runtime.kind !== 'standard') return runProgram(state, key, brief, tree);
  const { turns } = team.config;
  const { answer, ...worked } = await askWorking(
    team,
    key,
    tree,
    {
      task: 'team/work',
      seat: 't4',
      level: start.level,
      schema: resultSchema,
      cast: castOf(ground.plan, 'T4', { workstream: brief.task.workstream }),
      about: { items: [start.id], turn: start.attempt, round: sentBack === undefined ? 1 : 2 },
      messages: workMessages(brief),
    },
    {
      share: { turns, calls: turns * 4, tokens: turns * 4_000 },
      own: [checkTool(state, start), needsTool(state, start)],
      told: {
        rules: [
          'check runs one of the checks by its id, on your tree as it is then. needs asks for a file that you do not hold, or for what only somebody else can decide; it tells you at once.',
        ],
      },
    },
  );
  return { result: answer, ...worked };
}

/**
 * Runs a coding agent's own program on the tree. Only the tree counts as its result, whatever the program
 * says.
 */
async function runProgram(
  { team, ground }: WorkState,
  key: string,
  brief: Brief,
  tree: string,
): Promise<Done> {
  const { runtime } = team.config;
  if (runtime.kind === 'standard') throw new Error('a standard runtime is asked, not executed');
  const wish = {
    tree,
    runtime: runtime.kind,
    argv: runtime.argv,
    timeoutS: runtime.timeoutS,
    brief: workFile(brief, team.attached),
    provision: ground.provision,
  };
  const ran = await team.look(`${key}/execute`, wish, async (signal) => {
    await requireSandbox(team, signal);
    const found = await team.workshop.execute(wish, signal);
    if (found.ended === 'stopped') signal.throwIfAborted();
    return found;
  });
  const why = faultIn(ran);
  if (why !== undefined) return { result: { why }, tree: ran.tree, turns: 1 };
  const value = { status: 'done' as const, did: [], covers_done: [], left: [], needs: [] };
  return { result: { value }, tree: ran.tree, turns: 1 };
}

function faultIn({ ended, elsewhere }: AgentExecution): string | undefined {
  if (elsewhere.length > 0) return toLine(`it wrote outside its tree: ${elsewhere.join(', ')}`);
  if (ended === 'not-started') return 'its program could not start';
  return undefined;
}

function subjectOf(title: string, id: string): string {
  return cutText(toLine(title) || `Do ${id}`, MAX_SUBJECT);
}

type Committed = Extract<CommitAnswer, { done: true }>;
type Refused = Extract<CommitAnswer, { done: false }>;

function commitTree(
  { team, ground, tests }: WorkState,
  key: string,
  { id, attempt: number, commit: base }: Start,
  tree: string,
  from: string,
): Promise<Committed | Refused> {
  const { task, files } = team.task(id);
  const hasPieces = team.view.tasks.some(({ of }) => of === id);
  const guarded = guardedOf(ground.plan, ground.survey);
  const allowed = findAllowedGuarded(files, guarded);
  const wish = {
    tree,
    parents: [base],
    message: subjectOf(task.title, id),
    may: files,
    guarded,
    ...(allowed.length === 0 ? {} : { allowed }),
    locked: lockedFiles({ team, tests }),
  };
  return team.act(`${key}/commit`, wish, async (signal) => {
    const given = await team.workshop.commit(wish, signal);
    // The pieces of a split task may have done all of its work. If the task itself changes nothing, the commit
    // that the attempt began from counts as the task's commit.
    const isNothing = hasPieces && tree === from;
    const answer: CommitAnswer = isNothing ? { done: true, commit: base, tree, files: [] } : given;
    const changed = answer.done ? await team.workshop.changes(base, answer.commit, signal) : [];
    return {
      value: answer,
      facts: [
        fact('commit.made', {
          for: 'task',
          task: id,
          attempt: number,
          workstream: task.workstream,
          tree,
          files: answer.done ? [...answer.files] : [],
          refused: answer.done ? [] : answer.refused.map((file) => ({ ...file })),
          ...(answer.done ? { commit: answer.commit } : {}),
          lines: changed.map(({ path, added, removed }) => ({ path, added, removed })),
        }),
      ],
    };
  });
}

/** Why a commit is refused or red, for people who read the record, and what T4 is told to do about that. */
interface SentBack {
  readonly why: string;
  readonly todo: string;
}

const REFUSALS: Readonly<Record<Refused['refused'][number]['why'], string>> = {
  outside: 'is not among the files of this task',
  link: 'is a link, and links are not taken',
  submodule: 'is a submodule, and submodules are not changed',
  guarded: 'decides what a check means, and is not held by this task',
  locked: 'is an acceptance test, which nobody changes who works',
  empty: 'nothing was changed',
};

function tellRefused({ refused }: Refused, files: readonly string[]): SentBack {
  if (refused.every(({ why }) => why === 'empty'))
    return {
      why: 'nothing was changed',
      todo: 'No file differs from what you started from. Do the task; where it cannot be done, end as blocked and say in needs why.',
    };
  return {
    why: [
      'nothing was committed:',
      ...refused.map(({ path, why }) => `- ${toLine(path)} ${REFUSALS[why]}`),
    ].join('\n'),
    todo: `Put these back as they were. You hold ${files.join(' ')}; ask with needs for what you need beside them.`,
  };
}

function tellRed({ why, output }: JudgedCommit): string {
  return ['It is red:', ...why.map((reason) => `- ${reason}`), ...output].join('\n');
}
