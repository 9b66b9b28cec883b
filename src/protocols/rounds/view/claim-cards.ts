/**
 * The cards of the Claims tab: what is known of one claim, verification, decision, artifact or call,
 * and every other that it leads to, in both directions. A card is lines; some of them are links.
 */

import type { RunModel } from '../../../console/model/run-model.ts';
import type { Passage } from '../../../console/run/passage.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { formatMs, formatTokens, formatUsd } from '../../../text/figures.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { DecisionView, RoundView, VerificationView } from '../fold.ts';
import type { Refusal } from '../records/types.ts';
import { refusalsIn, refusalsOf, roundsIn, standingIn } from './part.ts';
import { refusalWords } from './refusals.ts';
import {
  CHECK_NAMES,
  DECISION_WORDS,
  inline,
  moveWords,
  quotationWords,
  RESULT_WORDS,
  standingWords,
} from './wording.ts';

export interface Ref {
  readonly kind: 'claim' | 'verification' | 'decision' | 'artifact' | 'call' | 'refusals';
  readonly id: string;
}

/** Everything that was said and not taken. */
export const REFUSALS: Ref = { kind: 'refusals', id: 'not taken' };

export interface CardLine {
  readonly text: string;
  readonly look: 'title' | 'section' | 'plain' | 'dim' | 'link';
  readonly to?: Ref;
}

/** Of a long text, how much a card shows; the export has all of it. */
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
    const text = [id, inline(words)].filter((part) => part !== '').join('  ');
    this.lines.push({ text, look: 'link', to: { kind, id } });
    return this;
  }

  /** A heading over what is added by `fill`; nothing where that adds nothing. */
  section(title: string, fill: (card: this) => void): this {
    const before = this.lines.length;
    fill(this);
    if (this.lines.length > before)
      this.lines.splice(before, 0, { text: '', look: 'plain' }, { text: title, look: 'section' });
    return this;
  }
}

export function cardOf({ kind, id }: Ref, desk: RunModel, width: number): CardLine[] {
  const card = new Card(width);
  switch (kind) {
    case 'claim':
      claimCard(card, id, desk);
      break;
    case 'verification':
      verificationCard(card, id, desk);
      break;
    case 'decision':
      decisionCard(card, id, desk);
      break;
    case 'artifact':
      artifactCard(card, id, desk);
      break;
    case 'call':
      callCard(card, id, desk);
      break;
    case 'refusals':
      card.say('What was said and not taken', 'title');
      sayRefusals(card, refusalsIn(desk), desk);
      break;
  }
  if (card.lines.length === 0) card.say(`${id} is not on record.`, 'dim');
  return card.lines;
}

