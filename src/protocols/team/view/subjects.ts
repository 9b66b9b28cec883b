/** Opens what a row of the Team tab stands for. */
import type { ReadText } from '../../../console/run/tabs/page.ts';
import { type Block, makeSection, type Section } from '../../../plain/blocks.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { readingText } from '../../../record-kinds/tab.ts';
import { toLine } from '../../../text/line.ts';
import { formatCodeBlock, list } from '../../../text/markdown/blocks.ts';
import { designBlocks, proposalBlocks } from './design-text.ts';
import { type TeamDisplay, workstreamOf } from './display-state.ts';
import { formatSurvey, planBlocks } from './plan-text.ts';
import { checkTable, formatEscalation, formatQuotedPlace, taskBlocks } from './task-text.ts';
import { formatDelivery } from './tiers/ending.ts';
import type { Subject } from './tiers/node.ts';
import { formatTaskState } from './tiers/workstream.ts';
import { joinSentences, shortCommit } from './wording.ts';

/** Formats the page that a row of the Team tab opens. */
export function readSubject(subject: Subject, teamed: TeamDisplay): ReadText {
  const { name, title, blocks } = openSubject(subject, teamed);
  return { name, title, markdown: readingText(blocks) };
}

function openSubject(
  subject: Subject,
  teamed: TeamDisplay,
): { readonly name: string; readonly title: string; readonly blocks: readonly Block[] } {
  const { team, title } = teamed;
  switch (subject.kind) {
    case 'plan':
      return {
        name: 'plan',
        title: 'T1 · the plan',
        blocks: [
          team.survey === undefined ? '' : escapeLine(formatSurvey(team.survey)),
          ...planBlocks(team),
          makeSection(
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
        title: `T2 · ${toLine(subject.id)}`,
        blocks: proposalBlocks(team.designed, subject.id),
      };
    case 'workstream':
      return {
        name: `workstream-${subject.id}`,
        title: `T3 · ${toLine(subject.id)}`,
        blocks: workstreamBlocks(subject.id, teamed),
      };
    case 'tests':
      return {
        name: `tests-${subject.id}`,
        title: `T5 · tests written first for ${toLine(subject.id)}`,
        blocks: testsBlocks(subject.id, teamed),
      };
    case 'task': {
      const task = team.tasks.find(({ task }) => task.id === subject.id);
      return {
        name: `task-${subject.id}`,
        title: `T4 · ${toLine(subject.id)}`,
        blocks:
          task === undefined ? ['This task is no longer in the plan.'] : taskBlocks(task, teamed),
      };
    }
    case 'verifier':
      return {
        name: `verdict-${subject.id}-${subject.seat}`,
        title: `${title(subject.seat)} on ${toLine(subject.id)}`,
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
        blocks: [`${escapeLine(formatDelivery(team.delivered))}.`],
      };
  }
}

function tableOf(
  { team }: TeamDisplay,
  wanted: (one: TeamDisplay['team']['checks'][number]) => boolean,
): Block {
  return checkTable(team.checks.filter(wanted));
}

function amendmentsPart({ team }: TeamDisplay): Section {
  return makeSection(
    'Amendments',
    list(
      team.amendments.map(({ by, kind, what, why, task }) =>
        escapeLine(
          `${by}, ${kind}${task === undefined ? '' : ` of ${task}`}: ${joinSentences(what, why)}`,
        ),
      ),
    ),
  );
}

function workstreamBlocks(id: string, teamed: TeamDisplay): Block[] {
  const { team, title } = teamed;
  const workstream = workstreamOf(team, id);
  const joint = team.joint.filter(({ workstream }) => workstream === id);
  return [
    workstream === undefined ? '' : `${escapeLine(workstream.goal)}`,
    workstream === undefined
      ? ''
      : `Path ${workstream.path}; for ${escapeLine(workstream.covers.join(', ')) || 'no requirement'}.`,
    makeSection(
      'Tasks',
      list(
        team.tasks
          .filter(({ task }) => task.workstream === id)
          .map((each) =>
            escapeLine(`${each.task.id}: ${each.task.title} (${formatTaskState(each, teamed)})`),
          ),
      ),
    ),
    makeSection(
      'Ordered by code because both hold a file',
      list(
        (team.graphed?.ordered ?? []).map(({ before, after, file }) =>
          escapeLine(`${before}, then ${after}: ${file}`),
        ),
      ),
    ),
    makeSection(
      'Joint verdicts',
      list(
        joint.map(({ round, verdict, cause, failing, alone }) => {
          const why = failing
            .map((each) => `${escapeLine(each.task)}: ${escapeLine(each.why)}`)
            .join('; ');
          const how =
            verdict === 'pass' ? 'passes' : `fails${cause === 'none' ? '' : `, by its ${cause}`}`;
          return `Round ${round}${alone ? ', by itself,' : ''} ${how}${why === '' ? '' : `. ${why}`}`;
        }),
      ),
    ),
    makeSection(
      'Verifiers',
      list(
        team.verdicts
          .filter(({ workstream }) => workstream === id)
          .map(
            ({ seat, round, verdict, why, again }) =>
              `${escapeLine(title(seat))}, round ${round}${again ? ', looking again' : ''}: ${verdict ?? escapeLine(why ?? 'no verdict')}`,
          ),
      ),
    ),
    makeSection(
      'Joins',
      list(
        team.joins
          .filter(({ of }) => of === id || of === 'all')
          .map(({ of, round, commit, conflicts }) =>
            escapeLine(
              `${of === 'all' ? 'All' : of}, round ${round}: ${conflicts.length > 0 ? `both sides changed ${conflicts.join(', ')}` : shortCommit(commit ?? 'nothing')}`,
            ),
          ),
      ),
    ),
    makeSection(
      'Checks after joins',
      tableOf(teamed, ({ kind, workstream }) => kind === 'joined' && (workstream ?? id) === id),
    ),
    makeSection(
      'Escalations',
      list(
        team.escalations
          .filter(({ workstream }) => workstream === id)
          .map(({ from, to, cause, why }) => escapeLine(formatEscalation(from, to, cause, why))),
      ),
    ),
  ];
}

function testsBlocks(id: string, teamed: TeamDisplay): Block[] {
  const { team } = teamed;
  return team.tests
    .filter(({ workstream }) => workstream === id)
    .flatMap(({ tests, untestable, why, commit }) => [
      'Written by a verifier who has not seen an implementation, and locked for T4. They must fail on the base three times out of three, or they prove nothing.',
      why === undefined ? '' : `There are none: ${escapeLine(why)}`,
      commit === undefined ? '' : `Commit ${shortCommit(commit)}.`,
      list(
        tests.map(({ requirement, path, shows, state }) => {
          const how = { red: 'red on the base', vacuous: 'vacuous', 'not-run': 'not run' };
          return `**${escapeLine(requirement)}** ${how[state]}: ${escapeLine(shows)} (${escapeLine(path)})`;
        }),
      ),
      makeSection(
        'Not to be tested',
        list(untestable.map((entry) => escapeLine(`${entry.requirement}: ${entry.why}`))),
      ),
      makeSection(
        'On the base',
        tableOf(teamed, ({ kind, workstream }) => kind === 'red-before' && workstream === id),
      ),
    ]);
}

function verifierBlocks(id: string, seat: string, { team }: TeamDisplay): Block[] {
  const given = team.verdicts.filter(
    (verdict) => verdict.workstream === id && verdict.seat === seat,
  );
  if (given.length === 0) return ['No answer yet.'];
  return given
    .toReversed()
    .map((verdict) =>
      makeSection(
        `Round ${verdict.round}${verdict.again ? ', looking again' : ''}`,
        `**${verdict.verdict === undefined ? `No verdict: ${escapeLine(verdict.why ?? 'unknown')}` : `Says: ${verdict.verdict}`}** on ${shortCommit(verdict.commit)}${verdict.cause === 'none' ? '' : `, by its ${verdict.cause}`}.`,
        list(
          verdict.items.map(
            (item) =>
              `**${escapeLine(item.requirement)}** ${MET[item.met]}: ${escapeLine(item.why)} ${formatQuotedPlace(item)}`,
          ),
        ),
        list(
          verdict.defects.map(
            (defect) =>
              `Defect in ${escapeLine(defect.task)}: ${escapeLine(defect.why)} ${formatQuotedPlace(defect)}`,
          ),
        ),
        ...(verdict.probe === undefined
          ? []
          : [
              `Its probe ${PROBED[verdict.probe.state]}: ${escapeLine(verdict.probe.shows)} (${escapeLine(verdict.probe.path)})`,
              formatCodeBlock(verdict.probe.text),
            ]),
      ),
    );
}

const MET = { yes: 'is met', no: 'is not met', unclear: 'is unclear' } as const;
const PROBED = { passed: 'passes', failed: 'fails', 'not-run': 'was not run' } as const;

/** Returns T1's decisions about the work, the latest first. */
export function acceptanceSections({ team }: TeamDisplay): Section[] {
  return team.accepted.toReversed().map(({ commit, acceptance, refused, why }, index, all) => {
    const rejected = acceptance?.reject;
    const said =
      acceptance === undefined
        ? `No answer${why === undefined ? '' : `: ${escapeLine(why)}`}.`
        : `T1 says: ${acceptance.decision}, on ${shortCommit(commit)}.`;
    return makeSection(
      all.length === 1 ? 'Acceptance' : `Acceptance ${all.length - index} of ${all.length}`,
      `**${said}**`,
      list(refused.map((reason) => `Refused by code: ${escapeLine(reason)}`)),
      rejected
        ? `Back to ${rejected.tier} of ${escapeLine(rejected.workstream)} (${escapeLine(rejected.tasks.join(', '))}): ${escapeLine(rejected.reason)}`
        : '',
      list(
        (acceptance?.beyond_goal ?? []).map(
          ({ path, what }) => `Beyond the goal: ${escapeLine(path)}: ${escapeLine(what)}`,
        ),
      ),
    );
  });
}
