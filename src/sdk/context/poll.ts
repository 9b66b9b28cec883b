/**
 * Polls: blind answers with a ballot each, the grouping of choices into options, and the comparison with
 * later ballots.
 */
import * as z from 'zod';
import { type Ballot, compareBallots, countBallots, type Tally } from '../../figures/tally.ts';
import { explainRefusedOption } from '../../protocols/common/voting/refused-option.ts';
import type {
  AskAll,
  Context,
  Heard,
  Item,
  LastBallot,
  Poll,
  Polled,
  SeatAtWork,
} from '../define.ts';

type Parts = Pick<Context<never, string, never>, 'group' | 'show'> & { readonly askAll: AskAll };

const answerSchema = z.object({
  answer: z.string().min(1),
  /** The seat's choice in a few words, as on a ballot. */
  choice: z.string().min(1).max(80),
  /** How sure the seat is, from 0 to 100. Other seats are not shown this. */
  confidence: z.number().min(0).max(100),
});

/**
 * Asks each seat for an answer with a choice, before it sees any other, then groups the choices
 * into options and counts them. A seat is asked again if its choice is a question, says nothing, or
 * consists only of words such as `option` or `answer`.
 * @param judge the id of the seat that groups the choices
 * @throws TooFew if fewer than `least` seats answered; default: one
 */
export async function takePoll(
  { askAll, group, show, question }: Parts & { readonly question: string },
  key: string,
  seats: readonly SeatAtWork[],
  prompt: string,
  { judge, least = 1 }: { readonly judge: string; readonly least?: number },
): Promise<Poll> {
  const check = ({ answer, choice }: z.infer<typeof answerSchema>): string | undefined => {
    const why = explainRefusedOption(choice, choice, { question, told: [], said: answer });
    return why && `${why.replace(/^its option/, 'the choice')}.`;
  };
  const heard = await askAll(key, seats, () => prompt, { schema: answerSchema, check, least });
  const answers = heard.map(
    ({ seat, value }, at): Polled => ({
      id: `A${at + 1}`,
      seat,
      text: value.answer,
      choice: value.choice.trim(),
      confidence: value.confidence,
    }),
  );
  const items = answers.map(({ id, choice }) => ({ id, text: choice }));
  const { groups } = await group(`${key}-options`, judge, items, { of: 'choices' });
  const options = groups.map((ids, at) => ({
    id: `O${at + 1}`,
    text: answers.find(({ id }) => id === ids[0])?.choice ?? '',
  }));
  const optionOf = (answer: string): string =>
    options[groups.findIndex((ids) => ids.includes(answer))]?.id ?? '';
  const ballots = answers.map(({ id, seat }) => ({ seat: seat.id, option: optionOf(id) }));
  const nameOption = (id: string): string => options.find((option) => option.id === id)?.text ?? id;
  const tally = countBallots(ballots);
  await show(`${key}-tally`, {
    kind: 'bars',
    title: 'Before anybody was read',
    whole: Math.max(1, tally.heard),
    rows: tally.options.map(({ option, seats: voters }) => ({
      label: nameOption(option),
      value: voters.length,
      text: `${voters.length} of ${tally.heard}`,
    })),
  });
  return {
    answers,
    options,
    ballots,
    tally,
    name: nameOption,
    tell: (tally) => tellTally(tally, nameOption),
  };
}

/** Formats a tally: `Keep it: 2 of 3; split it: 1 of 3`. */
function tellTally({ options, heard }: Tally, name: (id: string) => string): string {
  return options
    .map(({ option, seats }) => `${name(option)}: ${seats.length} of ${heard}`)
    .join('; ');
}

/**
 * Compares the last ballots with the first ones, and shows each seat's first and last choice in the step `key`.
 * @param reasons the texts whose ids a last ballot may give as its reason
 * @returns the count of the last ballots (`tally`), their result in a sentence, sentences on who changed and why
 * (`moved`), and the titles of seats that changed without a reason (`unexplained`)
 */
export async function comparePoll(
  { show }: Pick<Parts, 'show'>,
  key: string,
  poll: Poll,
  last: readonly Heard<LastBallot>[],
  reasons: readonly Item[] = [],
): Promise<{ tally: Tally; result: string; moved: string; unexplained: readonly string[] }> {
  const { ballots, answers, name } = poll;
  const after: Ballot[] = last.map(({ seat, value }) => ({ seat: seat.id, option: value.option }));
  const { changed, held } = compareBallots(ballots, after);
  const getTitle = (id: string): string =>
    answers.find(({ seat }) => seat.id === id)?.seat.title ?? id;
  const reasonOf = (id: string): string | undefined => {
    const because = last.find(({ seat }) => seat.id === id)?.value.because;
    return because === undefined || because === NOTHING ? undefined : because;
  };
  const nameReason = (id: string): string => {
    const reason = reasonOf(id);
    return reason === undefined ? 'names no reason' : `names ${reason}`;
  };
  const quoteReason = (id: string): string => {
    const text = reasons
      .find((reason) => reason.id === reasonOf(id))
      ?.text.trim()
      .replace(/\.$/, '');
    return text === undefined ? '' : `: “${text}”`;
  };
  const formatConfidence = (id: string): string[] => {
    const was = answers.find(({ seat }) => seat.id === id)?.confidence;
    const is = last.find(({ seat }) => seat.id === id)?.value.confidence;
    return was === undefined || is === undefined ? [] : [`sure ${was} → ${is}`];
  };
  await show(key, {
    kind: 'changes',
    title: 'Before and after',
    rows: ballots.map(({ seat, option }) => {
      const now = after.find((ballot) => ballot.seat === seat)?.option;
      const told = [
        ...(now === undefined || now === option ? [] : [nameReason(seat)]),
        ...formatConfidence(seat),
      ];
      return {
        label: getTitle(seat),
        before: name(option),
        after: now === undefined ? 'not heard' : name(now),
        ...(told.length === 0 ? {} : { text: told.join('; ') }),
      };
    }),
  });
  const moves = changed.map(
    ({ seat, from, to }) =>
      `${getTitle(seat)} went from “${name(from)}” to “${name(to)}” and ${nameReason(seat)}${quoteReason(seat)}`,
  );
  const tally = countBallots(after);
  return {
    tally,
    result: tellResult(tally, ballots.length, name),
    moved: tellMoves(moves, held.length),
    unexplained: changed.flatMap(({ seat }) =>
      reasonOf(seat) === undefined ? [getTitle(seat)] : [],
    ),
  };
}

/** Describes who changed; if nobody voted again, says that this is unknown. */
function tellMoves(moves: readonly string[], held: number): string {
  if (moves.length > 0) return `${moves.join('; ')}.`;
  return held === 0 ? 'Unknown: nobody voted again.' : `Nobody changed; ${held} held.`;
}

/**
 * Describes the result. `asked`: the number of seats that cast a first ballot. One ballot gives no result.
 */
function tellResult(tally: Tally, asked: number, name: (option: string) => string): string {
  const { heard, winner, majority, options } = tally;
  if (heard < 2) return `No result: ${heard} of ${asked} seats voted in the end.`;
  const [first] = options;
  if (winner !== undefined && majority)
    return `${name(winner)}: ${first?.seats.length} of ${heard} seats in the end.`;
  return `No majority. ${tellTally(tally, name)}.`;
}

/** The word with which a seat says that nothing it was shown changed its choice. */
const NOTHING = 'nothing';
