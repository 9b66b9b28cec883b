/**
 * Prints the progress of rounds for pipes: phases, verdicts, claims, decisions and signals as
 * results, votes as progress. Entries that were made at the same time are printed in the order of
 * their ids, so that a run is always printed alike.
 */

import { KERNEL } from '../../../kernel/facts.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import {
  type PrintedText,
  type Teller,
  toProgress,
  toResult,
} from '../../../plain/protocol-text.ts';
import { toLine } from '../../../text/line.ts';
import { formatQuotationCounts } from '../../common/quotations/readable.ts';
import { type FactOf, ROUNDS } from '../facts.ts';
import { foldQuotations, NO_QUOTATIONS } from '../quotations.ts';
import { CHECKS } from '../records/types.ts';
import { isBallot, readVote } from '../votes/counted-votes.ts';
import { readStance } from '../votes/read-stance.ts';
import { ABSENCE_WORDS, deriveAbsence } from './absence.ts';
import { deriveDeliberation } from './display-state.ts';
import { formatSynthesisText, getCaution } from './summary/doubts.ts';
import { Tallies } from './tallies.ts';
import { formatShift, formatStance, formatVoteResult } from './votes.ts';
import {
  ADVICE,
  CHECK_NAMES,
  formatResult,
  formatSatisfiedCount,
  formatStatusChange,
  PHASE_NAMES,
} from './wording.ts';

type Named = (seat: string) => string;
type Verdict = FactOf<'verification.recorded'>;

/**
 * Makes the object that turns the facts of a deliberation into the lines of progress that are
 * printed as text.
 */
export function makeRoundsTeller(): Teller {
  const verdicts = new Verdicts();
  const tallies = new Tallies();
  /** All facts so far, by which unusable votes and wrong statements in a synthesis are found. */
  const facts: AnyFact[] = [];
  let quoted = NO_QUOTATIONS;
  let lead = '';
  let predicted: readonly string[] = [];
  /**
   * Returns what is printed when a phase ends. First come verdicts that were held back to print them in the order of
   * the checks, then a summary of findings and refused entries.
   */
  const tellRest = (title: Named): PrintedText[] => {
    const lines = tallies.lines(title);
    return [...verdicts.all(), ...(lines.length === 0 ? [] : [tellLines(...lines)])];
  };
  return {
    tell: (any, { title }) => {
      facts.push(any);
      quoted = foldQuotations(quoted, any);
      if (KERNEL.is('run.ended')(any)) return tellRest(title);
      const fact = ROUNDS.own(any);
      tallies.count(any);
      switch (fact?.type) {
        case 'round.started':
          lead = `${toLine(title(fact.lead))} leads.${fact.absent === undefined ? '' : ` A stress round, without ${title(fact.absent)}.`}`;
          return [];
        case 'phase.entered':
          return [
            ...tellRest(title),
            toResult(phaseLine(fact), ...(fact.phase === 'A' ? [lead] : [])),
          ];
        case 'stress.predicted':
          predicted = fact.signature;
          return tellOne(any, title);
        case 'stress.compared': {
          const shown = deriveAbsence(fact, predicted);
          return [
            tellLines(
              `Predictions: ${fact.observed.map(({ prediction, happened }) => `${prediction} (${happened})`).join(' · ') || 'none was looked at'}`,
              shown === 'missed' ? '' : ABSENCE_WORDS[shown],
            ),
          ];
        }
        case 'verification.recorded':
          return verdicts.next(fact);
        case 'synthesis.completed': {
          const found = formatQuotationCounts(quoted.quotations[fact.version] ?? []);
          return found === undefined ? [] : [toResult(`Quotations: ${found}.`)];
        }
        case 'call.completed':
          return isBallot(fact.step) ? tellUncounted(fact, title, facts) : [];
        default:
          return tellOne(any, title);
      }
    },
    above: (_synthesis, view) => {
      const caution = getCaution(deriveDeliberation(facts, view));
      return caution === undefined ? [] : [toLine(caution)];
    },
    reads: (synthesis, view) =>
      formatSynthesisText(synthesis, { quotations: quoted.quotations, view }),
  };
}

