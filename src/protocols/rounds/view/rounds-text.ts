/** The texts of the tab Rounds: of a round, a phase, an artifact or a check, as Markdown. */

import type { CallStream } from '../../../console/model/call-stream.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { IdExplainer } from '../../../plain/id-explainer.ts';
import { joinLines } from '../../../text/line.ts';
import { joinParagraphs, list } from '../../../text/markdown/blocks.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { FindingView, RoundView, VerificationView } from '../claims/rounds-view.ts';
import { ROLES } from '../records/types.ts';
import { ABSENCE_WORDS, deriveAbsence } from './absence.ts';
import { explainRunEnding, getQuotations, getRecordsAndState, getRoundsState } from './part.ts';
import { addPeriod, formatRefusal } from './refusals.ts';
import { CHECKS_OF_PHASE_F, type RailItem, type RoundPhase } from './rounds-rail.ts';
import { formatCaution, listRemarks, listWrongStatements } from './summary/doubts.ts';
import { describeRecords } from './summary/named.ts';
import { formatVoteSummary } from './votes.ts';
import {
  CHECK_NAMES,
  FINDING_WORDS,
  formatInlineCode,
  formatQuotation,
  formatResult,
  formatStatus,
  formatStatusChange,
  PHASE_NAMES,
} from './wording.ts';

/** Returns the heading above the text of an item of the tab Rounds, such as `Round 2 · C Supplements`. */
export function getHeading(item: RailItem, runModel: RunModel): string {
  switch (item.kind) {
    case 'round':
      return `Round ${item.round.round} · ${runModel.nameOf(item.round.lead)} leads`;
    case 'phase':
      return `Round ${item.round.round} · ${item.phase} ${PHASE_NAMES[item.phase]}`;
    case 'artifact':
      return `Round ${item.round.round} · artifact of the ${runModel.nameOf(item.artifact.role)}`;
    case 'check':
      return `${item.check.id} · ${CHECK_NAMES[item.check.check]}`;
    case 'synthesis':
      return `Synthesis v${item.synthesis.version}`;
  }
}

/**
 * Returns the text of an item of the tab Rounds as Markdown, for the clipboard. A synthesis is
 * returned as the model wrote it, without the remarks of `getShownText`.
 */
export function getItemText(item: RailItem, runModel: RunModel): string {
  switch (item.kind) {
    case 'round':
      return roundText(item.round, runModel);
    case 'phase':
      return phaseText(item.round, item.phase, runModel);
    case 'artifact':
      return item.artifact.markdown;
    case 'check':
      return checkText(item.check, item.round, runModel);
    case 'synthesis':
      return item.synthesis.stream.text.text;
  }
}

/** Returns what the running calls have written so far, or undefined if there are none. */
export function getStreamedText(
  calls: readonly CallStream[],
  runModel: RunModel,
): string | undefined {
  if (calls.length === 0) return undefined;
  return joinParagraphs(
    calls
      .filter(({ text }) => text.text.trim() !== '')
      .map(({ seat, text }) => `## ${runModel.nameOf(seat)}\n\n${text.text.trim()}`),
  );
}

/**
 * Returns the text of an item of the tab Rounds as Markdown, as it is shown. Code adds remarks to a
 * finished synthesis, such as why the run ended, the last vote, and what the synthesis says wrongly.
 */
export function getShownText(item: RailItem, runModel: RunModel): string {
  const text = getItemText(item, runModel);
  if (item.kind !== 'synthesis' || item.synthesis.done === undefined) return text;
  const { text: written, version } = item.synthesis.done;
  const quotations = getQuotations(runModel, version);
  const run = { ...getRecordsAndState(runModel), rounds: getRoundsState(runModel) };
  const caution = formatCaution(listWrongStatements(written, quotations, run));
  const remarks = listRemarks(written, quotations, run);
  const vote = formatVoteSummary(getRoundsState(runModel), (seat) => runModel.nameOf(seat));
  return joinParagraphs([
    `*${joinLines(explainRunEnding(runModel))}*`,
    ...(vote === undefined ? [] : [`*${vote}*`]),
    ...(caution === undefined ? [] : [`**${joinLines(caution)}**`]),
    text,
    ...(remarks.length === 0 ? [] : ['---', ...remarks.map((remark) => `*${remark}.*`)]),
  ]);
}

