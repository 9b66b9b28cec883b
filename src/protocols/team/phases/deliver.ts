/**
 * Brings the work home as the person wants, after a look at what has changed in their repository meanwhile.
 */
import { RunStopped } from '../../../kernel/errors.ts';
import type { BranchState, Delivery } from '../../../kernel/tools/workshop.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { fact } from '../facts.ts';
import { historyOf } from '../history.ts';
import { formatDeliveryQuestion } from '../home-lines.ts';
import { titleOf } from '../outcome.ts';
import { UNCOUNTED } from '../plan-lines.ts';
import { findUncountedChecks } from '../rules/checks.ts';
import { checkJoined } from './join.ts';
import { lockedSets } from './locked.ts';
import type { JoinedCommit, WorkState } from './state.ts';

/** The most paths that a list in the question shows. */
const MOST_SHOWN = 12;

const LABELS: Readonly<Record<Delivery, string>> = {
  branch: 'Keep it on a branch of its own',
  forward: 'Fast-forward my branch to it',
  request: 'Open a pull request',
};

/**
 * Asks the person how the work is to be delivered to their repository, and delivers it.
 * @returns true if the person restores tests that both verifiers had dropped, so that the work goes
 * on; otherwise false
 * @throws RunStopped if the delivery failed; the person can fix the cause and resume
 */
export async function deliverWork(
  state: WorkState,
  joined: JoinedCommit,
  told: {
    /** The changed files that no task held for a requirement. */
    readonly beyond: readonly string[];
    /** The text of the pull request, in Markdown. */
    readonly body: string;
    /** How often the delivery has failed before. After a failure the repository is looked at again. */
    readonly failed: number;
    /**
     * The round of the team that ended with this work. Given only if the work was offered before and the
     * person restored dropped tests instead, so that the repository is looked at again.
     */
    readonly round?: number | undefined;
  },
): Promise<boolean> {
  const { team, ground } = state;
  const { base } = ground.survey;
  const { failed, round } = told;
  // The run's id is an input of the step. So a fork looks at the person's repository again before it delivers.
  const moved = await team.look(
    `deliver/look${failed === 0 ? '' : `-${failed + 1}`}${round === undefined ? '' : `/round-${round}`}`,
    { base, commit: joined.commit, run: team.run.id },
    (signal) => team.workshop.look(base, joined.commit, signal),
  );
  const ready = await onTopOf(state, joined, moved);
  const how = await askHowToDeliver(state, ready, moved, told.beyond);
  if (how === 'restore') return true;
  if (how === 'nothing') {
    await team.record('deliver/kept', ready.commit, [
      fact('team.delivered', { how: 'kept', commit: ready.commit }),
    ]);
    return false;
  }
  const wish = {
    how,
    base: ready.base,
    commit: ready.commit,
    title: titleOf(team.goal),
    body: told.body,
    ...forgeAndHistory(state),
  };
  await bringHome(state, wish);
  return false;
}

/**
 * Returns the settings for the history that comes home. Old runs, which have no author setting, keep their
 * commits as they were made.
 */
function forgeAndHistory({ team, tests }: WorkState): Pick<Wish, 'forge' | 'history' | 'author'> {
  const { forge, author } = team.config;
  const trailer = author === 'person' ? CO_AUTHOR : undefined;
  const others = team.edition < 3 ? [] : [...tests, ...lockedSets(team)];
  return {
    ...withoutUndefined({ forge }),
    ...(author === undefined ? {} : { author, history: historyOf(team.view, trailer, others) }),
  };
}

/**
 * The last line of each delivered message, with the name and address that commits in the run's own copy
 * have.
 */
const CO_AUTHOR = 'Co-authored-by: deliberate <deliberate@localhost>';

type Wish = Parameters<WorkState['team']['workshop']['deliver']>[0];

/**
 * Brings the work home. A failure is not recorded as a finished step, because the cause may be gone when
 * the run is resumed.
 */
async function bringHome({ team }: WorkState, wish: Wish): Promise<void> {
  let why: string | undefined;
  try {
    await team.act('deliver/home', { wish, run: team.run.id }, async (signal) => {
      const done = await team.workshop.deliver(wish, signal);
      if (!done.done) {
        why = done.why;
        throw new RunStopped('gate', `the work could not be brought home: ${why}`);
      }
      const { how, commit, branch, url, next } = done;
      const body = {
        how,
        commit,
        branch,
        ...withoutUndefined({ url, next }),
      };
      return { value: null, facts: [fact('team.delivered', body)] };
    });
  } catch (error) {
    if (why !== undefined)
      await team.record('deliver/failed', { wish, why }, [
        fact('team.delivered', { how: 'failed', commit: wish.commit, why }),
      ]);
    throw error;
  }
}

