/** What the HTML report says of a plan: whether it can be relied on, the plan, and how it came to it. */

import type { Answer, PageBuilder, Row, Section } from '../../../html-report/parts.ts';
import { sectionsOf } from '../../../html-report/sections.ts';
import type { RunView } from '../../../kernel/view.ts';
import { titleOf } from '../../../plain/naming.ts';
import { synthesisSections } from '../../../plain/syntheses.ts';
import { notHeardIn, planOf } from '../fold.ts';
import {
  argumentOf,
  decisionId,
  endingTone,
  statementTone,
  statementWords,
  taskId,
} from './argument.ts';
import { conflictText, restWords } from './conflict-text.ts';
import { type Planned, plannedOf } from './planned.ts';
import { contextPart, gapsIn, gatePart } from './report.ts';
import { controlLines, endingOf, KIND_WORDS, kindWords, MEMBERS, stateWords } from './wording.ts';

export const page: PageBuilder = ({ facts, view }) => {
  const planned = plannedOf(view, planOf(facts));
  const graph = argumentOf(planned);
  return {
    answers: [answerOf(planned, view)],
    sections: [
      ...planSection(view),
      ...dissentSection(planned, view),
      ...(graph === undefined
        ? []
        : [{ title: 'The argument', blocks: [{ kind: 'graph', graph } as const] }]),
      ...questionSection(planned),
      ...carriedSection(planned),
      ...statementSection(planned),
      ...sectionsOf([...gatePart(planned), ...contextPart(planned)]),
    ],
    missing: gapsIn(planned, view),
  };
};

function answerOf(planned: Planned, view: RunView): Answer {
  const { plan } = planned;
  const [first] = plan.written?.spec.decisions ?? [];
  const called = plan.staffed?.seats.length ?? 0;
  const silent = notHeardIn(plan);
  return {
    title: first === undefined ? 'Plan' : 'First decision',
    text: first?.text,
    heard: [
      `${called - silent.length} of ${called} ${MEMBERS}.`,
      ...silent.map(({ role, why }) => `Without ${titleOf(role, view)}: ${why}.`),
      ...(plan.written?.state === 'unexamined' ? [] : [stateWords(planned)]),
    ],
    warnings: plan.written?.state === 'unexamined' ? [stateWords(planned)] : [],
  };
}

function planSection(view: RunView): Section[] {
  return view.syntheses
    .toReversed()
    .slice(0, 1)
    .map((one) => {
      const [, ...text] = synthesisSections([one], view, 2, () => ({}), MEMBERS);
      return { title: 'Plan', blocks: [{ kind: 'markdown', text: text.join('\n\n') }] };
    });
}

/** What no agreement was found on. */
function dissentSection(planned: Planned, view: RunView): Section[] {
  const { plan, undecided } = planned;
  const rows = plan.conflicts.flatMap((one): Row[] => {
    const ending = endingOf(one, planned);
    const accepts = undecided.find(({ conflict }) => conflict === one.id)?.accepts ?? {};
    const sides = Object.entries(accepts).map(
      ([role, options]) => `${titleOf(role, view)} accepts ${options.join(', ') || 'nothing'}`,
    );
    const isOpen = ending.state === 'open' || ending.state === 'waits';
    const parted =
      new Set(Object.values(accepts).map((options) => [...options].sort().join())).size > 1;
    return isOpen || parted
      ? [
          {
            cells: [
              one.id,
              { text: one.question, below: sides },
              { text: ending.brief, tone: endingTone(ending) },
            ],
          },
        ]
      : [];
  });
  if (rows.length === 0) return [];
  const about = 'Questions on which the seats disagreed.';
  return [
    {
      title: 'Dissent',
      blocks: [{ kind: 'table', table: { about, head: ['question', 'text', 'ended'], rows } }],
    },
  ];
}

function questionSection(planned: Planned): Section[] {
  const { plan } = planned;
  if (plan.examined.length === 0) return [];
  const rows = plan.conflicts.map((one): Row => {
    const ending = endingOf(one, planned);
    return {
      anchor: one.id,
      cells: [
        one.id,
        { text: one.question, below: [one.why] },
        KIND_WORDS[one.kind],
        { text: one.options.join(', '), below: restWords(one) },
        { text: ending.brief, tone: endingTone(ending), below: [ending.words] },
      ],
    };
  });
  const about = `Models that look for conflicts must also find one planted by the program, the control. ${controlLines(plan.examined).join(' ')}`;
  const head = ['question', 'text', 'kind', 'options', 'ended'];
  return [
    {
      title: 'Questions',
      blocks: [
        { kind: 'table', table: { about, head, rows } },
        ...plan.conflicts.map((one) => ({
          kind: 'folded' as const,
          title: `${one.id} in full`,
          blocks: [
            {
              kind: 'markdown' as const,
              text: conflictText(one, planned, {
                beside: one.options.length < 4,
                level: 3,
                looks: false,
              }),
            },
          ],
        })),
      ],
    },
  ];
}

/** What the plan decides and has done, with what it carries. */
function carriedSection({ plan }: Planned): Section[] {
  const { decisions = [], tasks = [] } = plan.written?.spec ?? {};
  const rows = [
    ...decisions.map(({ text, from }, at): Row => {
      const id = decisionId(at);
      return { anchor: id, cells: [id, text, from.join(', ')] };
    }),
    ...tasks.map(({ title, from, test, doneWhen }, at): Row => {
      const id = taskId(at);
      const below = [`Test: ${test}`, `Done when: ${doneWhen}`];
      return { anchor: id, cells: [id, { text: title, below }, from.join(', ')] };
    }),
  ];
  if (rows.length === 0) return [];
  const about = 'Each decision and task, with its statements.';
  return [
    {
      title: 'Decisions and tasks',
      blocks: [{ kind: 'table', table: { about, head: ['entry', 'text', 'carries'], rows } }],
    },
  ];
}

function statementSection({ plan, title }: Planned): Section[] {
  if (plan.statements.length === 0) return [];
  const rows = plan.statements.map((one): Row => {
    const { id, role, text, because = '', earlier, withdrawal } = one;
    return {
      anchor: id,
      cells: [
        id,
        title(role),
        kindWords(one),
        {
          text,
          below: [
            ...(because.trim() === '' ? [] : [`Ground: ${because}`]),
            ...earlier.map((before) => `Before round ${before.round}: ${before.text}`),
          ],
        },
        {
          text: statementWords(one),
          tone: statementTone(one),
          below: withdrawal === undefined ? [] : [withdrawal.why],
        },
      ],
    };
  });
  const about = 'Every statement, with its reason.';
  const head = ['statement', 'specialist', 'kind', 'text', 'status'];
  return [{ title: 'Statements', blocks: [{ kind: 'table', table: { about, head, rows } }] }];
}
