/** Opens what a row of the Team tab stands for. */
import type { ReadText } from '../../../console/run/tabs/page.ts';
import { words } from '../../../plain/markdown.ts';
import { line } from '../../../text/line.ts';
import { fenced, list, paragraphs } from '../../../text/markdown/blocks.ts';
import { designText, proposalText } from './design-text.ts';
import { type Teamed, workstreamOf } from './display-state.ts';
import { formatSurvey, planText } from './plan-text.ts';
import { checkTable, formatEscalation, formatQuotedPlace, taskText } from './task-text.ts';
import { formatDelivery } from './tiers/ending.ts';
import type { Subject } from './tiers/node.ts';
import { formatTaskState } from './tiers/workstream.ts';
import { formatPart, joinSentences, shortCommit } from './wording.ts';

/** Formats the page that a row of the Team tab opens. */
export function readSubject(subject: Subject, teamed: Teamed): ReadText {
  const { team, title } = teamed;
  switch (subject.kind) {
    case 'plan':
      return {
        name: 'plan',
        title: 'T1 · the plan',
        markdown: paragraphs([
          team.survey === undefined ? '' : words(formatSurvey(team.survey)),
          planText(team, 1),
          formatPart(
            '#',
            'Checks before the work',
            tableOf(teamed, ({ kind }) => kind === 'base'),
          ),
          amendmentsPart(teamed),
        ]),
      };
    case 'design':
      return {
        name: 'design',
        title: 'T2 · the design',
        markdown:
          team.designed === undefined ? 'There is no design yet.' : designText(team.designed, 1),
      };
    case 'domain':
      return {
        name: `domain-${subject.id}`,
        title: `T2 · ${line(subject.id)}`,
        markdown: proposalText(team.designed, subject.id),
      };
    case 'workstream':
      return {
        name: `workstream-${subject.id}`,
        title: `T3 · ${line(subject.id)}`,
        markdown: workstreamText(subject.id, teamed),
      };
    case 'tests':
      return {
        name: `tests-${subject.id}`,
        title: `T5 · tests written first for ${line(subject.id)}`,
        markdown: testsText(subject.id, teamed),
      };
    case 'task': {
      const one = team.tasks.find(({ task }) => task.id === subject.id);
      return {
        name: `task-${subject.id}`,
        title: `T4 · ${line(subject.id)}`,
        markdown: one === undefined ? 'This task is no longer in the plan.' : taskText(one, teamed),
      };
    }
    case 'verifier':
      return {
        name: `verdict-${subject.id}-${subject.seat}`,
        title: `${title(subject.seat)} on ${line(subject.id)}`,
        markdown: verifierText(subject.id, subject.seat, teamed),
      };
    case 'acceptance':
      return {
        name: 'acceptance',
        title: 'T1 · acceptance',
        markdown: acceptanceText(teamed) || 'T1 has not been asked yet.',
      };
    case 'delivery':
      return {
        name: 'delivery',
        title: 'Brought home',
        markdown: `${words(formatDelivery(team.delivered))}.`,
      };
  }
}

function tableOf(
  { team }: Teamed,
  wanted: (one: Teamed['team']['checks'][number]) => boolean,
): string {
  const checks = team.checks.filter(wanted);
  return checks.length === 0 ? '' : checkTable(checks);
}

