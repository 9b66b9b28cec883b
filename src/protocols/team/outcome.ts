/** Writes the final page of a team's run, from the record alone. Pure. */
import type { Usage } from '../../kernel/model.ts';
import { toLine } from '../../text/line.ts';
import { escapeLine, escapeText } from '../../text/markdown/words.ts';
import { formatCount, formatTokens, formatUsd } from '../../text/numbers.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { cutText } from '../../text/words/cut.ts';
import type { TaskView, TeamView } from './fold.ts';
import { formatUntested } from './home-lines.ts';

/** What the calls of one tier cost. */
export interface TierCost {
  readonly tier: string;
  readonly calls: number;
  readonly usage: Usage;
  /** The cost in US dollars; undefined if the price of a model is not known. */
  readonly costUsd?: number | undefined;
}

/**
 * Cleans models' words for the page: escapes Markdown from version 3 of the rules on, and joins lines
 * before that.
 */
type Say = (text: string) => string;

/** The most characters of a title. */
const MOST_TITLE = 80;

/** Returns the first line of the goal, shortened to 80 characters, as a title. */
export function titleOf(goal: string): string {
  const [first = ''] = goal.trim().split('\n');
  return cutText(toLine(first).replace(/^#+\s*/, ''), MOST_TITLE);
}

/** Says in one line how many requirements are met and where the work went. */
function stateLine({ requirements, delivered }: TeamView, say: Say): string {
  const met = requirements.filter(({ state }) => state === 'met').length;
  const home =
    delivered === undefined
      ? ''
      : delivered.how === 'kept'
        ? '; nothing was brought home'
        : delivered.how === 'failed'
          ? `; it could not be brought home: ${say(delivered.why ?? '')}`
          : `; on branch ${say(delivered.branch ?? '')}${delivered.url === undefined ? '' : ` (${say(delivered.url)})`}${delivered.next === undefined ? '' : `; to open the request: ${say(delivered.next)}`}`;
  return `${met} of ${formatCount(requirements.length, 'requirement')} met${home}`;
}

/**
 * Writes the final page of a team's run in Markdown: the state of each requirement, what was done,
 * checks, design, amendments and costs. If T1 said that no team is needed, the page has its answer only.
 * @param why why the run ended before its goal; undefined if it did not
 */
export function pageOf(
  goal: string,
  team: TeamView,
  costs: readonly TierCost[],
  why?: string,
  /**
   * The version of the run's rules. From version 3 on, the page lists what was not tested before the work.
   */
  edition = 1,
): string {
  const { plan } = team;
  const say: Say = edition < 3 ? toLine : escapeLine;
  const title = edition < 3 ? titleOf(goal) : escapeLine(titleOf(goal));
  if (plan?.no_team) {
    const said = edition < 3 ? plan.no_team : escapeText(plan.no_team);
    const lead =
      edition < 4
        ? '_No team was needed._'
        : '_T1 says that no team is needed. Code has not looked whether that is so; nothing was changed._';
    return sanitiseText(`# ${title}\n\n${lead}\n\n${said}`);
  }
  return [
    `# ${title}`,
    `${stateLine(team, say)}.${why === undefined ? '' : ` Ended: ${say(why)}${edition >= 7 && why.endsWith('.') ? '' : '.'}`}`,
    ...formatSection('Requirements', requirementsIn(team, say)),
    ...formatSection(
      'Not tested before the work',
      edition < 3 ? [] : formatUntested(team).map(say),
    ),
    ...formatSection(
      'What was done',
      team.tasks.map((task) => tellTask(task, say, edition)),
    ),
    ...formatSection('Checks of the result', checksIn(team, say)),
    ...formatSection('Design', designIn(team, say)),
    ...formatSection(
      'Amendments and escalations',
      [
        ...team.amendments.map(({ by, kind, what, why: ground }) =>
          say(`${by} amended (${kind}): ${what}. ${ground}`),
        ),
        ...team.escalations.map(({ from, to, task, why: ground }) =>
          say(`${from} went up to ${to}${task === undefined ? '' : ` with ${task}`}: ${ground}`),
        ),
      ].sort(),
    ),
    ...formatSection('What it cost', costs.map(tellCost)),
  ].join('\n\n');
}

function formatSection(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [`## ${title}`, rows.map((row) => `- ${row}`).join('\n')];
}

const ORDER = ['unmet', 'disputed', 'unproved', 'met'];

/** Lists requirements that are not met first, for people who read only the beginning. */
function requirementsIn({ requirements }: TeamView, say: Say): string[] {
  return [...requirements]
    .sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
    .map(({ id, text, state, evidence }) =>
      [`**${id} ${state}**: ${say(text)}`, ...evidence.map((entry) => `  - ${say(entry)}`)].join(
        '\n',
      ),
    );
}

function tellTask(taskView: TaskView, say: Say, edition: number): string {
  const { task, state, attempts, commit, why } = taskView;
  return `**${task.id}** ${say(`${state}${commit === undefined ? '' : ` as ${commit.slice(0, 12)}`}, ${formatCount(attempts.length, 'attempt')}: ${task.title} (${changedBy(taskView, edition).join(', ')})${why === undefined ? '' : ` ${why}`}`)}`;
}

/**
 * Returns the files of all commits of a task, sorted; if there are no commits, the files that it holds. Up
 * to version 3 of the rules only the last commit counts.
 */
function changedBy({ attempts, files }: TaskView, edition: number): readonly string[] {
  const made = attempts
    .flatMap(({ commits }) => commits)
    .filter((commit) => commit.commit !== undefined);
  if (made.length === 0) return files;
  if (edition >= 4) return [...new Set(made.flatMap((commit) => commit.files))].sort();
  const last = attempts.at(-1)?.commits.findLast((commit) => commit.commit !== undefined);
  return last?.files ?? files;
}

function checksIn({ checks, joins }: TeamView, say: Say): string[] {
  const result = joins.findLast(({ of, commit }) => of === 'all' && commit !== undefined)?.commit;
  return checks
    .filter(({ on, kind }) => on === result && (kind === 'joined' || kind === 'commit'))
    .map(({ check, argv, exit, counts }) =>
      say(
        `${check} (${argv.join(' ')}): ${exit === null ? 'no exit' : `exit ${exit}`}${counts === undefined ? '' : `, ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`}`,
      ),
    );
}

function designIn({ designed }: TeamView, say: Say): string[] {
  if (designed === undefined) return [];
  const { summary, decisions } = designed.architecture;
  return [say(summary), ...decisions.map(({ id, text }) => say(`${id}: ${text}`))];
}

function tellCost({ tier, calls, usage, costUsd }: TierCost): string {
  const price = costUsd === undefined ? 'price not known' : formatUsd(costUsd, usage.estimated);
  return `${tier}: ${formatCount(calls, 'call')}, ${formatTokens(usage.input, usage.estimated)} in, ${formatTokens(usage.output, usage.estimated)} out, ${price}`;
}
