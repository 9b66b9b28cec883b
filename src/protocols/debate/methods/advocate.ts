/**
 * An agreement put to the test: what two thirds of the blind answers say, by quotation, is questioned by
 * an advocate, defender by defender, and judged by somebody who is not on the panel.
 */
import {
  figures,
  findSentence,
  oneOf,
  protocol,
  quote,
  type SeatAtWork,
  z,
} from 'deliberate/protocol';

const words = z.string().min(1).max(400);

export default protocol({
  name: 'advocate',
  seats: {
    seat: {
      brief: 'You answer a question by yourself, and answer for what you say.',
      many: { least: 3, usual: 3 },
    },
    advocate: {
      brief: 'You look for what is wrong with what everybody holds.',
      many: { least: 0, usual: 0, most: 1 },
    },
    judge:
      'You are not on the panel. You judge by what stands in front of you alone, and quote it.',
  },
  texts: {
    answer:
      'Answer in at most 250 words, with your reasons. Then name your choice in at most eight words, and how sure you are, from 0 to 100.',
    consensus:
      'Below are independent answers. Which claims do most of them make? For each, at most six, quote from every answer that makes it the sentence in which it does, word for word.',
    question:
      'Below are claims that most answers share. Put the strongest question to each: what it takes for granted, where it fails, what would show it wrong.',
    defend: 'A claim that you share is questioned. Answer it, amend the claim, or concede it.',
    verdict:
      'Below are claims, what was asked of them and what was answered. Does each stand, is it weakened, or does it fall? Quote the sentence of an answer or a question that decides it, word for word.',
  },
  phases: {
    answer: [],
    'answer-options': ['answer.choice'],
    consensus: ['answer.answer'],
    question: ['consensus.text'],
    defend: ['own:answer.answer', 'consensus.text', 'question.text'],
    verdict: ['consensus.text', 'question.text', 'defend.text'],
  },
  calls: (_settings, ids) => [ids.length, ids.length * 4 + 4],
  async run({ seats, texts, prompt, askAll, poll, ledger, conclude }) {
    const of = (role: string) => seats.filter((seat) => seat.role === role);
    const first = await poll('answer', of('seat'), prompt(texts.answer), {
      judge: 'judge',
      least: 3,
    });
    const { answers, tally, tell } = first;
    const blind = `${tell(tally)}.`;
    const [found] = await askAll(
      'consensus',
      of('judge'),
      () => prompt(texts.consensus, quote(...answers)),
      {
        schema: z.object({
          claims: z
            .array(
              z.object({
                text: words,
                support: z.array(z.object({ of: oneOf(answers), quote: z.string() })),
              }),
            )
            .max(6),
        }),
      },
    );
    const find = (items: readonly { id: string; text: string }[]) => (words: string, id: string) =>
      findSentence(words, items.find((one) => one.id === id)?.text ?? '');
    const shared = figures.findShared(found?.value.claims ?? [], answers.length, find(answers));
    const claims = ledger('claims', 'C');
    await claims.add(
      'claims',
      '',
      shared.map(({ text }) => ({ text })),
    );
    if (claims.entries.length === 0)
      return conclude({
        result: 'No claim is shared by two thirds of the answers: there is no agreement to test.',
        first: blind,
        turns: 'the method standard debates what is in dispute.',
        belief:
          found === undefined
            ? 'unexamined: the judge had no answer.'
            : 'by quotations that code has looked up.',
      });

    const carriersOf = (at: number) => answers.filter(({ id }) => shared[at]?.carried.includes(id));
    const count = (seat: SeatAtWork) =>
      shared.filter((_, at) => carriersOf(at).some((one) => one.seat.id === seat.id)).length;
    const rising = answers
      .map(({ seat }) => seat)
      .toSorted((left, right) => count(left) - count(right));
    const asked = z.object({
      questions: z.array(z.object({ of: oneOf(claims.entries), text: words })).max(6),
    });
    const questions = ledger('questions', 'Q');
    let advocate: SeatAtWork | undefined;
    for (const seat of [...of('advocate'), ...rising]) {
      const [said] = await askAll(
        'question',
        [seat],
        () => prompt(texts.question, quote(...claims.quotables())),
        { schema: asked },
      );
      if (said === undefined) continue;
      advocate = seat;
      await questions.add('questions', seat.id, said.value.questions);
      break;
    }
    const defenders = (at: number) =>
      carriersOf(at).flatMap(({ seat }) => (seat.id === advocate?.id ? [] : [seat.id]));
    const carriers = new Map(claims.entries.map(({ id }, at) => [id, defenders(at)]));
    const due = figures.assignQuestions(questions.entries, carriers);
    const replies = ledger('replies', 'R');
    for (const lap of [1, 2]) {
      const turn = new Map(
        due.filter((one) => one.lap === lap).map((one) => [one.seat, one.question]),
      );
      const said = await askAll(
        `defend/${lap}`,
        answers.map(({ seat }) => seat).filter(({ id }) => turn.has(id)),
        ({ id }) =>
          prompt(
            texts.defend,
            quote({
              from: 'Your answer',
              text: answers.find(({ seat }) => seat.id === id)?.text ?? '',
            }),
            quote(...claims.quotables(), ...questions.quotables((one) => one.id === turn.get(id))),
          ),
        {
          schema: z.object({ stand: z.enum(['answered', 'amended', 'conceded']), text: words }),
        },
      );
      for (const { seat, value } of said) {
        const question = turn.get(seat.id) ?? '';
        await replies.add(`reply/${lap}/${seat.id}`, seat.id, [
          { of: question, text: value.text, kind: value.stand },
        ]);
        await questions.mark(`answered/${lap}/${seat.id}`, question, value.stand, value.text);
      }
    }
    const list = [...claims.quotables(), ...questions.quotables(), ...replies.quotables()];
    const [judged] = await askAll(
      'verdict',
      of('judge'),
      () => prompt(texts.verdict, quote(...list)),
      {
        schema: z.object({
          verdicts: z.array(
            z.object({
              claim: oneOf(claims.entries),
              verdict: z.enum(['stands', 'weakened', 'falls']),
              of: oneOf([...questions.entries, ...replies.entries]),
              quote: z.string(),
            }),
          ),
        }),
      },
    );
    const claimOf = new Map(questions.entries.map(({ id, of: claim = '' }) => [id, claim]));
    const about = new Map([
      ...claimOf,
      ...replies.entries.map(({ id, of: on = '' }) => [id, claimOf.get(on) ?? ''] as const),
    ]);
    const conceded = new Set(
      questions.entries.flatMap(({ status, of: claim = '' }) =>
        status === 'conceded' ? [claim] : [],
      ),
    );
    const ids = claims.entries.map(({ id }) => id);
    const statuses = figures.readVerdicts(
      ids,
      judged?.value.verdicts ?? [],
      about,
      conceded,
      find([...questions.entries, ...replies.entries]),
    );
    for (const { claim, status, why } of statuses)
      await claims.mark(`verdict/${claim}`, claim, status, why);
    const open = questions.entries.flatMap(({ id, status }) => (status === 'open' ? [id] : []));
    const wording = new Map(claims.entries.map(({ id, text }) => [id, text]));
    return conclude({ ...figures.tellExamination(statuses, wording, open), first: blind });
  },
});
