/** The four roles, their duties, and the seats that play them. */

import type { ModelSpec, Seat } from '../../kernel/model.ts';
import { makeEffortSetting } from '../common/asking/thinking.ts';
import { isSince, type PromptEdition } from './prompts/order.ts';
import { ROLES, type Role } from './records/types.ts';

interface RoleInfo {
  readonly title: string;
  /** The question that the role asks about every proposal. */
  readonly question: string;
  /** What the role does. The phrase continues a sentence that begins with the role's title. */
  readonly does: string;
  readonly colour: string;
  readonly duty: string;
}

/** For each role, the texts that describe it to people and models, and its color. */
export const ROLE_INFO: Readonly<Record<Role, RoleInfo>> = {
  action: {
    title: 'Action',
    question: "Where's the verb?",
    does: 'makes it concrete: who does what, and what is different afterwards',
    colour: '#4caf50',
    duty: 'You make everything concrete. Whatever is proposed, you show what happens: which state there is, who does what, what the state is afterwards. Where nobody can say what would happen, you say that nothing was proposed.',
  },
  guardian: {
    title: 'Guardian',
    question: "What's the invariant?",
    does: 'names what must always hold, and whether the proposal keeps it',
    colour: '#2196f3',
    duty: 'You hold what must always be true. You state it so that it can be measured, with a tolerance, and you say plainly whether the proposal keeps it. You do not trade an invariant for convenience; you may find that it was the wrong one, and then you say so.',
  },
  observer: {
    title: 'Observer',
    question: 'Can a real operator navigate this?',
    does: 'walks through it as someone who has to live with the outcome',
    colour: '#ff9800',
    duty: 'You stand for the person who has to live with the outcome and was not in the room. You walk through it as that person, with what they know and the time they have, and you note where they hesitate, err or give up.',
  },
  critic: {
    title: 'Critic',
    question: "What's the strongest argument against this?",
    does: 'attacks it, with failures that others can reproduce',
    colour: '#f44336',
    duty: 'You attack. Each attack names its target, its preconditions and a failure that somebody else could reproduce. Where your attack finds nothing you write ROBUST; an attack that always succeeds is theatre, and so is one that never does.',
  },
};

/**
 * The kind of person for whom each role speaks in one deliberation, in a few words: `SRE lead` for the
 * Guardian.
 */
export type Cast = Readonly<Record<Role, string>>;

/** Makes the four seats of a deliberation from its cast and its models. */
export function makeRoundsSeats(cast: Cast, models: Readonly<Record<Role, ModelSpec>>): Seat[] {
  return ROLES.map((role) => {
    const { title, question, colour, duty } = ROLE_INFO[role];
    return {
      id: role,
      role,
      title,
      model: models[role],
      colour,
      brief: [
        `${roleSentence(title)} Your question to everything is: ${question}`,
        `In this deliberation you are: ${cast[role].trim()}.`,
        duty,
        OWN_ROLE,
      ].join('\n\n'),
    };
  });
}

const OWN_ROLE = 'Speak from your own role; the other three have theirs.';

/**
 * The sentences that describe the roles in prompts. A claim or a vote that mostly repeats them is refused.
 */
export const ROLE_SENTENCES: readonly string[] = Object.values(ROLE_INFO).flatMap(
  ({ title, question, duty }) => [
    ...[roleSentence(title), question, OWN_ROLE],
    ...duty.split(/(?<=[.;])\s+/),
  ],
);

function roleSentence(title: string): string {
  return `You have the role of ${title} in a structured deliberation of four roles.`;
}

/**
 * Makes the seat of the verifier, the model outside the panel that checks the roles' work.
 * @param edition the wording of the prompts
 * @param effort the thinking effort, if the model supports it
 */
export function makeVerifierSeat(model: ModelSpec, edition: PromptEdition, effort?: string): Seat {
  return {
    id: 'verifier',
    role: 'verifier',
    title: 'Verifier',
    model,
    ...makeEffortSetting(effort),
    // The verifier gets these instructions for all its tasks. Since edition 3 of the prompts, the result UNCLEAR is
    // explained only in the prompts of checks, because no other task can have this result.
    brief: isSince(edition, 3)
      ? 'You verify a deliberation that you are no part of. You do not know who the seats are and it does not matter. You decide by what is written in the material and by nothing else.'
      : 'You verify a deliberation that you are no part of. You do not know who the seats are and it does not matter. You compare what they handed in, decide by what is written there and by nothing else, and cite it. Where the material does not decide, you say UNCLEAR: that is a result, not a failure.',
  };
}
