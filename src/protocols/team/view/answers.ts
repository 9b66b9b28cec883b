/**
 * Formats a team's structured answers as Markdown, complete or while they are written. The templates are
 * explained in `text/answers/templates.ts`.
 */
import { escapeLine, escapeText } from '../../../plain/markdown.ts';
import { linesOf } from '../../../text/answers/read.ts';
import { answerWriter, type Part } from '../../../text/answers/templates.ts';

const { bullets, each, fill, headed, onceGiven, spoken, within, ...writer } = answerWriter({
  line: escapeLine,
  prose: escapeText,
});

const INTERFACES = headed(
  'Interfaces',
  'interfaces',
  '[**{name}** ]{signature}[ in {file}][ ({change})]',
);

const PLAN: readonly Part[] = [
  '**T1 says that no team is needed:** {no_team}',
  headed('Requirements', 'requirements', '[**{id}** ]{text}[ ({proof})]'),
  headed('Workstreams', 'workstreams', '[**{id}** ][{path}[ after {depends_on,}]: ]{goal}'),
  headed('What the tiers are for', 'tiers', '[**{tier}** ]{why}'),
  headed('Checks', 'checks', '[**{id}** ]{argv}', {
    argv: (check) => {
      const argv = linesOf(check, 'argv');
      return argv.length === 0 ? '' : escapeLine(JSON.stringify(argv));
    },
  }),
  headed('Guarded files', 'guarded'),
  headed('Questions', 'questions'),
];

const PROPOSAL: readonly Part[] = [
  '{design*}',
  INTERFACES,
  headed('Needs from others', 'needs', '[**{domain}** ]{what}'),
  headed('Risks', 'risks'),
];

const NEED = '[**{kind}** ]{what}[: {why}]';

const PROBE = within('probe', (probe) =>
  fill('Probe: {shows}[ ({about})]', probe, {
    about: (probe) => joinFilled(', ', fill('{requirement}', probe), fill('{path}', probe)),
  }),
);

/** Formats the path and the quotation with which a verifier shows what it found. */
const formatPlace = (found: unknown): string =>
  joinFilled(': ', fill('{path}', found), fill('“{quote}”', found));

const VERDICT: readonly Part[] = [
  '**Says: {verdict}**',
  headed('Requirements', 'items', '**{requirement}** {met?}[: {why}][ ({place})]', {
    met: spoken('met', { yes: 'is met', no: 'is not met', unclear: 'is unclear' }, '{met}'),
    place: formatPlace,
  }),
  headed('Defects', 'defects', '[**{task}** ]{why}[ ({place})]', { place: formatPlace }),
  PROBE,
  headed('Tests that it would drop', 'drops', '[**{path}** ]{why}[ ({place})]', {
    place: formatPlace,
  }),
];

/**
 * Formats the answer to a question as Markdown. The name of the question's task, such as
 * `team/plan`, decides on the layout. Returns undefined if a team has no such task.
 */
export const answerWords = writer.answerWords({
  'team/plan': PLAN,
  'team/critique': [
    headed('What is wrong with it', 'found', '{what}[ {change}]'),
    within('plan', ...PLAN),
  ],
  'team/boundaries': [
    headed('Who owns which files', 'domains', '**{id}**[ ({workstreams,})][: {owns,}]'),
    headed('Shared assumptions', 'assumptions', '[**{id}** ]{text}'),
  ],
  'team/propose': PROPOSAL,
  'team/contradictions': headed(
    'Contradictions',
    'found',
    '[**{id}** ]{a?}[ “{quote_a}”] and {b?}[ “{quote_b}”]: {why}',
  ),
  'team/answer': [
    headed('Answers', 'answers', '[**{contradiction}** ]{stance}[: {why}]', {
      stance: spoken(
        'stance',
        { concede: 'concedes', hold: 'holds', compromise: 'meets halfway' },
        '{stance}',
      ),
    }),
    within('proposal', ...PROPOSAL),
  ],
  'team/architecture': [
    '{summary*}',
    INTERFACES,
    headed('Decisions', 'decisions', '[**{id}** ]{text}[ ({covers,})]'),
    headed('Settled', 'settled', '[**{contradiction}** ]{how}'),
    headed('Open', 'open'),
  ],
  'team/fit': onceGiven(
    'fits',
    spoken('fits', { true: '**It fits the goal.**', false: '**It does not fit the goal.**' }),
    headed('Not covered', 'uncovered'),
    headed('Against it', 'against', '[**{decision}** ]{why}'),
  ),
  'team/graph': [
    each(
      'tasks',
      '**{id?}** {title}',
      '{brief*}',
      bullets('files: {files,}', 'after: {depends_on,}', 'done when: {done_when}'),
    ),
    headed('Not its own', 'not_mine', NEED),
  ],
  'team/tests': [
    headed('Tests written first', 'tests', '[**{requirement}** ]{shows}[ ({path})]'),
    headed('Not to be tested', 'untestable', '[**{requirement}** ]{why}'),
  ],
  'team/work': [
    spoken('status', {
      done: '**It says that it is done.**',
      partial: '**It says that a part is done.**',
      blocked: '**It says that it is blocked.**',
    }),
    headed('What it did', 'did', '[**{path}** ]{what}'),
    headed('Left', 'left'),
    headed('Needed', 'needs', NEED),
  ],
  'team/correct': [
    '{why*}',
    '## The brief from now on\n\n{brief*}',
    'Done when: {done_when*}',
    headed('Tests that may change', 'test_changes', '[**{path}** ]{why}'),
    headed('Done before it', 'tasks', '[**{id}** ]{title}'),
  ],
  'team/place': headed('Nobody’s until now', 'placed', '[**{item}** ]{to}: {what}[: {why}]', {
    to: (placed) => fill('to {task}', placed) || 'left out',
  }),
  'team/verify': VERDICT,
  'team/look-again': VERDICT,
  'team/mend-probe': PROBE,
  'team/accept': [
    spoken('decision', { accept: '**T1 accepts it.**', reject: '**T1 rejects it.**' }),
    '[Back to {reject.tier}: ]{reject.reason}',
    headed('Requirements', 'requirements', '**{id}** {met}[: {evidence;}]', {
      met: (requirement) => (fill('{met}', requirement) === 'yes' ? 'is met' : 'is not met'),
    }),
    headed('Beyond the goal', 'beyond_goal', '[**{path}** ]{what}'),
  ],
});

/** Joins the texts that are not empty. */
function joinFilled(between: string, ...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(between);
}