function roundText(round: RoundView, runModel: RunModel): string {
  const { impact, verifications, raised, moves } = round;
  const verdicts = verifications.map(
    (verification) => `${verification.id} **${formatResult(verification)}**`,
  );
  return joinParagraphs([
    ...stressText(round, runModel),
    verdicts.length > 0 ? `Verdicts: ${verdicts.join(' · ')}` : '',
    raised.length + moves.length > 0
      ? `${formatCount(raised.length, 'claim')} raised; ${new Set(moves.map(({ claim }) => claim)).size} changed status.`
      : '',
    ...decisionsText(round, runModel),
    impact === '' ? '' : `Impact: ${joinLines(impact)}`,
    driftText(round),
    round.suspicions.length > 0
      ? `## Suspected\n\n${list(round.suspicions.map(({ id, name, why }) => `**${id} ${joinLines(name)}**: ${joinLines(why)}`))}`
      : '',
    runModel.isLive && !round.closed ? 'This round is in progress.' : '',
  ]);
}

function phaseText(round: RoundView, phase: RoundPhase, runModel: RunModel): string {
  const checked = round.verifications.filter(({ check }) => !CHECKS_OF_PHASE_F.has(check));
  switch (phase) {
    case 'A':
      return joinParagraphs([
        `The ${runModel.nameOf(round.lead)} leads this round.`,
        ...stressText(removeComparison(round), runModel),
        saidIn(round, phase, runModel),
      ]);
    case 'B':
    case 'C':
      return saidIn(round, phase, runModel) || notYet(round, phase, runModel);
    case 'D':
      return round.artifacts.length === 0
        ? notYet(round, phase, runModel)
        : round.artifacts.map(({ markdown }) => markdown).join('\n\n---\n\n');
    case 'E':
      return checked.length === 0
        ? notYet(round, phase, runModel)
        : joinParagraphs(
            checked.map(
              (check) =>
                `## ${check.id} ${CHECK_NAMES[check.check]}\n\n${checkText(check, round, runModel)}`,
            ),
          );
    case 'F':
      return round.raised.length + round.findings.length === 0
        ? notYet(round, phase, runModel)
        : claimsText(round, runModel);
    case 'G':
      return round.closed
        ? joinParagraphs([...decisionsText(round, runModel), ...stressText(round, runModel)])
        : notYet(round, phase, runModel);
    case 'H':
      return driftText(round) || notYet(round, phase, runModel);
  }
}

/** Returns a round without the comparison of the round with the prediction for an absent role. */
function removeComparison({ compared: _compared, ...round }: RoundView): RoundView {
  return round;
}

/** Returns the texts of the calls in a phase. The result is empty if there are no texts. */
function saidIn(round: RoundView, phase: RoundPhase, runModel: RunModel): string {
  const prefix = `round-${round.round}/${phase}/`;
  const said = Object.values(runModel.view.calls)
    .filter(({ step, text }) => step.startsWith(prefix) && text !== '')
    .map(({ seat, step }) => ({ seat, text: runModel.said(step) }))
    .filter(({ text }) => text.trim() !== '');
  // Show what the four roles wrote before what the verifier wrote.
  const ofRoles = (entry: { seat: string }): number =>
    ROLES.some((role) => role === entry.seat) ? 0 : 1;
  return joinParagraphs(
    said
      .toSorted((left, right) => ofRoles(left) - ofRoles(right))
      .map(({ seat, text }) => `## ${runModel.nameOf(seat)}\n\n${text}`),
  );
}

function checkText(check: VerificationView, round: RoundView, runModel: RunModel): string {
  const moved = getRoundsState(runModel)
    .rounds.flatMap(({ moves }) => moves)
    .filter(({ verification }) => verification === check.id);
  return joinParagraphs([
    CHECKS_OF_PHASE_F.has(check.check)
      ? ''
      : `**${formatResult(check)}**${check.result === 'NOT_APPLICABLE' && round.absent ? ` in a round without the ${runModel.nameOf(round.absent)}` : ''}`,
    check.notes,
    check.evidence_refs.length > 0
      ? `Evidence\n\n${list(check.evidence_refs.map(formatInlineCode))}`
      : '',
    moved.length > 0
      ? `Changed status\n\n${list(moved.map(({ claim, from, to, basis }) => `${claim}: ${formatStatusChange({ from, to, basis })}`))}`
      : '',
  ]);
}

