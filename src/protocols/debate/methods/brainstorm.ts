/**
 * Collects ideas: first each seat alone, then building on everybody's ideas, shown without names and in
 * shuffled order; finally all seats rate the ideas of others.
 */
import {
  figures,
  type Item,
  oneOf,
  protocol,
  quote,
  type SeatAtWork,
  shuffle,
  statement,
  z,
} from 'deliberate/protocol';

const idea = statement(240);
const mark = z.number().int().min(1).max(10);

export default protocol({
  name: 'brainstorm',
  settings: z.object({
    /** Each seat is asked for at least this many ideas of its own. */
    ideas: z.number().int().min(6).max(12).default(6),
  }),
  seats: {
    seat: { brief: 'You look for what others would not think of.', many: { least: 2, usual: 4 } },
    judge: 'You are not on the panel. You find what is said twice.',
  },
  texts: {
    think:
      'Find ideas that differ from each other, one sentence each: what to do, and why it would help.',
    build:
      'Below are the ideas of all seats, shuffled. Build up to three new ones on them: combine two, turn one around, make one possible that is not. Name the idea that each owes most to. Repeat none.',
    rate: 'Mark every idea below from 1 to 10 for how new it is (novelty), how much it would change (impact), and how well it can be done (feasibility).',
  },
  phases: {
    think: [],
    build: ['think'],
    ideas: ['think', 'build'],
    rate: ['think', 'build'],
  },
  // The upper bound assumes that every seat's first list of ideas and first list of marks from 1 to 10 fail their
  // checks, so that each list takes a second call.
  calls: (_settings, ids) => [ids.length - 1, (ids.length - 1) * 5 + 2],
  async run({ settings, seats, texts, prompt, askAll, group, show, conclude }) {
    const panel = seats.filter(({ role }) => role === 'seat');
    const board = new figures.IdeaBoard(panel);
    const task = `${texts.think} At least ${settings.ideas}.`;
    const thought = await askAll('think', panel, () => prompt(task), {
      schema: z.object({ ideas: z.array(idea).min(1).max(12) }),
      check: ({ ideas }) =>
        ideas.length < settings.ideas
          ? `There are ${ideas.length} ideas, not ${settings.ideas}.`
          : undefined,
      wrongTwice: 'keep',
      least: 2,
    });
    board.add(
      thought.map(({ seat, value }) => ({ seat, value: value.ideas.map((text) => ({ text })) })),
      1,
    );
    const heard = thought.map(({ seat }) => seat);
    const quoteShuffled = (seat: SeatAtWork, at: number, items: readonly Item[]) =>
      quote(...shuffle(items, `${at}/${seat.id}`));
    const first = board.ideas;
    const built = await askAll(
      'build',
      heard,
      (seat) => prompt(texts.build, quoteShuffled(seat, 1, first)),
      {
        schema: z.object({ ideas: z.array(z.object({ of: oneOf(first), text: idea })).max(3) }),
      },
    );
    board.add(
      built.map(({ seat, value }) => ({ seat, value: value.ideas })),
      2,
    );
    const { groups } = await group('ideas', 'judge', board.ideas, { of: 'ideas', gate: true });
    board.join(groups);
    const all = board.ideas;
    const rated = await askAll(
      'rate',
      heard,
      (seat) => prompt(texts.rate, quoteShuffled(seat, 2, all)),
      {
        schema: z.object({
          ratings: z.array(
            z.object({ idea: oneOf(all), novelty: mark, impact: mark, feasibility: mark }),
          ),
        }),
        check: ({ ratings }) => {
          const missing = all.filter(({ id }) => !ratings.some((rating) => rating.idea === id));
          return missing.length === 0
            ? undefined
            : `Not marked: ${missing.map(({ id }) => id).join(', ')}.`;
        },
        wrongTwice: 'keep',
      },
    );
    board.rate(rated);
    for (const [at, figure] of board.figures().entries()) await show(`figure/${at + 1}`, figure);
    return conclude(board.tell());
  },
});
