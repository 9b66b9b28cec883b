/**
 * The cards of the tab Claims: everything known about one claim, verification, decision, artifact
 * or call, with links to related records. A card is a list of lines.
 */

import type { RunModel } from '../../../console/model/run-model.ts';
import type { Copyable } from '../../../console/run/copyable.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { formatHint } from '../../../kernel/hints.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { joinLines } from '../../../text/line.ts';
import { formatMs, formatTokens, formatUsd } from '../../../text/numbers.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { DecisionView, RoundView, VerificationView } from '../claims/rounds-view.ts';
import type { RefusedEntry } from '../records/types.ts';
import { getAllRefusals, getRecordsAndState, getRefusalsAbout, getRoundsState } from './part.ts';
import { formatReadingNotes } from './reading-notes.ts';
import { formatRefusal } from './refusals.ts';
import { CHECKS_OF_PHASE_F } from './rounds-rail.ts';
import {
  CHECK_NAMES,
  DECISION_WORDS,
  formatQuotation,
  formatResult,
  formatStanding,
  formatStatusChange,
  MADE_BY,
} from './wording.ts';

/** A reference to a record that a card (a page of details) can show. */
export interface Ref {
  readonly kind: 'claim' | 'verification' | 'decision' | 'artifact' | 'call' | 'refusals';
  /** The record's id; of an artifact its path, of a call the key of its step. */
  readonly id: string;
}

/** The reference to the card (page of details) that lists all refused entries. */
export const REFUSALS: Ref = { kind: 'refusals', id: 'not taken' };

/** A line of a card. A line with `to` is a link to another record. */
export interface CardLine {
  readonly text: string;
  /** How the line is drawn. */
  readonly look: 'title' | 'section' | 'plain' | 'dim' | 'link';
  readonly to?: Ref;
}

/** The most characters of a text that a card shows. The export has the whole text. */
const LONGEST = 20_000;

