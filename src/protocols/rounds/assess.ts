/**
 * Phase G: the lead's decisions. Code checks their citations. Valid parts of an assessment are
 * kept, and every refused part is recorded with its reason.
 */

import type { Reply } from '../../kernel/call.ts';
import { entryOf } from '../../kernel/entry.ts';
import { isSingleWord } from '../../text/words/has-content.ts';
import {
  determineMadeBy,
  explainContradiction,
  findStandingDecisions,
  findTwin,
} from './decision-rules.ts';
import { type FactBody, type FactOf, fact } from './facts.ts';
import { isSince } from './prompts/order.ts';
import {
  ANSWER_WORDS,
  type Assessment,
  assessmentSchema,
  assessmentTask,
  listOwnBlocks,
  looseAssessmentSchema,
  looseDecisionSchema,
} from './prompts/phases.ts';
import { derivePresentState } from './prompts/state.ts';
import { decisionId } from './records/layout.ts';
import type { Role } from './records/types.ts';
import type { Piece, RoundsRun } from './rounds-run.ts';

/** The most decisions of one round. */
const MOST_DECISIONS = 3;

/**
 * Asks the role that leads the round for its assessment: decisions, unresolved conflicts, and an
 * answer to the question so far. Checks each decision, and records the accepted and the refused ones. The role
 * is asked once more if its answer cannot be read, or if a decision is refused for another reason than that
 * an earlier one says the same.
 * @param heard the blocks of text that the lead sees in the prompt
 */
export async function askForAssessment(
  roundsRun: RoundsRun,
  round: number,
  lead: Role,
  heard: readonly Piece[],
): Promise<void> {
  const known = collectCitable(roundsRun);
  const { prompts } = roundsRun.settings;
  const open = Object.values(roundsRun.view.claims).filter(({ status }) => status === 'pending');
  const prompt = {
    kind: 'assessment',
    heard,
    schema: assessmentSchema(
      [...known.keys()],
      open.map(({ id }) => id),
    ),
    task: [
      assessmentTask(prompts),
      ...(isSince(prompts, 3) ? listOwnBlocks(lead, lead, heard) : []),
    ].join('\n\n'),
  };
  const seat = roundsRun.seat(lead);
  const toFacts = (reply: Reply, step: string, last: boolean): FactBody[] => {
    const answer = answerOf(reply);
    if (answer === undefined)
      return last ? [fact('round.closed', { round, tensions: [], impact: '' })] : [];
    const { taken, refused } = checkDecisions(roundsRun, round, lead, answer, known, step);
    return !last && refused.some(isToCorrect)
      ? []
      : [...taken, ...refused.map(({ fact }) => fact), makeClosingFact(round, answer)];
  };
  const reply = await roundsRun.ask('G/assessment', seat, round, prompt, (reply, step) =>
    toFacts(reply, step, reply.status === 'failed'),
  );
  if (reply.status !== 'done') return;
  const answer = answerOf(reply);
  const refused =
    answer === undefined ? [] : checkDecisions(roundsRun, round, lead, answer, known, '').refused;
  const wrong = refused.filter(isToCorrect);
  if (answer !== undefined && wrong.length === 0) return;
  const said = wrong.map(({ fact }) => `"${fact.text.slice(0, 60)}": ${fact.why}`);
  const more = roundsRun.makeCorrection(
    reply.text,
    said.join('\n') || 'the answer could not be read',
    `Answer again, whole, and cite from these only: ${[...known.keys()].join(', ') || 'none exist yet'}.`,
  );
  await roundsRun.ask(
    'G/assessment/again',
    seat,
    round,
    { ...prompt, more },
    (secondReply, step) =>
      secondReply.status === 'failed'
        ? // If the lead's second call fails, the valid parts of its first answer still count.
          toFacts(reply, step, true)
        : toFacts(secondReply, step, true),
  );
}

function answerOf(reply: Reply): Assessment | undefined {
  const parsed = looseAssessmentSchema.safeParse(reply.status === 'done' ? reply.value : undefined);
  return parsed.success ? parsed.data : undefined;
}

function makeClosingFact(
  round: number,
  { tensions = [], architecture_impact, answer }: Assessment,
) {
  const words = answer?.trim().split(/\s+/) ?? [];
  return fact('round.closed', {
    round,
    tensions: tensions.filter(
      (tension): tension is string => typeof tension === 'string' && tension.trim() !== '',
    ),
    impact: architecture_impact ?? '',
    ...(words.length === 0 || answer?.trim() === ''
      ? {}
      : {
          answer:
            words.length > 2 * ANSWER_WORDS
              ? `${words.slice(0, 2 * ANSWER_WORDS).join(' ')} …`
              : answer,
        }),
  });
}

/** The records that a decision may cite: the kind of each, by its id. */
type Citable = ReadonlyMap<string, 'claim' | 'verification' | 'decision'>;

function collectCitable(roundsRun: RoundsRun): Citable {
  return new Map([
    ...Object.keys(roundsRun.view.claims).map((id) => [id, 'claim'] as const),
    ...roundsRun.view.rounds.flatMap((round) => [
      // Leave out verdicts that code has rejected: a decision must not cite them.
      ...round.verifications
        .filter(({ degraded }) => degraded === undefined)
        .map(({ id }) => [id, 'verification'] as const),
      ...round.decisions.map(({ id }) => [id, 'decision'] as const),
    ]),
  ]);
}

/** A decision that was refused. */
interface Refusal {
  readonly fact: FactOf<'decision.refused'>;
  /** Whether an earlier decision says the same, so that the lead need not be asked again. */
  readonly repeats: boolean;
}

