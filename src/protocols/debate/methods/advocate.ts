/**
 * Tests an agreement: claims that two thirds of the blind answers contain (shown by quotation) are questioned
 * by an advocate, defended by the seats, and judged by a seat outside the panel.
 */
import {
  checkQuotes,
  figures,
  findSentence,
  oneOf,
  protocol,
  quote,
  statement,
  z,
} from 'deliberate/protocol';

const words = statement(400);
const stand = z.enum(['answered', 'amended', 'conceded']);
const verdict = z.enum(['stands', 'weakened', 'falls']);

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
      outsider: true,
    },
    judge:
      'You are not on the panel. You judge by what stands in front of you alone, and quote it.',
  },
  texts: {
    answer:
      'Answer in at most 250 words, with your reasons. Then name your choice in at most eight words, as it would stand on a ballot, and how sure you are, from 0 to 100.',
    consensus:
      'Below are independent answers. Which claims do most of them make? For each claim, at most six, quote from every answer that makes it the sentence in which it does, word for word. An answer that says it only with a condition makes another claim.',
    question:
      'Below are claims that most answers share. Put at least one question to each, the strongest you have: what it takes for granted, where it fails, what would show it wrong.',
    defend:
      'Below is a claim that you share, and a question to it. Answer it with a reason that you have not given yet, amend the claim in its new wording, or concede that it does not hold. Reply in at most 60 words.',
    verdict:
      'Below are claims, what was asked of them and what was answered. Does each claim stand, is it weakened, or does it fall? Quote, word for word, the sentence of a question or a reply that decides it. Leave out a claim of which nothing was asked.',
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
  async run({ seats, texts, prompt, askAll, present, poll, ledger, conclude }) {
    const getSeats = (role: string) => seats.filter((seat) => seat.role === role);
    const start = { judge: 'judge', least: 3 } as const;
    const first = await poll('answer', getSeats('seat'), prompt(texts.answer), start);
    const { answers } = first;
    const support = z.array(z.object({ of: oneOf(answers), quote: z.string() }));
    const [found] = await askAll(
      'consensus',
      getSeats('judge'),
      () => prompt(texts.consensus, quote(...answers)),
      {
        schema: z.object({ claims: z.array(z.object({ text: words, support })).max(6) }),
        check: (said) => checkQuotes(figures.readSupport(said.claims), answers),
        wrongTwice: 'keep',
      },
    );
    const examination = new figures.Examination(first, found?.value.claims, findSentence);
    const claims = ledger('claims', 'C');
    await claims.add('claims', '', examination.claims);
    if (claims.entries.length === 0) return conclude(examination.tellNone());

    const questions = ledger('questions', 'Q');
    const item = z.object({ of: oneOf(claims.entries), text: words });
    const put = z.object({ questions: z.array(item).min(1).max(6) });
    const panel = answers.map(({ seat }) => seat);
    for (const seat of [...getSeats('advocate'), ...present(examination.rank(panel))]) {
      const task = prompt(texts.question, quote(...claims.quotables()));
      const [said] = await askAll('question', [seat], () => task, { schema: put });
      if (said === undefined) continue;
      examination.advocate = seat;
      await questions.addAll('questions', [said], (value) => value.questions);
      break;
    }

    const due = examination.assign(claims.entries, questions.entries, present(panel));
    for (const lap of [1, 2]) {
      const turn = new Map(
        due.flatMap((assignment) =>
          assignment.lap === lap ? [[assignment.seat, assignment]] : [],
        ),
      );
      const said = await askAll(
        `defend/${lap}`,
        present(panel).filter(({ id }) => turn.has(id)),
        ({ id }) =>
          prompt(
            texts.defend,
            quote(...examination.own(id)),
            quote(...claims.quotables((entry) => entry.id === turn.get(id)?.claim)),
            quote(...questions.quotables((entry) => entry.id === turn.get(id)?.question)),
          ),
        { schema: z.object({ stand, text: words }) },
      );
      for (const { seat, value } of said) {
        const id = turn.get(seat.id)?.question ?? '';
        await questions.mark(`answered/${lap}/${seat.id}`, id, value.stand, value.text);
      }
    }

    const list = quote(...claims.quotables(), ...questions.quotables());
    const claim = oneOf(claims.entries);
    const judgement = z.object({ claim, verdict, of: oneOf(questions.entries), quote: z.string() });
    const [judged] = await askAll(
      'verdict',
      questions.entries.length === 0 ? [] : getSeats('judge'),
      () => prompt(texts.verdict, list),
      { schema: z.object({ verdicts: z.array(judgement) }) },
    );
    const verdicts = judged?.value.verdicts;
    const statuses = examination.judge(claims.entries, questions.entries, verdicts);
    for (const { claim, status, why } of statuses)
      await claims.mark(`verdict/${claim}`, claim, status, why);
    return conclude(examination.tell(statuses));
  },
});
