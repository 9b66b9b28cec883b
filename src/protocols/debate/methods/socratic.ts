/**
 * An examination: one seat holds a thesis, the others question one statement of it at a time. It ends
 * with what is left of the thesis, and recommends nothing.
 */
import { figures, oneOf, protocol, quote, z } from 'deliberate/protocol';

const KINDS = ['definition', 'evidence', 'implication', 'counter-example'] as const;
const words = z.string().min(1).max(600);
const statement = z.object({ kind: z.enum(['thesis', 'definition']), text: words });

export default protocol({
  name: 'socratic',
  settings: z.object({ rounds: z.number().int().min(1).max(6).default(6) }),
  // The first seat answers, the others question in turn.
  seats: {
    seat: {
      brief: 'You look for what a statement means and whether it holds.',
      many: { least: 2, usual: 3 },
    },
  },
  texts: {
    thesis:
      'Answer with a thesis of one to three statements, and define the terms that it rests on.',
    question:
      'Below is a thesis, and what was asked of it. Ask one question at one statement, of one kind: what a term means, what the evidence is, what would follow, or a case against it. Ask nothing that was asked before of the same wording.',
    answer:
      'You hold the thesis below. Answer the question. If it makes you change the statement, give its new wording; if you give the statement up, concede. If it cannot be settled between you, say that it is an impasse.',
    impasse:
      'The one you questioned says that your question cannot be settled between you. Do you agree?',
  },
  phases: {
    thesis: [],
    question: ['thesis', 'question', 'answer'],
    answer: ['thesis', 'question', 'answer'],
    impasse: ['thesis', 'question', 'answer'],
  },
  calls: ({ rounds }) => [3, 1 + rounds * 4],
  async run({ settings, seats, texts, prompt, ask, askAll, ledger, show, conclude }) {
    const [respondent, ...questioners] = seats;
    if (respondent === undefined) throw new TypeError('a respondent is needed');
    const thesis = await askAll('thesis', [respondent], () => prompt(texts.thesis), {
      schema: z.object({ statements: z.array(statement).min(1).max(6) }),
      least: 1,
    });
    const held = ledger('statements', 'S');
    await held.addAll('statements', thesis, ({ statements }) => statements);
    const dialogue = new figures.Dialogue(held.entries);
    const put = ledger('questions', 'Q');
    for (let round = 1; round <= settings.rounds && dialogue.stop === undefined; round += 1) {
      const asker = questioners[(round - 1) % questioners.length];
      const open = dialogue.statements;
      if (asker === undefined || open.length === 0) break;
      const known = quote(...open, ...dialogue.asked);
      const [asked] = await askAll(
        `question/${round}`,
        [asker],
        () => prompt(texts.question, known),
        {
          schema: z.object({ of: oneOf(open), kind: z.enum(KINDS), text: words }),
          check: dialogue.checkQuestion,
        },
      );
      if (asked === undefined) {
        dialogue.skip();
        continue;
      }
      const [question] = await put.add(`asked/${round}`, asker.id, [asked.value]);
      const id = question?.id ?? '';
      dialogue.ask({
        id,
        round,
        seat: asker.id,
        statement: asked.value.of,
        kind: asked.value.kind,
        text: asked.value.text,
      });
      const [answered] = await askAll(
        `answer/${round}`,
        [respondent],
        () =>
          prompt(
            texts.answer,
            quote(...open),
            quote({ id, text: `${asked.value.of}, ${asked.value.kind}: ${asked.value.text}` }),
          ),
        {
          schema: z.object({
            answer: words,
            revised: z.string().max(600),
            concedes: z.boolean(),
            impasse: z.boolean(),
          }),
        },
      );
      if (answered === undefined) {
        dialogue.end('the respondent fell silent');
        break;
      }
      const { answer, revised, concedes, impasse } = answered.value;
      const agrees =
        impasse &&
        (await ask(
          `impasse/${round}`,
          asker.id,
          prompt(
            texts.impasse,
            quote({ id, text: asked.value.text }, { from: 'Answer', text: answer }),
          ),
          { schema: z.object({ agrees: z.boolean() }) },
        ).then(
          (one) => one.agrees,
          () => false,
        ));
      dialogue.answer(
        {
          question: id,
          round,
          text: answer,
          concedes,
          revised: revised.trim() === '' ? undefined : revised,
        },
        agrees ? [respondent.id, asker.id] : [],
      );
      await put.mark(`answered/${round}`, id, dialogue.statusOf(id), answer);
      const now = dialogue.wordingOf(asked.value.of);
      if (now.withdrawn || now.version > 1)
        await held.mark(
          `held/${round}`,
          asked.value.of,
          now.withdrawn ? 'withdrawn' : 'amended',
          now.text,
        );
    }
    await show('thesis-now', dialogue.figure());
    return conclude(dialogue.tell());
  },
});