class Card {
  readonly lines: CardLine[] = [];
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  say(text: string, look: CardLine['look'] = 'plain'): this {
    for (const line of wrapPlain(text.slice(0, LONGEST), this.#width))
      this.lines.push({ text: line, look });
    return this;
  }

  link(kind: Ref['kind'], id: string, words: string): this {
    const text = [id, joinLines(words)].filter((part) => part !== '').join('  ');
    this.lines.push({ text, look: 'link', to: { kind, id } });
    return this;
  }

  /** Adds a section with a heading. The heading is left out if `fill` adds no lines. */
  section(title: string, fill: (card: this) => void): this {
    const before = this.lines.length;
    fill(this);
    if (this.lines.length > before)
      this.lines.splice(before, 0, { text: '', look: 'plain' }, { text: title, look: 'section' });
    return this;
  }
}

/**
 * Returns the lines of a card (the details of a record), wrapped to `width` cells. Links are not
 * wrapped. If the record does not exist, a single line says so.
 */
export function formatCard({ kind, id }: Ref, runModel: RunModel, width: number): CardLine[] {
  const card = new Card(width);
  switch (kind) {
    case 'claim':
      claimCard(card, id, runModel);
      break;
    case 'verification':
      verificationCard(card, id, runModel);
      break;
    case 'decision':
      decisionCard(card, id, runModel);
      break;
    case 'artifact':
      artifactCard(card, id, runModel);
      break;
    case 'call':
      callCard(card, id, runModel);
      break;
    case 'refusals':
      card.say('Rejected', 'title');
      sayRefusals(card, getAllRefusals(runModel), runModel);
      break;
  }
  if (card.lines.length === 0) card.say(`${id} is not in the record.`, 'dim');
  return card.lines;
}

/**
 * Returns the text of a record for the clipboard, without the links to other records. Returns
 * undefined if the record has no text.
 */
export function getCopyableRecord({ kind, id }: Ref, runModel: RunModel): Copyable | undefined {
  const markdown = wordsOf({ kind, id }, runModel);
  if (markdown === undefined || markdown.trim() === '') return undefined;
  return { name: id, title: `${KINDS[kind]} ${id}`, markdown };
}

const KINDS: Readonly<Record<Ref['kind'], string>> = {
  claim: 'Claim',
  verification: 'Verification',
  decision: 'Decision',
  artifact: 'Artifact',
  call: 'Call',
  refusals: 'What was',
};

function wordsOf({ kind, id }: Ref, runModel: RunModel): string | undefined {
  switch (kind) {
    case 'claim': {
      const claim = entryOf(getRoundsState(runModel).claims, id);
      return claim && `${claim.text}\n\nTest: ${claim.testable_as}`;
    }
    case 'verification': {
      const check = getVerifications(runModel).find((verification) => verification.id === id);
      return check && [check.notes, ...check.evidence_refs.map((ref) => `- ${ref}`)].join('\n');
    }
    case 'decision':
      return getDecisions(runModel).find((decision) => decision.id === id)?.text;
    case 'artifact':
      return getArtifacts(runModel).find(({ path }) => path === id)?.markdown;
    case 'call':
      return entryOf(runModel.view.calls, id) && runModel.said(id);
    case 'refusals':
      return getAllRefusals(runModel)
        .map((refusal) => `- ${joinLines(formatRefusal(refusal, runModel.nameOf(refusal.by)))}`)
        .join('\n');
  }
}

function claimCard(card: Card, id: string, runModel: RunModel): void {
  const claim = entryOf(getRoundsState(runModel).claims, id);
  if (claim === undefined) return;
  const { supersedes, raised_at_artifact: artifact } = claim;
  const { claims } = getRecordsAndState(runModel).state;
  const claimState = claims.find((other) => other.claim.id === id);
  card.say(
    `Claim ${id} · ${claimState === undefined ? '' : formatStanding(claimState)} · raised by the ${runModel.nameOf(claim.raised_by)} in round ${claim.round}`,
    'title',
  );
  card.say(claim.text).say(`Test: ${claim.testable_as}`, 'dim');
  if (claim.if_false !== undefined) card.say(`If it is false: ${claim.if_false}`, 'dim');
  if (claimState?.isFact)
    card.say('Settled at first reading and undisputed, so the signals ignore it.');
  if (claimState?.awaits)
    card.say(
      formatHint(
        `Waits for a test: deliberate test ${shortId(runModel.view.id)} ${id} --command "…"`,
      ),
    );
  card.section('What the text says', () => {
    for (const quote of claimState?.quotes ?? []) card.say(formatQuotation(quote));
    if (claimState?.basis === 'read' && claimState.quotes.length > 0 && claimState.why)
      card.say(claimState.why, 'dim');
    if (claimState !== undefined)
      for (const note of formatReadingNotes(claimState, claim, getRoundsState(runModel).sources))
        card.say(note);
  });
  card.section('Denied by', () => {
    for (const other of claimState?.challengers ?? [])
      card.link('claim', other, textOf(other, runModel));
  });
  card.section('It denies', () => {
    if (claim.challenges !== undefined)
      card.link('claim', claim.challenges, textOf(claim.challenges, runModel));
  });
  card.section('What rests on it', () => {
    for (const decision of claimState?.reliedOn ?? [])
      card.link('decision', decision, textOf(decision, runModel));
  });
  card.section('Comes from', () => {
    if (artifact !== undefined) card.link('artifact', artifact, '');
    card.link('call', claim.step, '');
    if (supersedes !== undefined)
      card.link(
        'claim',
        supersedes,
        `superseded: ${entryOf(getRoundsState(runModel).claims, supersedes)?.text ?? ''}`,
      );
  });
  card.section('Its wording was changed', () => {
    for (const { was } of claim.edits ?? []) card.say(`  it was: ${joinLines(was)}`, 'dim');
  });
  card.section('What moved it', () => {
    for (const move of claim.moves) {
      const step = formatStatusChange(move);
      const how = [move.stance, move.bearing === undefined ? '' : `on the ${move.bearing}`]
        .filter((word) => word)
        .join(', ');
      const check = getVerifications(runModel).find(
        (verification) => verification.id === move.verification,
      );
      const result = check === undefined ? '' : `${formatResult(check)} · `;
      if (move.verification !== undefined)
        card.link('verification', move.verification, `${result}${step}${how ? ` · ${how}` : ''}`);
      if (move.superseded_by !== undefined) card.link('claim', move.superseded_by, step);
      card.say(`  ${joinLines(move.why)}`, 'dim');
      // A verification that is a reading or a withdrawal can decide many claims, and cites the places
      // for all of them. Show only the places that the status change itself cites.
      const ofAll = check !== undefined && CHECKS_OF_PHASE_F.has(check.check);
      for (const ref of move.refs ?? (ofAll ? [] : (check?.evidence_refs ?? [])))
        addEvidence(card, ref, runModel);
    }
  });
  card.section('Rejected', () => sayRefusals(card, getRefusalsAbout(id, runModel), runModel));
  citedBy(card, id, runModel, claimState?.reliedOn);
}

function sayRefusals(card: Card, refusals: readonly RefusedEntry[], runModel: RunModel): void {
  for (const refusal of refusals)
    card.say(joinLines(formatRefusal(refusal, runModel.nameOf(refusal.by))));
}

function verificationCard(card: Card, id: string, runModel: RunModel): void {
  const check = getVerifications(runModel).find((verification) => verification.id === id);
  if (check === undefined) return;
  card.say(
    [`Verification ${id}`, ...new Set([formatResult(check), CHECK_NAMES[check.check]])].join(' · '),
    'title',
  );
  card.say(check.notes);
  if (check.degraded !== undefined) card.say(`Could not stand: ${check.degraded}`, 'dim');
  card.section('Evidence', () => {
    for (const ref of check.evidence_refs) addEvidence(card, ref, runModel);
  });
  card.section('Comes from', () => {
    if (check.step !== undefined) card.link('call', check.step, '');
  });
  card.section('Claims it moved', () => {
    for (const move of getRoundsState(runModel)
      .rounds.flatMap(({ moves }) => moves)
      .filter(({ verification }) => verification === id))
      card.link(
        'claim',
        move.claim,
        `${formatStatusChange(move)} · ${textOf(move.claim, runModel)}`,
      );
  });
  card.section('Rejected', () => sayRefusals(card, getRefusalsAbout(id, runModel), runModel));
  citedBy(card, id, runModel);
}

function decisionCard(card: Card, id: string, runModel: RunModel): void {
  const decision = getDecisions(runModel).find((decision) => decision.id === id);
  if (decision === undefined) return;
  const now = getRecordsAndState(runModel).state.decisions.find(
    (decisionState) => decisionState.decision.id === id,
  );
  const standing = DECISION_WORDS[now?.standing ?? 'stands'];
  card.say(
    `Decision ${id} · ${standing} · round ${decision.round} · ${MADE_BY[decision.made_by]}`,
    'title',
  );
  card.say(decision.text);
  card.section('Its ground has fallen', () => {
    for (const { why } of now?.fallen ?? []) card.say(why);
  });
  card.section('It cites', () => {
    for (const { type, id: cited, relation, takes_as } of decision.cites)
      card.link(
        type,
        cited,
        `${relation.replace('-', ' ')}${takes_as === 'false' ? ', taken as false' : ''} · ${textOf(cited, runModel)}`,
      );
  });
  card.section('Comes from', () => {
    card.link('call', decision.step, '');
    for (const path of decision.round_artifact_refs) card.link('artifact', path, '');
  });
  citedBy(card, id, runModel);
}

function artifactCard(card: Card, path: string, runModel: RunModel): void {
  const artifact = getArtifacts(runModel).find((artifact) => artifact.path === path);
  if (artifact === undefined) return;
  card.say(`Artifact ${path} · by the ${runModel.nameOf(artifact.role)}`, 'title');
  card.section('Comes from', () => card.link('call', artifact.step, ''));
  card.section('Claims raised at it', () => {
    for (const { id, text, raised_at_artifact } of Object.values(getRoundsState(runModel).claims))
      if (raised_at_artifact === path) card.link('claim', id, text);
  });
  card.section('Verifications that cite it', () => {
    for (const verification of getVerifications(runModel)) {
      const cites = verification.evidence_refs.filter(
        (ref) => ref === path || ref.startsWith(`${path}#`),
      );
      if (cites.length > 0)
        card.link(
          'verification',
          verification.id,
          `${formatResult(verification)} · ${cites.join(', ')}`,
        );
    }
  });
  card.section('Text', () => card.say(artifact.markdown));
}

function callCard(card: Card, step: string, runModel: RunModel): void {
  const call = entryOf(runModel.view.calls, step);
  if (call === undefined) return;
  const { usage, costUsd } = call;
  card.say(`Call ${step} · ${call.state}`, 'title');
  card.say(
    [
      runModel.nameOf(call.seat),
      call.model,
      formatMs(call.latencyMs),
      `${formatTokens(usage.input, usage.estimated)} tok in, ${formatTokens(usage.output, usage.estimated)} out`,
      costUsd === undefined ? 'cost unknown' : formatUsd(costUsd, usage.estimated),
      `${call.attempts} ${call.attempts === 1 ? 'request' : 'requests'}`,
    ].join(' · '),
    'dim',
  );
  if (call.message !== undefined) card.say(call.message);
  card.section('Results', () => {
    for (const artifact of getArtifacts(runModel))
      if (artifact.step === step) card.link('artifact', artifact.path, '');
    for (const verification of getVerifications(runModel))
      if (verification.step === step)
        card.link('verification', verification.id, formatResult(verification));
    for (const claim of Object.values(getRoundsState(runModel).claims))
      if (claim.step === step) card.link('claim', claim.id, claim.text);
    for (const decision of getDecisions(runModel))
      if (decision.step === step) card.link('decision', decision.id, decision.text);
  });
  card.section('What was said', () => card.say(runModel.said(step)));
}

/** Adds a cited place, as a link if it is in an artifact. */
function addEvidence(card: Card, ref: string, runModel: RunModel): void {
  const path = ref.replace(/#.*$/s, '');
  if (getArtifacts(runModel).some((artifact) => artifact.path === path))
    card.link('artifact', path, ref.slice(path.length));
  else card.say(`  ${joinLines(ref)}`);
}

/** Adds links to the records that cite this one. `named` are those that the card shows already. */
function citedBy(card: Card, id: string, runModel: RunModel, named: readonly string[] = []): void {
  card.section('Decisions that cite it', () => {
    for (const decision of getDecisions(runModel)) {
      if (named.includes(decision.id)) continue;
      const relations = decision.cites
        .filter((cite) => cite.id === id)
        .map(({ relation }) => relation);
      if (relations.length > 0)
        card.link(
          'decision',
          decision.id,
          `${relations.join(', ').replaceAll('-', ' ')} · ${decision.text}`,
        );
    }
  });
}

function textOf(id: string, runModel: RunModel): string {
  const check = getVerifications(runModel).find((verification) => verification.id === id);
  if (check !== undefined) return `${formatResult(check)} · ${check.notes}`;
  const claim = getRecordsAndState(runModel).state.claims.find(
    (claimState) => claimState.claim.id === id,
  );
  if (claim !== undefined) return `${formatStanding(claim)} · ${claim.claim.text}`;
  return getDecisions(runModel).find((decision) => decision.id === id)?.text ?? '';
}

function getVerifications(runModel: RunModel): VerificationView[] {
  return getRoundsState(runModel).rounds.flatMap((round: RoundView) => round.verifications);
}

function getDecisions(runModel: RunModel): DecisionView[] {
  return getRoundsState(runModel).rounds.flatMap((round: RoundView) => round.decisions);
}

function getArtifacts(runModel: RunModel) {
  return getRoundsState(runModel).rounds.flatMap((round: RoundView) => round.artifacts);
}
