/** The list of the tab Rounds: all rounds, and the phases and artifacts of one of them. */

import type { RunModel, Synthesis } from '../../../console/model/run-model.ts';
import { getSign } from '../../../console/model/states.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import type { ArtifactView, Phase, RoundView, VerificationView } from '../claims/rounds-view.ts';
import { getRoundsState } from './part.ts';
import { toneResult } from './tones.ts';
import { PHASE_NAMES, RESULT_WORDS } from './wording.ts';

/** The letter of a round's phase, A to H. */
export type RoundPhase = Exclude<Phase, 'synthesis'>;
type State = 'done' | 'running' | 'pending' | 'halted';

/**
 * An item of the list at the left of the tab Rounds: a round, a phase, an artifact, a check or a
 * synthesis. `id` does not change while the run goes on.
 */
export type RailItem = { readonly id: string } & (
  | { readonly kind: 'round'; readonly round: RoundView }
  | { readonly kind: 'phase'; readonly round: RoundView; readonly phase: RoundPhase }
  | { readonly kind: 'artifact'; readonly round: RoundView; readonly artifact: ArtifactView }
  | { readonly kind: 'check'; readonly round: RoundView; readonly check: VerificationView }
  | { readonly kind: 'synthesis'; readonly synthesis: Synthesis }
);

const PHASES = Object.keys(PHASE_NAMES) as RoundPhase[];
/** What each check tests, in few words for the narrow list. */
const SHORT_CHECKS: Readonly<Record<VerificationView['check'], string>> = {
  critic_attack_on_action_trace: 'attack',
  guardian_vs_observer_walkthrough: 'invariant',
  observer_friction_vs_critic_attack: 'friction',
  all_vs_prior_decisions: 'decisions',
  executed_test: 'test run',
  settled_by_reading: 'reading',
  conceded: 'withdrawn',
};
const SIGNS: Readonly<Record<State, string>> = {
  done: '✓',
  running: '▮',
  pending: '·',
  halted: '■',
};

/**
 * Returns all items of the list at the left of the tab Rounds.
 * @param unfolded the round whose phases, artifacts and checks are listed, too; undefined for none
 */
export function listRailItems(runModel: RunModel, unfolded: number | undefined): RailItem[] {
  return [
    ...getRoundsState(runModel).rounds.flatMap((round): RailItem[] => [
      { id: `round-${round.round}`, kind: 'round', round },
      ...(round.round === unfolded ? phasesOf(runModel, round) : []),
    ]),
    ...runModel.syntheses.map(
      (synthesis): RailItem => ({
        id: `synthesis-${synthesis.version}`,
        kind: 'synthesis',
        synthesis,
      }),
    ),
  ];
}

function phasesOf(runModel: RunModel, round: RoundView): RailItem[] {
  const id = `round-${round.round}`;
  return PHASES.filter((phase) => phase !== 'H' || hasDriftCheck(runModel, round)).flatMap(
    (phase): RailItem[] => [
      { id: `${id}/${phase}`, kind: 'phase', round, phase },
      ...(phase === 'D'
        ? round.artifacts.map(
            (artifact): RailItem => ({ id: artifact.path, kind: 'artifact', round, artifact }),
          )
        : []),
      ...(phase === 'E' ? checksOf(round, (check) => !CHECKS_OF_PHASE_F.has(check)) : []),
      ...(phase === 'F' ? checksOf(round, (check) => CHECKS_OF_PHASE_F.has(check)) : []),
    ],
  );
}

/**
 * The check names of the verifications that the tab Rounds lists under phase F of a round, in which
 * claims are registered: readings and withdrawals. All other verifications are listed under phase E.
 */
export const CHECKS_OF_PHASE_F: ReadonlySet<VerificationView['check']> = new Set([
  'settled_by_reading',
  'conceded',
]);

function checksOf(
  round: RoundView,
  isShown: (check: VerificationView['check']) => boolean,
): RailItem[] {
  return round.verifications
    .filter(({ check }) => isShown(check))
    .map((check) => ({ id: check.id, kind: 'check', round, check }));
}

function hasDriftCheck({ view }: RunModel, { round, drift, phase }: RoundView): boolean {
  const every = view.config.driftEvery;
  const due = typeof every === 'number' && every > 0 && round % every === 0;
  return due || drift !== undefined || phase === 'H';
}

