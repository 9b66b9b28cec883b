/** Describes how far a run can be trusted: its reader, what went wrong, and what was refused. */
import { type Block, makeSection, type Section } from '../../../../plain/blocks.ts';
import { type IdDescriptions, IdExplainer } from '../../../../plain/id-explainer.ts';
import { escapeLine } from '../../../../plain/markdown.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import { list } from '../../../../text/markdown/blocks.ts';
import { formatCount } from '../../../../text/numbers.ts';
import type { Deliberation } from '../display-state.ts';
import { formatRefusal, KINDS, listRefusals, toSentence } from '../refusals.ts';
import {
  describeControls,
  describeReader,
  getReaderAlarm,
  hasNoReader,
  listDiscardSentences,
  NOBODY_READS,
} from './reader.ts';

/**
 * Returns the report's section on how far the run can be trusted.
 * @param meanings the short description of each id
 */
export function qualitySection(run: Deliberation, meanings: IdDescriptions): Section {
  const mark = hasNoReader(run) ? `: ${NOBODY_READS}` : '';
  return makeSection(`Quality of this run${mark}`, ...qualityBlocks(run, meanings));
}

/** Returns the content of the section on how far the run can be trusted, without the heading. */
export function qualityBlocks(run: Deliberation, meanings: IdDescriptions): Block[] {
  const named = new IdExplainer(meanings);
  const explainText = (text: string): string => escapeLine(named.explain(text));
  const { state, records } = run;
  const alarm = getReaderAlarm(run);
  const controls = describeControls(records);
  const facts = state.claims.filter(({ isFact }) => isFact).length;
  const suspicions = latestSuspicions(run);
  const notes = [
    explainText(describeReader(run)),
    ...(controls === undefined ? [] : [explainText(controls)]),
    ...listDiscardSentences(records).map(explainText),
    ...(alarm === undefined ? [] : [`**${explainText(alarm)}**`]),
    ...silenceIn(run).map(explainText),
    ...state.conduct.map(({ why }) => explainText(toSentence(why))),
    ...(facts === 0
      ? []
      : [
          `${formatCount(facts, 'claim')} ${facts === 1 ? 'was' : 'were'} read true at once and disputed by nobody: the signals leave ${facts === 1 ? 'it' : 'them'} out.`,
        ]),
    ...suspicions.map(({ id, name, why }) =>
      explainText(toSentence(`Suspected: ${id} ${name}, ${why}`)),
    ),
  ];
  const refusals = listRefusals(run.rounds);
  return [
    list(notes),
    ...KINDS.map(([kind, title]) => {
      const own = refusals.filter((refusal) => refusal.kind === kind);
      return makeSection(
        `${title} (${own.length})`,
        list(
          own.map((refusal) =>
            explainText(formatRefusal(refusal, getSeatTitle(refusal.by, run.view))),
          ),
        ),
      );
    }),
  ];
}

/** Lists the roles that handed in nothing, those of the whole run first. */
function silenceIn({ view, rounds, state }: Deliberation): string[] {
  const spoke = new Set<string>(
    rounds.rounds.flatMap(({ artifacts }) => artifacts.map(({ role }) => role)),
  );
  const silent = new Set<string>(
    rounds.rounds.length === 0 ? [] : view.seats.flatMap(({ id }) => (spoke.has(id) ? [] : [id])),
  );
  return [
    ...[...silent].map((id) =>
      rounds.rounds.every(({ absent }) => absent === id)
        ? `The ${getSeatTitle(id, view)} was left out of every round.`
        : `The ${getSeatTitle(id, view)} never handed in an artifact.`,
    ),
    ...state.absentRoles.flatMap(({ round, roles }) =>
      roles.flatMap((role) =>
        silent.has(role)
          ? []
          : [`In round ${round} the ${getSeatTitle(role, view)} handed nothing in.`],
      ),
    ),
  ];
}

function latestSuspicions({ rounds, signals }: Deliberation) {
  const read = rounds.rounds.findLast((round) => round.signals !== undefined);
  return read === undefined
    ? signals.failureModes.filter(({ state }) => state === 'suspected')
    : read.suspicions;
}
