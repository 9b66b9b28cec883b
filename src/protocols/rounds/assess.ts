/**
 * Phase G: the lead's decisions. Code checks what they rest on; what is sound of an assessment is kept,
 * and each thing that is refused is named: one wrong id does not lose the decision beside it.
 */

import type { Reply } from '../../kernel/call.ts';
import { entryOf } from '../../kernel/entry.ts';
import { isSame } from './claims/judge.ts';
import { type FactBody, fact } from './facts.ts';
import type { DecisionView, RoleName, RoundView } from './fold.ts';
import { isSince } from './prompts/order.ts';
import {
  ANSWER_WORDS,
  type Assessment,
  assessmentSchema,
  assessmentTask,
  looseAssessmentSchema,
  looseDecisionSchema,
  ownWords,
} from './prompts/phases.ts';
import { decisionId } from './records/layout.ts';
import type { Piece, RoundsRun } from './rounds-run.ts';

/** Decisions that a round takes at most. */
const MOST_DECISIONS = 3;
const STANDS_ALREADY = 'says so already';

export async function assess(
  roundsRun: RoundsRun,
  round: number,
  lead: RoleName,
  heard: readonly Piece[],
): Promise<void> {
  const known = citable(roundsRun);
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
      ...(isSince(prompts, 3) ? ownWords(lead, lead, heard) : []),
    ].join('\n\n'),
  };
  const seat = roundsRun.seat(lead);
  const take = (reply: Reply, step: string, last: boolean): FactBody[] => {
    const answer = answerOf(reply);
    if (answer === undefined)
      return last ? [fact('round.closed', { round, tensions: [], impact: '' })] : [];
    const { taken, refused } = decide(roundsRun, round, lead, answer, known, step);
    const isOver = refused.every(
      (one) => one.type === 'decision.refused' && one.why.endsWith(STANDS_ALREADY),
    );
    return !last && !isOver ? [] : [...taken, ...refused, closing(round, answer)];
  };
  const reply = await roundsRun.ask('G/assessment', seat, round, prompt, (one, step) =>
    take(one, step, one.status === 'failed'),
  );
  if (reply.status !== 'done') return;
  const answer = answerOf(reply);
  const refusals =
    answer === undefined ? [] : decide(roundsRun, round, lead, answer, known, '').refused;
  // A decision that stands already is no reason to ask again.
  const wrong = refusals.filter(
    (one) => one.type !== 'decision.refused' || !one.why.endsWith(STANDS_ALREADY),
  );
  if (answer !== undefined && wrong.length === 0) return;
  const said = wrong.flatMap((one) =>
    one.type === 'decision.refused' ? `"${one.text.slice(0, 60)}": ${one.why}` : [],
  );
  const more = roundsRun.correction(
    reply.text,
    said.join('\n') || 'the answer could not be read',
    `Answer again, whole, and cite from these only: ${[...known.keys()].join(', ') || 'none exist yet'}.`,
  );
  await roundsRun.ask('G/assessment/again', seat, round, { ...prompt, more }, (one, step) =>
    one.status === 'failed'
      ? // What was sound of the first answer is not lost because the second one failed.
        take(reply, step, true)
      : take(one, step, true),
  );
}

function answerOf(reply: Reply): Assessment | undefined {
  const parsed = looseAssessmentSchema.safeParse(reply.status === 'done' ? reply.value : undefined);
  return parsed.success ? parsed.data : undefined;
}