/** What a record says, without what it is linked to: texts of others as they were written. */
export function passageOfRecord({ kind, id }: Ref, desk: RunModel): Passage | undefined {
  const markdown = wordsOf({ kind, id }, desk);
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

function wordsOf({ kind, id }: Ref, desk: RunModel): string | undefined {
  switch (kind) {
    case 'claim': {
      const claim = entryOf(roundsIn(desk).claims, id);
      return claim && `${claim.text}\n\nTest: ${claim.testable_as}`;
    }
    case 'verification': {
      const check = verifications(desk).find((one) => one.id === id);
      return check && [check.notes, ...check.evidence_refs.map((ref) => `- ${ref}`)].join('\n');
    }
    case 'decision':
      return decisions(desk).find((one) => one.id === id)?.text;
    case 'artifact':
      return artifacts(desk).find(({ path }) => path === id)?.markdown;
    case 'call':
      return entryOf(desk.view.calls, id) && desk.said(id);
    case 'refusals':
      return refusalsIn(desk)
        .map((one) => `- ${inline(refusalWords(one, desk.nameOf(one.by)))}`)
        .join('\n');
  }
}

function claimCard(card: Card, id: string, desk: RunModel): void {
  const claim = entryOf(roundsIn(desk).claims, id);
  if (claim === undefined) return;
  const { supersedes, raised_at_artifact: artifact } = claim;
  const { claims } = standingIn(desk).state;
  const one = claims.find((other) => other.claim.id === id);
  card.say(
    `Claim ${id} · ${one === undefined ? '' : standingWords(one)} · raised by the ${desk.nameOf(claim.raised_by)} in round ${claim.round}`,
    'title',
  );
  card.say(claim.text).say(`Test: ${claim.testable_as}`, 'dim');
  if (claim.if_false !== undefined) card.say(`If it is false: ${claim.if_false}`, 'dim');
  if (one?.isFact)
    card.say('It was read at once and nobody disputes it: the signals leave it out.');
  if (one?.awaits)
    card.say(`Waits for a test: deliberate test ${shortId(desk.view.id)} ${id} --command "…"`);
  card.section('What the text says', () => {
    for (const quote of one?.quotes ?? []) card.say(quotationWords(quote));
    if (one?.basis === 'read' && one.why) card.say(one.why, 'dim');
  });
  card.section('Denied by', () => {
    for (const other of one?.challengers ?? []) card.link('claim', other, textOf(other, desk));
  });
  card.section('It denies', () => {
    if (claim.challenges !== undefined)
      card.link('claim', claim.challenges, textOf(claim.challenges, desk));
  });
  card.section('What rests on it', () => {
    for (const decision of one?.reliedOn ?? [])
      card.link('decision', decision, textOf(decision, desk));
  });
  card.section('Comes from', () => {
    if (artifact !== undefined) card.link('artifact', artifact, '');
    card.link('call', claim.step, '');
    if (supersedes !== undefined)
      card.link(
        'claim',
        supersedes,
        `superseded: ${entryOf(roundsIn(desk).claims, supersedes)?.text ?? ''}`,
      );
  });
  card.section('Its wording was changed', () => {
    for (const { was } of claim.edits ?? []) card.say(`  it was: ${inline(was)}`, 'dim');
  });
  card.section('What moved it', () => {
    for (const move of claim.moves) {
      const step = moveWords(move);
      const how = [move.stance, move.bearing === undefined ? '' : `on the ${move.bearing}`]
        .filter((one) => one)
        .join(', ');
      const check = verifications(desk).find((one) => one.id === move.verification);
      const result = check === undefined ? '' : `${RESULT_WORDS[check.result]} · `;
      if (move.verification !== undefined)
        card.link('verification', move.verification, `${result}${step}${how ? ` · ${how}` : ''}`);
      if (move.superseded_by !== undefined) card.link('claim', move.superseded_by, step);
      card.say(`  ${inline(move.why)}`, 'dim');
      for (const ref of check?.evidence_refs ?? []) evidence(card, ref, desk);
    }
  });
  card.section('What was not taken', () => sayRefusals(card, refusalsOf(id, desk), desk));
  citedBy(card, id, desk);
}

function sayRefusals(card: Card, refusals: readonly Refusal[], desk: RunModel): void {
  for (const one of refusals) card.say(inline(refusalWords(one, desk.nameOf(one.by))));
}

function verificationCard(card: Card, id: string, desk: RunModel): void {
  const check = verifications(desk).find((one) => one.id === id);
  if (check === undefined) return;
  card.say(
    `Verification ${id} · ${RESULT_WORDS[check.result]} · ${CHECK_NAMES[check.check]}`,
    'title',
  );
  card.say(check.notes);
  if (check.degraded !== undefined) card.say(`Could not stand: ${check.degraded}`, 'dim');
  card.section('Evidence', () => {
    for (const ref of check.evidence_refs) evidence(card, ref, desk);
  });
  card.section('Comes from', () => {
    if (check.step !== undefined) card.link('call', check.step, '');
  });
  card.section('Claims it moved', () => {
    for (const move of roundsIn(desk)
      .rounds.flatMap(({ moves }) => moves)
      .filter(({ verification }) => verification === id))
      card.link('claim', move.claim, `${moveWords(move)} · ${textOf(move.claim, desk)}`);
  });
  card.section('What was not taken', () => sayRefusals(card, refusalsOf(id, desk), desk));
  citedBy(card, id, desk);
}

function decisionCard(card: Card, id: string, desk: RunModel): void {
  const decision = decisions(desk).find((one) => one.id === id);
  if (decision === undefined) return;
  const now = standingIn(desk).state.decisions.find((one) => one.decision.id === id);
  const standing = DECISION_WORDS[now?.standing ?? 'stands'];
  card.say(
    `Decision ${id} · ${standing} · round ${decision.round} · by ${decision.made_by}`,
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
        `${relation}${takes_as === 'false' ? ', taken as false' : ''} · ${textOf(cited, desk)}`,
      );
  });
  card.section('Comes from', () => {
    card.link('call', decision.step, '');
    for (const path of decision.round_artifact_refs) card.link('artifact', path, '');
  });
  citedBy(card, id, desk);
}

