/** Phase G: the lead's decisions. Code checks what they cite; what cites nothing real is not taken. */

import type { Reply } from '../../kernel/call.ts';
import type { Message } from '../../kernel/model.ts';
import { type FactBody, fact } from './facts.ts';
import type { RoleName } from './fold.ts';
import {
  type Assessment,
  assessmentSchema,
  assessmentTask,
  looseAssessmentSchema,
} from './prompts/phases.ts';
import { decisionId } from './records/layout.ts';
import type { Desk, Piece } from './state.ts';

export async function assess(
  desk: Desk,
  round: number,
  lead: RoleName,
  pieces: readonly Piece[],
): Promise<void> {
  const known = citable(desk);
  const prompt = {
    kind: 'assessment',
    pieces,
    schema: assessmentSchema([...known.keys()]),
    task: assessmentTask(),
  };
  const seat = desk.seat(lead);
  const take = (reply: Reply, step: string, last: boolean): FactBody[] => {
    const answer = answerOf(reply);
    if (answer === undefined)
      return last ? [fact('round.closed', { round, tensions: [], impact: '' })] : [];
    if (!last && dangling(answer, known).length > 0) return [];
    return decide(desk, round, answer, known, step);
  };
  const reply = await desk.ask('G/assessment', seat, round, prompt, (one, step) =>
    take(one, step, one.status === 'failed'),
  );
  const answer = answerOf(reply);
  const wrong = answer === undefined ? [] : dangling(answer, known);
  if (reply.status !== 'done' || (answer !== undefined && wrong.length === 0)) return;
  const more: Message[] = [
    { role: 'assistant', parts: [{ text: reply.text }] },
    {
      role: 'user',
      parts: [
        {
          text: `These ids do not exist: ${wrong.join(', ') || '(the answer could not be read)'}. Answer again, and cite from these only: ${[...known.keys()].join(', ') || 'none exist yet'}.`,
        },
      ],
    },
  ];
  await desk.ask('G/assessment/again', seat, round, { ...prompt, more }, (one, step) =>
    take(one, step, true),
  );
}

function answerOf(reply: Reply): Assessment | undefined {
  const parsed = looseAssessmentSchema.safeParse(reply.status === 'done' ? reply.value : undefined);
  return parsed.success ? parsed.data : undefined;
}

/** What an id names, of every claim, verification and decision there is. */
type Citable = ReadonlyMap<string, 'claim' | 'verification' | 'decision'>;

function citable(desk: Desk): Citable {
  return new Map([
    ...Object.keys(desk.view.claims).map((id) => [id, 'claim'] as const),
    ...desk.view.rounds.flatMap((one) => [
      ...one.verifications.map(({ id }) => [id, 'verification'] as const),
      ...one.decisions.map(({ id }) => [id, 'decision'] as const),
    ]),
  ]);
}

function dangling(answer: Assessment, known: Citable): string[] {
  return answer.decisions.flatMap(({ cites }) =>
    cites.filter(({ id }) => !known.has(id)).map(({ id }) => id),
  );
}

function decide(
  desk: Desk,
  round: number,
  answer: Assessment,
  known: Citable,
  step: string,
): FactBody[] {
  const refs = desk.round(round).artifacts.map(({ path }) => path);
  const taken: FactBody[] = [];
  const refused: FactBody[] = [];
  for (const { text, cites, made_by } of answer.decisions) {
    const wrong = cites.filter(({ id }) => !known.has(id)).map(({ id }) => id);
    const found = cites.flatMap(({ id, relation }) => {
      const type = known.get(id);
      return type === undefined ? [] : [{ type, id, relation }];
    });
    if (wrong.length > 0)
      refused.push(
        fact('decision.refused', {
          round,
          text,
          why: `it cites ${wrong.join(', ')}, which do not exist`,
        }),
      );
    else
      taken.push(
        fact('decision.made', {
          id: decisionId(round, taken.length + 1),
          round,
          text,
          cites: found,
          made_by,
          round_artifact_refs: refs,
          step,
        }),
      );
  }
  return [
    ...taken,
    ...refused,
    fact('round.closed', { round, tensions: answer.tensions, impact: answer.architecture_impact }),
  ];
}