function closing(round: number, { tensions = [], architecture_impact, answer }: Assessment) {
  const words = answer?.trim().split(/\s+/) ?? [];
  return fact('round.closed', {
    round,
    tensions: tensions.filter((one): one is string => typeof one === 'string' && one.trim() !== ''),
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

/** What an id names, of every claim, verification and decision there is. */
type Citable = ReadonlyMap<string, 'claim' | 'verification' | 'decision'>;

function citable(roundsRun: RoundsRun): Citable {
  return new Map([
    ...Object.keys(roundsRun.view.claims).map((id) => [id, 'claim'] as const),
    ...roundsRun.view.rounds.flatMap((one) => [
      // A verdict that could not stand carries nothing.
      ...one.verifications
        .filter(({ degraded }) => degraded === undefined)
        .map(({ id }) => [id, 'verification'] as const),
      ...one.decisions.map(({ id }) => [id, 'decision'] as const),
    ]),
  ]);
}

function decide(
  roundsRun: RoundsRun,
  round: number,
  lead: RoleName,
  { decisions = [] }: Assessment,
  known: Citable,
  step: string,
): { readonly taken: FactBody[]; readonly refused: FactBody[] } {
  const refs = roundsRun.round(round).artifacts.map(({ path }) => path);
  const standing = roundsRun.view.rounds.flatMap((one) => one.decisions);
  const taken: Extract<FactBody, { type: 'decision.made' }>[] = [];
  const refused: FactBody[] = [];
  const refuse = (text: string, why: string): void => {
    refused.push(fact('decision.refused', { round, text, why }));
  };
  for (const one of decisions) {
    const read = looseDecisionSchema.safeParse(one);
    if (!read.success) {
      refuse(textOf(one, lead), 'it lacks what a decision needs');
      continue;
    }
    const { text, conditions = [], made_by } = read.data;
    // Only a decision can be overturned: such a citation of anything else says nothing.
    const cites = read.data.cites.filter(
      ({ id, relation }) =>
        relation !== 'supersedes' || (known.get(id) ?? 'decision') === 'decision',
    );
    const twin = [...standing, ...taken].find((other) => isSame(other.text, text));
    const why =
      taken.length >= MOST_DECISIONS
        ? `a round takes ${MOST_DECISIONS} decisions at most`
        : twin !== undefined
          ? `${twin.id} ${STANDS_ALREADY}`
          : whyNot(roundsRun, cites, known);
    if (why !== undefined) {
      refuse(text, why);
      continue;
    }
    const waits = conditions.filter((id) => known.get(id) === 'claim');
    taken.push(
      fact('decision.made', {
        id: decisionId(round, taken.length + 1),
        ...{ round, text, round_artifact_refs: refs, step },
        made_by: sourceOf(made_by, roundsRun.round(round), lead, roundsRun.view.claims),
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

/** Why a decision cannot rest on what it cites; undefined where it can. */
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
    if (cites.some((other) => other.id === id && (other.takes_as ?? 'true') !== takes_as))
      return `it takes ${id} both as true and as false`;
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

/** In an artifact, by role: the lines in which the role does not go along with what was proposed. */
const OBJECTIONS: Readonly<Partial<Record<RoleName, RegExp>>> = {
  critic: /^#+ Verdict\s+BROKEN\b/m,
  guardian: /^#+ Verdict\s+FAIL\b/m,
  observer: /^#+ Goal reached\s+no\b/m,
};

/**
 * Returns how a decision came about: as the lead says, where the round bears it out, else it is the lead's
 * own. Consensus takes another role that was heard and none that objects, a concession one of the critic's
 * that was taken in the round.
 */
function sourceOf(
  said: DecisionView['made_by'],
  { artifacts, moves }: RoundView,
  lead: RoleName,
  claims: RoundsRun['view']['claims'],
): DecisionView['made_by'] {
  const others = artifacts.filter(({ role }) => role !== lead);
  const objects = others.some(({ role, markdown }) => OBJECTIONS[role]?.test(markdown) === true);
  const conceded = moves.some(
    ({ basis, claim }) => basis === 'conceded' && entryOf(claims, claim)?.raised_by === 'critic',
  );
  const stands = said === 'consensus' ? others.length > 0 && !objects : conceded;
  return stands ? said : 'round_lead';
}

function textOf(decision: unknown, lead: RoleName): string {
  if (typeof decision !== 'object' || decision === null || !('text' in decision))
    return `a decision of the ${lead}`;
  return typeof decision.text === 'string' ? decision.text : `a decision of the ${lead}`;
}