interface Ready {
  readonly commit: string;
  /** The commit from which a fast-forward starts. */
  readonly base: string;
  /** What became of commits that the person has made meanwhile. */
  readonly told: readonly string[];
}

/**
 * Merges the work with what the person has committed meanwhile, in the run's own copy, and runs the checks
 * on the result.
 */
async function onTopOf(
  state: WorkState,
  joined: JoinedCommit,
  { head, moved }: BranchState,
): Promise<Ready> {
  const { team, ground } = state;
  const { commit } = joined;
  const { base } = ground.survey;
  if (!moved) return { commit, base, told: [] };
  const commits = [head, commit];
  const made = await team.look('deliver/merge', { commits }, (signal) =>
    team.workshop.join(commits, 'Bring the work together with what has come since', signal),
  );
  const went = `Your branch has gone on to ${head.slice(0, 12)} meanwhile.`;
  await team.record('deliver/merged', { made }, [
    fact('team.joined', {
      of: 'home',
      round: 1,
      commits,
      conflicts: made.done ? [] : [...made.conflicts],
      ...(made.done ? { commit: made.commit } : {}),
    }),
  ]);
  if (!made.done)
    return {
      commit,
      base,
      told: [went, toLine(`Both changed ${made.conflicts.join(', ')}: the branch is without it.`)],
    };
  const checked = await checkJoined(state, 'deliver/merged', made, undefined);
  const why = 'environment' in checked ? [checked.environment] : checked.why;
  if (why.length > 0)
    return {
      commit,
      base,
      told: [went, toLine(`Together they are red (${why[0] ?? ''}): the branch is without it.`)],
    };
  return {
    commit: made.commit,
    base: head,
    told: [went, 'Both were brought together and checked again.'],
  };
}

async function askHowToDeliver(
  { team, ground }: WorkState,
  { base, commit, told }: Ready,
  { head, dirty }: BranchState,
  beyond: readonly string[],
): Promise<Delivery | 'nothing' | 'restore'> {
  const { requirements, locked } = team.view;
  const changes =
    team.edition < 3
      ? []
      : await team.look(`deliver/changes-${commit.slice(0, 12)}`, { base, commit }, (signal) =>
          team.workshop.changes(base, commit, signal),
        );
  const diff =
    team.edition < 4
      ? undefined
      : await team.look(`deliver/diff-${commit.slice(0, 12)}`, { base, commit }, (signal) =>
          team.workshop.diff(base, commit, [], signal),
        );
  const canRestore = team.edition >= 3 && locked.some(({ dropped }) => dropped !== undefined);
  const met = requirements.filter(({ state }) => state === 'met').length;
  const canForward = base === head && dirty.length === 0;
  // If HEAD was detached at the survey, the person is on no branch: none can be fast-forwarded, and a pull
  // request has no branch to be merged into.
  const isOnBranch = ground.survey.branch !== undefined;
  const offered: readonly Delivery[] = [
    'branch',
    ...(isOnBranch && canForward ? (['forward'] as const) : []),
    ...(isOnBranch ? (['request'] as const) : []),
  ];
  const { deliver: wanted } = team.config;
  const { answer } = await team.askPerson(`deliver/${commit.slice(0, 12)}`, {
    prompt: [
      `${met} of ${formatCount(requirements.length, 'requirement')} met. The work is done, as ${commit.slice(0, 12)}.`,
      ...told,
      ...findUncountedChecks(ground.base).map((check) => toLine(`${check}: ${UNCOUNTED}.`)),
      ...(beyond.length === 0 ? [] : [`Beyond the goal: ${listPaths(beyond)}.`]),
      ...(dirty.length === 0
        ? []
        : [`Changed in your checkout and in the work: ${listPaths(dirty)}.`]),
      ...(team.edition < 3 ? [] : formatDeliveryQuestion(team.view, changes, team.edition)),
    ].join('\n'),
    options: [
      ...offered.map((value) => ({ value, label: LABELS[value] })),
      ...(canRestore
        ? [{ value: 'restore', label: 'Put back the tests that verifiers dropped, and go on' }]
        : []),
      { value: 'nothing', label: 'Bring nothing home' },
    ],
    default: offered.includes(wanted) ? wanted : 'branch',
    ...withoutUndefined({ diff }),
  });
  if (canRestore && answer === 'restore') return 'restore';
  return offered.find((delivery) => delivery === answer) ?? 'nothing';
}

function listPaths(paths: readonly string[]): string {
  const left = paths.length - MOST_SHOWN;
  return `${paths.slice(0, MOST_SHOWN).map(toLine).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
