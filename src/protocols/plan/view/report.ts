/** What a report says of a plan: whether it can be relied on, the plan, and how it came to it. */
import type { RunView } from '../../../kernel/view.ts';
import { table, words } from '../../../plain/markdown.ts';
import { absence, titleOf } from '../../../plain/naming.ts';
import { callGaps, type Recorded, type ReportParts } from '../../../plain/protocol-text.ts';
import { synthesisGaps, synthesisSections } from '../../../plain/syntheses.ts';
import { list } from '../../../text/markdown/blocks.ts';
import { formatTokens } from '../../../text/numbers.ts';
import { notHeardIn, planOf } from '../fold.ts';
import { live } from '../rules/statements.ts';
import { conflictText } from './conflict-text.ts';
import { CONTEXT_GATE_LINE, tokensOf } from './context-gate-text.ts';
import { questionBrief, staffingText } from './context-text.ts';
import { knownOf, type Planned, plannedOf } from './planned.ts';
import { controlLines, endingOf, KIND_WORDS, kindWords, MEMBERS, stateWords } from './wording.ts';

export function planReport({ facts, view }: Recorded): ReportParts {
  const planned = plannedOf(view, planOf(facts));
  return {
    lead: leadOf(planned),
    sections: [
      ...(view.syntheses.length === 0
        ? ['## Plan', 'There is none.', ...statementsPart(planned)]
        : synthesisSections(view.syntheses, view, 2, () => ({}), MEMBERS)),
      ...filesPart(planned),
      ...conflictsPart(planned),
      ...gatePart(planned),
      ...contextPart(planned),
    ],
    missing: gapsIn(planned, view),
  };
}

/** What a reader would otherwise take to be there, a sentence each. */
export function gapsIn(planned: Planned, view: RunView): string[] {
  const { plan } = planned;
  return [
    ...notHeardIn(plan).map(
      ({ role, why }) => `${words(titleOf(role, view))} was not heard: ${words(why)}.`,
    ),
    ...(plan.written?.state === 'unexamined'
      ? ['No search for conflicts in the statements as they stand passed a control.']
      : []),
    ...(plan.examined.some(({ isAlone }) => isAlone === true)
      ? ['One model played every seat and looked for conflicts in what it said itself.']
      : []),
    ...(plan.written?.spec.forgotten ?? []).map(
      (id) => `The plan omits ${words(id)} without a reason.`,
    ),
    ...plan.lookedUp.flatMap((one) => {
      const known = knownOf(one, plan);
      const who = words(planned.title(one.seat));
      if (known === 'not known') return [`${who} did not learn: ${words(one.question)}`];
      return known === 'partly known'
        ? [
            `${who} learned only a part of: ${words(one.question)} Missing: ${words(one.missing ?? '')}`,
          ]
        : [];
    }),
    // A seat that failed and answered when it was asked again is not missing.
    ...Object.values(view.calls).flatMap((call) =>
      call.state === 'running' || call.state === 'lost'
        ? callGaps(words(call.step), absence(call))
        : [],
    ),
    ...synthesisGaps(view.syntheses.at(-1), view),
  ];
}

/** Whether it can be relied on, and its first decision. */
function leadOf(planned: Planned): string[] {
  const [first] = planned.plan.written?.spec.decisions ?? [];
  return [
    `**${words(stateWords(planned))}**`,
    ...(first === undefined ? [] : [`First decision: ${words(first.text)}`]),
  ];
}

/** Of a run that came to no plan: what there would have been to make it of. */
function statementsPart({ plan, title }: Planned): string[] {
  const statements = live(plan.statements);
  return statements.length === 0
    ? []
    : [
        '## Statements',
        list(
          statements.map(
            (one) =>
              `**${words(one.id)}**, ${words(title(one.role))}, ${kindWords(one)}: ${words(one.text)}`,
          ),
        ),
      ];
}

function filesPart({ plan: { files } }: Planned): string[] {
  if (files.size === 0) return [];
  return [
    '## Files',
    'Written into the repository, with the SHA-256 of their content.',
    table(
      ['file', 'written', 'SHA-256'],
      [...files].map(([path, { sha256, at }]) => [words(path), at, sha256.slice(0, 12)]),
    ),
  ];
}

function conflictsPart(planned: Planned): string[] {
  const { plan } = planned;
  if (plan.examined.length === 0) return ['## Conflicts', 'No search for conflicts.'];
  return [
    '## Conflicts',
    'Each is a question whose options are statements. Models that look for conflicts must also find one planted by the program, the control.',
    list(controlLines(plan.examined).map(words)),
    ...(plan.conflicts.length === 0
      ? ['No conflicts found.']
      : [
          table(
            ['id', 'question', 'kind', 'ended'],
            plan.conflicts.map((one) => [
              words(one.id),
              words(one.question),
              KIND_WORDS[one.kind],
              words(endingOf(one, planned).brief),
            ]),
          ),
          ...plan.conflicts.flatMap((one) => [
            `### ${words(`${one.id}: ${one.question}`)}`,
            conflictText(one, planned, { beside: one.options.length < 4, level: 4, looks: false }),
          ]),
        ]),
  ];
}

export function gatePart({ plan, title }: Planned): string[] {
  if (plan.gated.length === 0) return [];
  return [
    '## Gate',
    CONTEXT_GATE_LINE,
    table(
      ['seat', '>round', '>pieces', '>tokens', '>withheld', '>cut', '>not known'],
      plan.gated.map(({ seat, round, shown, withheld, cut, notKnown }) => [
        words(title(seat)),
        String(round),
        String(shown.length),
        formatTokens(tokensOf(shown), true),
        ...[withheld, cut, notKnown].map(({ length }) => String(length)),
      ]),
    ),
  ];
}

export function contextPart(planned: Planned): string[] {
  const { plan, title } = planned;
  if (plan.staffed === undefined) return [];
  return [
    '## Context',
    staffingText(planned, 3),
    ...(plan.lookedUp.length === 0
      ? []
      : [
          '### What they had to know first',
          table(
            ['seat', 'question', 'answer'],
            plan.lookedUp.map((one) => [
              words(title(one.seat)),
              words(one.question),
              words(questionBrief(one, plan)),
            ]),
          ),
        ]),
  ];
}