function claimsText(round: RoundView, runModel: RunModel): string {
  return joinParagraphs([
    list(
      round.raised.flatMap((id) => {
        const claim = entryOf(getRoundsState(runModel).claims, id);
        if (claim === undefined) return [];
        return [
          `**${id}** ${runModel.nameOf(claim.raised_by)}, ${formatStatus(claim.status, claim.moves.at(-1)?.basis)}: ${joinLines(claim.text)}`,
        ];
      }),
    ),
    round.moves.length > 0
      ? `## Changed status\n\n${list(round.moves.map((move) => `${move.claim}: ${formatStatusChange(move)}. ${joinLines(move.why)}`))}`
      : '',
    ...findingsText(round, runModel),
  ]);
}

/** Formats the reader's findings and the refused entries. */
function findingsText({ findings, refusals }: RoundView, runModel: RunModel): string[] {
  return [
    findings.length > 0 ? `## Read in the text\n\n${list(findings.map(findingText))}` : '',
    refusals.length > 0
      ? `## Rejected\n\n${list(refusals.map((refusal) => joinLines(formatRefusal(refusal, runModel.nameOf(refusal.by)))))}`
      : '',
  ];
}

function findingText({ claim, finding, quotes, counts, why }: FindingView): string {
  const words = quotes.map((quote) => joinLines(formatQuotation(quote)));
  const weight =
    counts || finding === 'needs_a_test' || finding === 'partly' ? '' : ', which does not count';
  return `**${claim}** ${FINDING_WORDS[finding]}${weight}. ${[...words, joinLines(why)].filter((part) => part !== '').join('; ')}`;
}

function decisionsText({ decisions, refused, tensions }: RoundView, runModel: RunModel): string[] {
  const run = { ...getRecordsAndState(runModel), rounds: getRoundsState(runModel) };
  const named = new IdExplainer(describeRecords(run, CITED));
  const formatGrounds = (cites: readonly { readonly id: string }[]): string =>
    cites.map(({ id }) => joinLines(named.explain(id))).join('; ') || 'nothing';
  return [
    decisions.length > 0
      ? `## Decisions\n\n${list(decisions.map(({ id, text, cites }) => `**${id}** ${addPeriod(joinLines(text))} Cites ${formatGrounds(cites)}.`))}`
      : '',
    refused.length > 0
      ? `## Rejected\n\n${list(refused.map(({ text, why }) => `${joinLines(text)}: ${joinLines(why)}`))}`
      : '',
    tensions.length > 0 ? `## Open tensions\n\n${list(tensions.map(joinLines))}` : '',
  ];
}

/** The most characters of a decision's ground, enough to recognize it. */
const CITED = 40;

/** Formats the prediction for a stress round, and what happened. */
function stressText({ absent, predicted = [], compared }: RoundView, runModel: RunModel): string[] {
  if (absent === undefined) return [];
  const heading = `## Stress: without the ${runModel.nameOf(absent)}`;
  if (compared === undefined)
    return [
      predicted.length === 0
        ? heading
        : `${heading}\n\nPredicted, before the round:\n\n${list(predicted.map(joinLines))}`,
    ];
  const seen = compared.observed.map(
    ({ prediction, happened, where }) =>
      `${joinLines(prediction)}: **${happened}**${where === '' ? '' : `, ${joinLines(where)}`}`,
  );
  const shown = deriveAbsence(compared, predicted);
  const words = ABSENCE_WORDS[shown];
  const verdict = shown === 'decorative' ? `**${words}**` : words;
  return [
    `${heading}\n\nPredicted and seen:\n\n${list(seen)}\n\n${verdict} ${joinLines(compared.notes)}`,
  ];
}

function driftText({ drift }: RoundView): string {
  return drift === undefined
    ? ''
    : `## Drift check: ${drift.verdict}\n\n${drift.deviation_score} of 5 away from the question (1 is on it). ${joinLines(drift.notes)}`;
}

function notYet(round: RoundView, phase: RoundPhase, runModel: RunModel): string {
  const over =
    round.signals !== undefined ||
    round !== getRoundsState(runModel).rounds.at(-1) ||
    !runModel.isLive;
  if (over) return 'Nothing recorded.';
  if (round.phase !== phase) return 'Not yet.';
  return runModel.paused ? 'Paused.' : 'In progress.';
}