function artifactCard(card: Card, path: string, desk: RunModel): void {
  const artifact = artifacts(desk).find((one) => one.path === path);
  if (artifact === undefined) return;
  card.say(`Artifact ${path} · by the ${desk.nameOf(artifact.role)}`, 'title');
  card.section('Comes from', () => card.link('call', artifact.step, ''));
  card.section('Claims raised at it', () => {
    for (const { id, text, raised_at_artifact } of Object.values(roundsIn(desk).claims))
      if (raised_at_artifact === path) card.link('claim', id, text);
  });
  card.section('Verifications that cite it', () => {
    for (const { id, result, evidence_refs } of verifications(desk)) {
      const cites = evidence_refs.filter((ref) => ref === path || ref.startsWith(`${path}#`));
      if (cites.length > 0)
        card.link('verification', id, `${RESULT_WORDS[result]} · ${cites.join(', ')}`);
    }
  });
  card.section('Text', () => card.say(artifact.markdown));
}

function callCard(card: Card, step: string, desk: RunModel): void {
  const call = entryOf(desk.view.calls, step);
  if (call === undefined) return;
  const { usage, costUsd } = call;
  card.say(`Call ${step} · ${call.state}`, 'title');
  card.say(
    [
      desk.nameOf(call.seat),
      call.model,
      formatMs(call.latencyMs),
      `${formatTokens(usage.input, usage.estimated)} tok in, ${formatTokens(usage.output, usage.estimated)} out`,
      costUsd === undefined ? 'cost unknown' : formatUsd(costUsd, usage.estimated),
      `${call.attempts} ${call.attempts === 1 ? 'request' : 'requests'}`,
    ].join(' · '),
    'dim',
  );
  if (call.message !== undefined) card.say(call.message);
  card.section('What came of it', () => {
    for (const one of artifacts(desk)) if (one.step === step) card.link('artifact', one.path, '');
    for (const one of verifications(desk))
      if (one.step === step) card.link('verification', one.id, RESULT_WORDS[one.result]);
    for (const one of Object.values(roundsIn(desk).claims))
      if (one.step === step) card.link('claim', one.id, one.text);
    for (const one of decisions(desk))
      if (one.step === step) card.link('decision', one.id, one.text);
  });
  card.section('What was said', () => card.say(desk.said(step)));
}

/** A place that was cited: a link where it is in an artifact, else as it was written. */
function evidence(card: Card, ref: string, desk: RunModel): void {
  const path = ref.replace(/#.*$/s, '');
  if (artifacts(desk).some((one) => one.path === path))
    card.link('artifact', path, ref.slice(path.length));
  else card.say(`  ${inline(ref)}`);
}

function citedBy(card: Card, id: string, desk: RunModel): void {
  card.section('Decisions that cite it', () => {
    for (const one of decisions(desk)) {
      const relations = one.cites.filter((cite) => cite.id === id).map(({ relation }) => relation);
      if (relations.length > 0)
        card.link('decision', one.id, `${relations.join(', ')} · ${one.text}`);
    }
  });
}

function textOf(id: string, desk: RunModel): string {
  const check = verifications(desk).find((one) => one.id === id);
  if (check !== undefined) return `${RESULT_WORDS[check.result]} · ${check.notes}`;
  const claim = standingIn(desk).state.claims.find((one) => one.claim.id === id);
  if (claim !== undefined) return `${standingWords(claim)} · ${claim.claim.text}`;
  return decisions(desk).find((one) => one.id === id)?.text ?? '';
}

function verifications(desk: RunModel): VerificationView[] {
  return roundsIn(desk).rounds.flatMap((round: RoundView) => round.verifications);
}

function decisions(desk: RunModel): DecisionView[] {
  return roundsIn(desk).rounds.flatMap((round: RoundView) => round.decisions);
}

function artifacts(desk: RunModel) {
  return roundsIn(desk).rounds.flatMap((round: RoundView) => round.artifacts);
}