/**
 * Returns the id of the item of the tab Rounds where work goes on, or went on last; empty if there is
 * no round. The cursor follows this item until the person moves the cursor.
 */
export function getCurrentId(runModel: RunModel): string {
  const synthesis = runModel.syntheses.at(-1);
  if (synthesis !== undefined) return `synthesis-${synthesis.version}`;
  const last = getRoundsState(runModel).rounds.at(-1);
  if (last === undefined) return '';
  const { phase } = last;
  const inPhase = phase !== undefined && phase !== 'synthesis' && runModel.isLive;
  return inPhase ? `round-${last.round}/${phase}` : `round-${last.round}`;
}

function roundState(runModel: RunModel, round: RoundView): State {
  if (round !== getRoundsState(runModel).rounds.at(-1)) return 'done';
  if (round.signals !== undefined || round.phase === 'synthesis') return 'done';
  return runModel.isLive ? 'running' : 'halted';
}

/** Returns whether a phase is pending, running, halted or done. */
export function getPhaseState(runModel: RunModel, round: RoundView, phase: RoundPhase): State {
  const state = roundState(runModel, round);
  if (state === 'done') return 'done';
  const reached = PHASES.indexOf((round.phase ?? 'A') as RoundPhase);
  const at = PHASES.indexOf(phase);
  return at < reached ? 'done' : at === reached ? state : 'pending';
}

/**
 * Returns how many lines an item takes in the list at the left of the tab Rounds: 1, and for a round
 * one more each for an absent role and a drift check.
 */
export function countRailLines(item: RailItem): number {
  if (item.kind !== 'round') return 1;
  const { absent, drift } = item.round;
  return 1 + (absent === undefined ? 0 : 1) + (drift === undefined ? 0 : 1);
}

/**
 * Returns the lines of an item in the list at the left of the tab Rounds, each `cells` wide. Rounds
 * with an absent role or a drift check have additional lines.
 */
export function drawRailItem(
  item: RailItem,
  runModel: RunModel,
  theme: Theme,
  cells: number,
): string[] {
  switch (item.kind) {
    case 'round': {
      const { round } = item;
      const title = `${SIGNS[roundState(runModel, round)]} Round ${round.round} · ${runModel.nameOf(round.lead)}`;
      return [theme.bold(fitCell(title, cells)), ...renderMarks(round, runModel, theme, cells)];
    }
    case 'phase': {
      const sign = SIGNS[getPhaseState(runModel, item.round, item.phase)];
      const text = fitCell(`  ${sign} ${item.phase} ${PHASE_NAMES[item.phase]}`, cells);
      return [sign === '·' ? theme.dim(text) : text];
    }
    case 'artifact':
      return [fitCell(`    ${runModel.nameOf(item.artifact.role)}`, cells)];
    case 'check': {
      const { check } = item;
      // A reading or a withdrawal has no result such as BROKEN, so show how many claims the entry decided.
      const badge = CHECKS_OF_PHASE_F.has(check.check)
        ? String(item.round.moves.filter(({ verification }) => verification === check.id).length)
        : RESULT_WORDS[check.result];
      const number = /(\d+)$/.exec(check.id)?.[1] ?? '';
      const left = fitCell(
        `    ${number} ${SHORT_CHECKS[check.check]}`,
        cells - textWidth(badge) - 1,
      );
      return [`${left} ${toneResult(theme, check.result, badge)}`];
    }
    case 'synthesis':
      return [
        theme.bold(
          fitCell(`${getSign(item.synthesis.stream)} Synthesis v${item.synthesis.version}`, cells),
        ),
      ];
  }
}

function renderMarks(round: RoundView, runModel: RunModel, theme: Theme, cells: number): string[] {
  const { absent, drift } = round;
  const lines: string[] = [];
  if (absent !== undefined)
    lines.push(theme.tone('yellow', fitCell(`    stress: no ${runModel.nameOf(absent)}`, cells)));
  if (drift !== undefined)
    lines.push(
      theme.tone(
        drift.verdict === 'PASS' ? 'green' : 'red',
        fitCell(`    drift ${drift.verdict}`, cells),
      ),
    );
  return lines;
}

function fitCell(text: string, cells: number): string {
  return padEnd(truncateLine(text, cells), cells);
}
