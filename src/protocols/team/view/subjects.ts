/** Opens what a row of the Team tab stands for. */
import type { ReadText } from '../../../console/run/tabs/page.ts';
import { type Block, type Section, section } from '../../../plain/blocks.ts';
import { words } from '../../../plain/markdown.ts';
import { readingText } from '../../../record-kinds/tab.ts';
import { line } from '../../../text/line.ts';
import { fenced, list } from '../../../text/markdown/blocks.ts';
import { designBlocks, proposalBlocks } from './design-text.ts';
import { type Teamed, workstreamOf } from './display-state.ts';
import { formatSurvey, planBlocks } from './plan-text.ts';
import { checkTable, formatEscalation, formatQuotedPlace, taskBlocks } from './task-text.ts';
import { formatDelivery } from './tiers/ending.ts';
import type { Subject } from './tiers/node.ts';
import { formatTaskState } from './tiers/workstream.ts';
import { joinSentences, shortCommit } from './wording.ts';

/** Formats the page that a row of the Team tab opens. */
export function readSubject(subject: Subject, teamed: Teamed): ReadText {
  const { name, title, blocks } = openSubject(subject, teamed);
  return { name, title, markdown: readingText(blocks) };
}

function openSubject(
  subject: Subject,
  teamed: Teamed,
): { readonly name: string; readonly title: string; readonly blocks: readonly Block[] } {
  const { team, title } = teamed;
  switch (subject.kind) {
    case 'plan':
      return {
        name: 'plan',
        title: 'T1 · the plan',
        blocks: [
          team.survey === undefined ? '' : words(formatSurvey(team.survey)),
          ...planBlocks(team),
          section(
            'Checks before the work',
            tableOf(teamed, ({ kind }) => kind === 'base'),
          ),
          amendmentsPart(teamed),
        ],
      };
    case 'design':
      return {
        name: 'design',
        title: 'T2 · the design',
        blocks:
          team.designed === undefined ? ['There is no design yet.'] : designBlocks(team.designed),
      };
    case 'domain':
      return {
        name: `domain-${subject.id}`,
        title: `T2 · ${line(subject.id)}`,
        blocks: proposalBlocks(team.designed, subject.id),
      };
    case 'workstream':
      return {
        name: `workstream-${subject.id}`,
        title: `T3 · ${line(subject.id)}`,
        blocks: workstreamBlocks(subject.id, teamed),
      };
    case 'tests':
      return {
        name: `tests-${subject.id}`,
        title: `T5 · tests written first for ${line(subject.id)}`,
        blocks: testsBlocks(subject.id, teamed),
      };
    case 'task': {
      const task = team.tasks.find(({ task }) => task.id === subject.id);
      return {
        name: `task-${subject.id}`,
        title: `T4 · ${line(subject.id)}`,
        blocks:
          task === undefined ? ['This task is no longer in the plan.'] : taskBlocks(task, teamed),
      };
    }
    case 'verifier':
      return {
        name: `verdict-${subject.id}-${subject.seat}`,
        title: `${title(subject.seat)} on ${line(subject.id)}`,
        blocks: verifierBlocks(subject.id, subject.seat, teamed),
      };
    case 'acceptance':
      return {
        name: 'acceptance',
        title: 'T1 · acceptance',
        blocks:
          team.accepted.length === 0 ? ['T1 has not been asked yet.'] : acceptanceSections(teamed),
      };
    case 'delivery':
      return {
        name: 'delivery',
        title: 'Brought home',
        blocks: [`${words(formatDelivery(team.delivered))}.`],
      };
  }
}

function tableOf(
  { team }: Teamed,
  wanted: (one: Teamed['team']['checks'][number]) => boolean,
): Block {
  return checkTable(team.checks.filter(wanted));
}

function amendmentsPart({ team }: Teamed): Section {
  return section(
    'Amendments',
    list(
      team.amendments.map(({ by, kind, what, why, task }) =>
        words(
          `${by}, ${kind}${task === undefined ? '' : ` of ${task}`}: ${joinSentences(what, why)}`,
        ),
      ),
    ),
  );
}