function amendmentsPart({ team }: Teamed): string {
  return formatPart(
    '#',
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

function workstreamText(id: string, teamed: Teamed): string {
  const { team, title } = teamed;
  const one = workstreamOf(team, id);
  const joint = team.joint.filter(({ workstream }) => workstream === id);
  return paragraphs([
    one === undefined ? '' : `${words(one.goal)}`,
    one === undefined
      ? ''
      : `Path ${one.path}; for ${words(one.covers.join(', ')) || 'no requirement'}.`,
    formatPart(
      '#',
      'Tasks',
      list(
        team.tasks
          .filter(({ task }) => task.workstream === id)
          .map((each) =>
            words(`${each.task.id}: ${each.task.title} (${formatTaskState(each, teamed)})`),
          ),
      ),
    ),
    formatPart(
      '#',
      'Ordered by code because both hold a file',
      list(
        (team.graphed?.ordered ?? []).map(({ before, after, file }) =>
          words(`${before}, then ${after}: ${file}`),
        ),
      ),
    ),
    formatPart(
      '#',
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
    formatPart(
      '#',
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
    formatPart(
      '#',
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
    formatPart(
      '#',
      'Checks after joins',
      tableOf(teamed, ({ kind, workstream }) => kind === 'joined' && (workstream ?? id) === id),
    ),
    formatPart(
      '#',
      'Escalations',
      list(
        team.escalations
          .filter(({ workstream }) => workstream === id)
          .map(({ from, to, cause, why }) => words(formatEscalation(from, to, cause, why))),
      ),
    ),
  ]);
}

function testsText(id: string, teamed: Teamed): string {
  const { team } = teamed;
  return paragraphs(
    team.tests
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
        formatPart(
          '#',
          'Not to be tested',
          list(untestable.map((one) => words(`${one.requirement}: ${one.why}`))),
        ),
        formatPart(
          '#',
          'On the base',
          tableOf(teamed, ({ kind, workstream }) => kind === 'red-before' && workstream === id),
        ),
      ]),
  );
}

function verifierText(id: string, seat: string, { team }: Teamed): string {
  const given = team.verdicts.filter((one) => one.workstream === id && one.seat === seat);
  if (given.length === 0) return 'No answer yet.';
  return paragraphs(
    given
      .toReversed()
      .map((one) =>
        formatPart(
          '#',
          `Round ${one.round}${one.again ? ', looking again' : ''}`,
          `**${one.verdict === undefined ? `No verdict: ${words(one.why ?? 'unknown')}` : `Says: ${one.verdict}`}** on ${shortCommit(one.commit)}${one.cause === 'none' ? '' : `, by its ${one.cause}`}.`,
          list(
            one.items.map(
              (item) =>
                `**${words(item.requirement)}** ${MET[item.met]}: ${words(item.why)} ${formatQuotedPlace(item)}`,
            ),
          ),
          list(
            one.defects.map(
              (defect) =>
                `Defect in ${words(defect.task)}: ${words(defect.why)} ${formatQuotedPlace(defect)}`,
            ),
          ),
          ...(one.probe === undefined
            ? []
            : [
                `Its probe ${PROBED[one.probe.state]}: ${words(one.probe.shows)} (${words(one.probe.path)})`,
                fenced(one.probe.text),
              ]),
        ),
      ),
  );
}

const MET = { yes: 'is met', no: 'is not met', unclear: 'is unclear' } as const;
const PROBED = { passed: 'passes', failed: 'fails', 'not-run': 'was not run' } as const;

/**
 * Formats the decisions to accept or reject the work, the latest first.
 * @param level the level of the headings
 */
export function acceptanceText({ team }: Teamed, level = 1): string {
  return paragraphs(
    team.accepted.toReversed().map(({ commit, acceptance, refused, why }, index, all) => {
      const rejected = acceptance?.reject;
      const said =
        acceptance === undefined
          ? `No answer${why === undefined ? '' : `: ${words(why)}`}.`
          : `T1 says: ${acceptance.decision}, on ${shortCommit(commit)}.`;
      return formatPart(
        '#'.repeat(level),
        all.length === 1 ? 'Acceptance' : `Acceptance ${all.length - index} of ${all.length}`,
        `**${said}**`,
        list(refused.map((one) => `Refused by code: ${words(one)}`)),
        rejected
          ? `Back to ${rejected.tier} of ${words(rejected.workstream)} (${words(rejected.tasks.join(', '))}): ${words(rejected.reason)}`
          : '',
        list(
          (acceptance?.beyond_goal ?? []).map(
            ({ path, what }) => `Beyond the goal: ${words(path)}: ${words(what)}`,
          ),
        ),
      );
    }),
  );
}
