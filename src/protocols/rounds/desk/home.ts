/** Rounds on the home screen. */
import type { HomePart } from '../../../app/invocation.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import { formatTokens } from '../../../text/numbers.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { ROLE_INFO } from '../cast.ts';
import { ROLES } from '../records/types.ts';

/** The part of the home screen on which a person begins a deliberation in rounds. */
export const home: HomePart = {
  offer: () => ({
    id: 'rounds',
    title: 'Rounds',
    about: 'four roles test each other in rounds; you choose who',
    attaches: true,
    looks: true,
    usesTools: true,
    chair: 'Verifier',
    roles: ROLES.map((slug) => ({
      slug,
      name: ROLE_INFO[slug].title,
      about: ROLE_INFO[slug].question,
      brief: ROLE_INFO[slug].duty,
    })),
  }),
  convene: async (call, _config, { question, seats, chair, attachments, look, rehearse }) => {
    const { rounds } = await import('./convene.ts');
    const seat = seats.flatMap(({ role, model }) => (model ? [`${role}=${model}`] : []));
    const attach = attachments.map(({ path }) => path);
    const code = await rounds({
      ...call,
      words: [question],
      flags: {
        ...call.flags,
        rehearse,
        attach,
        seat,
        look: look.map(({ wish }) => wish),
        ...withoutUndefined({ verifier: chair }),
      },
    });
    return code !== 130;
  },
  estimate: ({ question, seats, attachments }) => {
    const read = estimateTokens([question, ...attachments.map(({ text }) => text)].join('\n'));
    return `four roles; every round reads about ${formatTokens(seats.length * read)} tok and what was said before; how many is asked next`;
  },
};