function isToCorrect({ repeats }: Refusal): boolean {
  return !repeats;
}

/**
 * Separates the decisions of an assessment into those that the records support and those that are
 * refused.
 */
function checkDecisions(
  roundsRun: RoundsRun,
  round: number,
  lead: Role,
  { decisions = [] }: Assessment,
  known: Citable,
  step: string,
): { readonly taken: FactBody[]; readonly refused: Refusal[] } {
  const refs = roundsRun.round(round).artifacts.map(({ path }) => path);
  // Of the checks of decisions below, those that depend on `isHeldToRound` came with edition 6 of the rules. A run
  // keeps its edition, so that a replay gives the same decisions.
  const isHeldToRound = isSince(roundsRun.settings.rules, 6);
  const standing = isHeldToRound
    ? findStandingDecisions(derivePresentState(roundsRun).decisions, round)
    : [];
  const taken: FactOf<'decision.made'>[] = [];
  const refused: Refusal[] = [];
  const refuseDecision = (text: string, why: string, repeats = false): void => {
    refused.push({ fact: fact('decision.refused', { round, text, why }), repeats });
  };
  for (const decision of decisions) {
    const read = looseDecisionSchema.safeParse(decision);
    if (!read.success) {
      refuseDecision(textOf(decision, lead), 'it lacks what a decision needs');
      continue;
    }
    const { text, conditions = [], made_by } = read.data;
    // Since edition 6 of the rules, drop a citation that says that the decision supersedes a claim or a
    // verification: a decision can only supersede another decision.
    const cites = read.data.cites.filter(
      ({ id, relation }) =>
        !isHeldToRound || relation !== 'supersedes' || (known.get(id) ?? 'decision') === 'decision',
    );
    const twin = isHeldToRound ? findTwin(text, [...standing, ...taken]) : undefined;
    if (twin !== undefined) {
      refuseDecision(text, `${twin.id} says the same already`, true);
      continue;
    }
    const why =
      taken.length >= MOST_DECISIONS
        ? `a round takes ${MOST_DECISIONS} decisions at most`
        : ((isHeldToRound ? explainEmptyDecision(roundsRun, text, cites) : undefined) ??
          whyNot(roundsRun, cites, known) ??
          (isHeldToRound
            ? explainContradiction(cites, [...standing, ...taken], roundsRun.view.claims)
            : undefined));
    if (why !== undefined) {
      refuseDecision(text, why);
      continue;
    }
    const waits = conditions.filter((id) => known.get(id) === 'claim');
    taken.push(
      fact('decision.made', {
        id: decisionId(round, taken.length + 1),
        round,
        text,
        round_artifact_refs: refs,
        step,
        made_by: isHeldToRound
          ? determineMadeBy(made_by, roundsRun.round(round), lead, roundsRun.view.claims)
          : made_by,
        cites: cites.flatMap(({ id, relation, takes_as }) => {
          const type = known.get(id);
          const way = type === 'claim' ? { takes_as: takes_as ?? ('true' as const) } : {};
          return type === undefined ? [] : [{ type, id, relation, ...way }];
        }),
        ...(waits.length === 0 ? {} : { conditions: waits }),
      }),
    );
  }
  return { taken, refused };
}

/**
 * Returns why a decision says nothing, or rests on nothing: it is a single word, or it cites only verdicts that had
 * nothing to examine. Returns undefined if neither is the case.
 */
function explainEmptyDecision(
  { view }: RoundsRun,
  text: string,
  cites: readonly { readonly id: string; readonly relation: string }[],
): string | undefined {
  if (isSingleWord(text)) return 'it is a word and no sentence';
  const grounds = cites.filter(({ relation }) => relation !== 'supersedes');
  const verdicts = view.rounds.flatMap(({ verifications }) => verifications);
  const isEmpty = (id: string): boolean =>
    verdicts.some((verdict) => verdict.id === id && verdict.result === 'NOT_APPLICABLE');
  return grounds.length > 0 && grounds.every(({ id }) => isEmpty(id))
    ? `it rests on ${[...new Set(grounds.map(({ id }) => id))].join(', ')}, which had nothing to examine`
    : undefined;
}

/** Returns why a decision cannot rest on its citations, or undefined if it can. */
function whyNot(
  roundsRun: RoundsRun,
  cites: readonly { id: string; relation: string; takes_as?: 'true' | 'false' | undefined }[],
  known: Citable,
): string | undefined {
  const wrong = cites.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  if (wrong.length > 0)
    return `it cites ${wrong.join(', ')}, which ${wrong.length === 1 ? 'does' : 'do'} not exist`;
  if (cites.every(({ relation }) => relation === 'supersedes'))
    return 'it cites nothing that carries it';
  for (const { id, relation, takes_as = 'true' } of cites) {
    const claim = entryOf(roundsRun.view.claims, id);
    if (claim === undefined || relation === 'supersedes') continue;
    if (claim.status === 'superseded') return `it rests on ${id}, which is superseded`;
    if (claim.status === 'tested_unclear') return `it rests on ${id}, which was withdrawn`;
    if (takes_as === 'true' && claim.status === 'tested_refuted')
      return `it takes ${id} as true, which was refuted`;
    if (takes_as === 'false' && claim.status === 'tested_confirmed')
      return `it takes ${id} as false, which was confirmed`;
  }
  return undefined;
}

function textOf(decision: unknown, lead: Role): string {
  if (typeof decision !== 'object' || decision === null || !('text' in decision))
    return `a decision of the ${lead}`;
  return typeof decision.text === 'string' ? decision.text : `a decision of the ${lead}`;
}