function tellOne(any: AnyFact, title: Named): readonly PrintedText[] {
  const fact = ROUNDS.own(any);
  switch (fact?.type) {
    case 'stress.predicted':
      return [
        tellLines(
          fact.signature.length === 0
            ? 'No predictions about the absence.'
            : `Predicted about the absence: ${fact.signature.join(' · ')}`,
        ),
      ];
    case 'claim.raised':
      return [tellLines(`${fact.id} · ${title(fact.raised_by)}: ${fact.text}`)];
    case 'claim.moved':
      return [
        tellLines(
          `${fact.claim} · ${formatStatusChange(fact)} by ${fact.verification ?? fact.superseded_by ?? 'the record'}: ${fact.why}`,
        ),
      ];
    case 'decision.made':
      return [
        tellLines(
          `${fact.id} · ${fact.text} (cites ${fact.cites.map(({ id }) => id).join(', ') || 'nothing'})`,
        ),
      ];
    case 'decision.refused':
      return [tellLines(`Rejected: ${fact.text} (${fact.why})`)];
    case 'round.closed':
      return [
        ...(fact.tensions.length > 0
          ? [tellLines(`Open tensions: ${fact.tensions.join(' · ')}`)]
          : []),
        ...(fact.impact === '' ? [] : [tellLines(`Impact: ${fact.impact}`)]),
      ];
    case 'drift.checked':
      return [
        tellLines(
          `Drift check · ${fact.verdict}, ${fact.deviation_score} of 5 away: ${fact.notes}`,
        ),
      ];
    case 'signals.read':
      return [
        tellLines(
          `After round ${fact.round}: ${formatSatisfiedCount(fact.satisfied, fact.signals.length)}. ${ADVICE[fact.recommendation]}.`,
          fact.alarm === undefined ? '' : `ALARM: ${fact.alarm}`,
        ),
      ];
    case 'failure-mode.suspected':
      return [tellLines(`Suspected · ${fact.id} ${fact.name}: ${fact.why}`)];
    case 'reader.examined':
      return [
        toProgress(
          `${toLine(fact.model)} ${fact.passed ? 'passed' : 'did not pass'} the entrance test: ${toLine(fact.why)}`,
        ),
      ];
    case 'stance.taken':
      return [toProgress(formatStance(fact, title))];
    case 'vote.counted':
      return [toProgress(formatVoteResult(readVote(fact)))];
    case 'stance.compared':
      return [toProgress(formatShift(fact, title))];
    default:
      return [];
  }
}

/**
 * Holds back verdicts of checks that run at the same time, and prints them in the order of the
 * checks.
 */
class Verdicts {
  #held: Verdict[] = [];
  #round = 0;
  #told = 0;

  next(verdict: Verdict): readonly PrintedText[] {
    const number = Number(/-(\d+)$/.exec(verdict.id)?.[1]);
    if (verdict.round !== this.#round) {
      this.#round = verdict.round;
      this.#told = 0;
    }
    // Print a reading, test or withdrawal at once. Only verdicts of the round's four checks wait, so that they are
    // printed in the order of the checks.
    if (number > CHECKS.length || Number.isNaN(number)) return [tellLines(verdictLine(verdict))];
    this.#held = [...this.#held, verdict].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#held.length + this.#told === number ? this.all() : [];
  }

  /** Returns the remaining verdicts at the end of their phase. */
  all(): PrintedText[] {
    const lines = this.#held.map((verdict) => tellLines(verdictLine(verdict)));
    this.#told += lines.length;
    this.#held = [];
    return lines;
  }
}

function phaseLine({ round, phase }: FactOf<'phase.entered'>): string {
  return phase === 'synthesis'
    ? `# After round ${round} · synthesis`
    : `# Round ${round} · ${phase} ${PHASE_NAMES[phase].toLowerCase()}`;
}

function verdictLine(verdict: Verdict): string {
  const said = new Set([CHECK_NAMES[verdict.check], formatResult(verdict)]);
  return `${[verdict.id, ...said].join(' · ')}: ${verdict.notes}`;
}

/** Makes a result of lines; empty lines are left out. */
function tellLines(...lines: readonly string[]): PrintedText {
  return toResult(
    lines
      .filter((text) => text !== '')
      .map(toLine)
      .join('\n'),
  );
}

/** Reports that a seat's vote cannot be counted, and the reason. */
function tellUncounted(
  { seat, value }: FactOf<'call.completed'>,
  title: Named,
  facts: readonly AnyFact[],
): readonly PrintedText[] {
  const started = facts.find(KERNEL.is('run.started'));
  const brief = started?.seats.find(({ id }) => id === seat)?.brief ?? '';
  const read = readStance(value, brief, started?.question);
  return read !== undefined && 'why' in read
    ? [toProgress(`${toLine(title(seat))}'s stance is not usable: ${read.why}`)]
    : [];
}