function workstreamBlocks(id: string, teamed: Teamed): Block[] {
  const { team, title } = teamed;
  const workstream = workstreamOf(team, id);
  const joint = team.joint.filter(({ workstream }) => workstream === id);
  return [
    workstream === undefined ? '' : `${words(workstream.goal)}`,
    workstream === undefined
      ? ''
      : `Path ${workstream.path}; for ${words(workstream.covers.join(', ')) || 'no requirement'}.`,
    section(
      'Tasks',
      list(
        team.tasks
          .filter(({ task }) => task.workstream === id)
          .map((each) =>
            words(`${each.task.id}: ${each.task.title} (${formatTaskState(each, teamed)})`),
          ),
      ),
    ),
    section(
      'Ordered by code because both hold a file',
      list(
        (team.graphed?.ordered ?? []).map(({ before, after, file }) =>
          words(`${before}, then ${after}: ${file}`),
        ),
      ),
    ),
    section(
      'Joint verdicts',
      list(
        joint.map(({ round, verdict, cause, failing, alone }) => {
          const why = failing.map((each) => `${words(each.task)}: ${words(each.why)}`).join('; ');
          const how =
            verdict === 'pass' ? 'passes' : `fails${cause === 'none' ? '' : `, by its ${cause}`}`;
          return `Round ${round}${alone ? ', by itself,' : ''} ${how}${why === '' ? '' : `. ${why}`}`;
        }),
      ),
    ),
    section(
      'Verifiers',
      list(
        team.verdicts
          .filter(({ workstream }) => workstream === id)
          .map(
            ({ seat, round, verdict, why, again }) =>
              `${words(title(seat))}, round ${round}${again ? ', looking again' : ''}: ${verdict ?? words(why ?? 'no verdict')}`,
          ),
      ),
    ),
    section(
      'Joins',
      list(
        team.joins
          .filter(({ of }) => of === id || of === 'all')
          .map(({ of, round, commit, conflicts }) =>
            words(
              `${of === 'all' ? 'All' : of}, round ${round}: ${conflicts.length > 0 ? `both sides changed ${conflicts.join(', ')}` : shortCommit(commit ?? 'nothing')}`,
            ),
          ),
      ),
    ),
    section(
      'Checks after joins',
      tableOf(teamed, ({ kind, workstream }) => kind === 'joined' && (workstream ?? id) === id),
    ),
    section(
      'Escalations',
      list(
        team.escalations
          .filter(({ workstream }) => workstream === id)
          .map(({ from, to, cause, why }) => words(formatEscalation(from, to, cause, why))),
      ),
    ),
  ];
}

function testsBlocks(id: string, teamed: Teamed): Block[] {
  const { team } = teamed;
  return team.tests
    .filter(({ workstream }) => workstream === id)
    .flatMap(({ tests, untestable, why, commit }) => [
      'Written by a verifier who has not seen an implementation, and locked for T4. They must fail on the base three times out of three, or they prove nothing.',
      why === undefined ? '' : `There are none: ${words(why)}`,
      commit === undefined ? '' : `Commit ${shortCommit(commit)}.`,
      list(
        tests.map(({ requirement, path, shows, state }) => {
          const how = { red: 'red on the base', vacuous: 'vacuous', 'not-run': 'not run' };
          return `**${words(requirement)}** ${how[state]}: ${words(shows)} (${words(path)})`;
        }),
      ),
      section(
        'Not to be tested',
        list(untestable.map((entry) => words(`${entry.requirement}: ${entry.why}`))),
      ),
      section(
        'On the base',
        tableOf(teamed, ({ kind, workstream }) => kind === 'red-before' && workstream === id),
      ),
    ]);
}

function verifierBlocks(id: string, seat: string, { team }: Teamed): Block[] {
  const given = team.verdicts.filter(
    (verdict) => verdict.workstream === id && verdict.seat === seat,
  );
  if (given.length === 0) return ['No answer yet.'];
  return given
    .toReversed()
    .map((verdict) =>
      section(
        `Round ${verdict.round}${verdict.again ? ', looking again' : ''}`,
        `**${verdict.verdict === undefined ? `No verdict: ${words(verdict.why ?? 'unknown')}` : `Says: ${verdict.verdict}`}** on ${shortCommit(verdict.commit)}${verdict.cause === 'none' ? '' : `, by its ${verdict.cause}`}.`,
        list(
          verdict.items.map(
            (item) =>
              `**${words(item.requirement)}** ${MET[item.met]}: ${words(item.why)} ${formatQuotedPlace(item)}`,
          ),
        ),
        list(
          verdict.defects.map(
            (defect) =>
              `Defect in ${words(defect.task)}: ${words(defect.why)} ${formatQuotedPlace(defect)}`,
          ),
        ),
        ...(verdict.probe === undefined
          ? []
          : [
              `Its probe ${PROBED[verdict.probe.state]}: ${words(verdict.probe.shows)} (${words(verdict.probe.path)})`,
              fenced(verdict.probe.text),
            ]),
      ),
    );
}

const MET = { yes: 'is met', no: 'is not met', unclear: 'is unclear' } as const;
const PROBED = { passed: 'passes', failed: 'fails', 'not-run': 'was not run' } as const;

/** Returns T1's decisions about the work, the latest first. */
export function acceptanceSections({ team }: Teamed): Section[] {
  return team.accepted.toReversed().map(({ commit, acceptance, refused, why }, index, all) => {
    const rejected = acceptance?.reject;
    const said =
      acceptance === undefined
        ? `No answer${why === undefined ? '' : `: ${words(why)}`}.`
        : `T1 says: ${acceptance.decision}, on ${shortCommit(commit)}.`;
    return section(
      all.length === 1 ? 'Acceptance' : `Acceptance ${all.length - index} of ${all.length}`,
      `**${said}**`,
      list(refused.map((reason) => `Refused by code: ${words(reason)}`)),
      rejected
        ? `Back to ${rejected.tier} of ${words(rejected.workstream)} (${words(rejected.tasks.join(', '))}): ${words(rejected.reason)}`
        : '',
      list(
        (acceptance?.beyond_goal ?? []).map(
          ({ path, what }) => `Beyond the goal: ${words(path)}: ${words(what)}`,
        ),
      ),
    );
  });
}
