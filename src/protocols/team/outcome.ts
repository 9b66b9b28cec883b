/** The page that a team's work comes to, made by code from the record alone. Pure. */
import type { Usage } from '../../kernel/model.ts';
import { line } from '../../text/line.ts';
import { formatTokens, formatUsd, plural } from '../../text/numbers.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { TaskView, TeamView } from './fold.ts';
import { untestedLines } from './home-lines.ts';

/** What the calls of one tier took. */
export interface TierCost {
  readonly tier: string;
  readonly calls: number;
  readonly usage: Usage;
  /** Absent where the price of a model is not known. */
  readonly costUsd?: number | undefined;
}

/** Words of a title at most. */
const MOST_TITLE = 80;

/** The goal in a line. */
export function titleOf(goal: string): string {
  const [first = ''] = goal.trim().split('\n');
  const text = line(first).replace(/^#+\s*/, '');
  return text.length <= MOST_TITLE ? text : `${text.slice(0, MOST_TITLE - 1).trimEnd()}…`;
}

/** In one line: how it stands, by code. */
function stateLine({ requirements, delivered }: TeamView): string {
  const met = requirements.filter(({ state }) => state === 'met').length;
  const home =
    delivered === undefined
      ? ''
      : delivered.how === 'kept'
        ? '; nothing was brought home'
        : delivered.how === 'failed'
          ? `; it could not be brought home: ${line(delivered.why ?? '')}`
          : `; on branch ${line(delivered.branch ?? '')}${delivered.url === undefined ? '' : ` (${line(delivered.url)})`}${delivered.next === undefined ? '' : `; to open the request: ${line(delivered.next)}`}`;
  return `${met} of ${plural(requirements.length, 'requirement')} met${home}`;
}

/** `why`: what the run ended by, where it did not get to its end. */
export function pageOf(
  goal: string,
  team: TeamView,
  costs: readonly TierCost[],
  why?: string,
  /** Of the run's rules: from 3 on it is told what nobody has tested before the work. */
  edition = 1,
): string {
  const { plan } = team;
  if (plan?.no_team)
    return sanitise(`# ${titleOf(goal)}\n\n_No team was needed._\n\n${plan.no_team}`);
  return [
    `# ${titleOf(goal)}`,
    `${stateLine(team)}.${why === undefined ? '' : ` Ended: ${line(why)}.`}`,
    ...section('Requirements', requirementsIn(team)),
    ...section('Not tested before the work', edition < 3 ? [] : untestedLines(team)),
    ...section('What was done', team.tasks.map(tellTask)),
    ...section('Checks of the result', checksIn(team)),
    ...section('Design', designIn(team)),
    ...section(
      'Amendments and escalations',
      [
        ...team.amendments.map(({ by, kind, what, why: ground }) =>
          line(`${by} amended (${kind}): ${what}. ${ground}`),
        ),
        ...team.escalations.map(({ from, to, task, why: ground }) =>
          line(`${from} went up to ${to}${task === undefined ? '' : ` with ${task}`}: ${ground}`),
        ),
      ].sort(),
    ),
    ...section('What it cost', costs.map(tellCost)),
  ].join('\n\n');
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [`## ${title}`, rows.map((row) => `- ${row}`).join('\n')];
}

const ORDER = ['unmet', 'disputed', 'unproved', 'met'];

/** Those that are not met first: whoever reads no further has to know. */
function requirementsIn({ requirements }: TeamView): string[] {
  return [...requirements]
    .sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
    .map(({ id, text, state, evidence }) =>
      [line(`**${id} ${state}**: ${text}`), ...evidence.map((one) => `  - ${line(one)}`)].join(
        '\n',
      ),
    );
}

function tellTask({ task, state, attempts, files, commit, why }: TaskView): string {
  const last = attempts.at(-1)?.commits.findLast((one) => one.commit !== undefined);
  const changed = last?.files ?? files;
  return line(
    `**${task.id}** ${state}${commit === undefined ? '' : ` as ${commit.slice(0, 12)}`}, ${plural(attempts.length, 'attempt')}: ${task.title} (${changed.join(', ')})${why === undefined ? '' : ` ${why}`}`,
  );
}

function checksIn({ checks, joins }: TeamView): string[] {
  const result = joins.findLast(({ of, commit }) => of === 'all' && commit !== undefined)?.commit;
  return checks
    .filter(({ on, kind }) => on === result && (kind === 'joined' || kind === 'commit'))
    .map(({ check, argv, exit, counts }) =>
      line(
        `${check} (${argv.join(' ')}): ${exit === null ? 'no exit' : `exit ${exit}`}${counts === undefined ? '' : `, ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`}`,
      ),
    );
}

function designIn({ designed }: TeamView): string[] {
  if (designed === undefined) return [];
  const { summary, decisions } = designed.architecture;
  return [line(summary), ...decisions.map(({ id, text }) => line(`${id}: ${text}`))];
}

function tellCost({ tier, calls, usage, costUsd }: TierCost): string {
  const price = costUsd === undefined ? 'price not known' : formatUsd(costUsd, usage.estimated);
  return `${tier}: ${plural(calls, 'call')}, ${formatTokens(usage.input, usage.estimated)} in, ${formatTokens(usage.output, usage.estimated)} out, ${price}`;
}
