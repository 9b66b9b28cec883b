/**
 * Examines a thesis: one seat defends the thesis, and the others question one of its statements at
 * a time. The result is what remains of the thesis; nothing is recommended.
 */
import {
  figures,
  oneOf,
  optionalStatement,
  protocol,
  quote,
  statement,
  z,
} from 'deliberate/protocol';

const KINDS = ['definition', 'evidence', 'implication', 'counter-example'] as const;
const words = statement(600);
const entry = z.object({ kind: z.enum(['thesis', 'definition']), text: words });

export default protocol({
  name: 'socratic',
  settings: z.object({ rounds: z.number().int().min(1).max(6).default(6) }),
  // The first seat answers, and the other seats take turns to ask questions.
  seats: {
    seat: {
      brief: 'You look for what a statement means and whether it holds.',
      many: { least: 2, usual: 3 },
    },
  },
  texts: {
    thesis:
      'Answer with a thesis of one to three statements, and define in a sentence each the terms that it rests on.',
    question:
      'Below are the statements of a thesis as they are held now, then what was asked of them. Ask one question at one statement, of one kind: what a term means (definition), what speaks for it (evidence), what would follow (implication), or a case against it (counter-example). Ask nothing that was asked of the same wording. If nothing is left worth asking, name no statement: none.',
    answer:
      'You hold the statements below. Answer the question in at most 100 words. If your answer changes a statement, name it and give its whole new wording; else name none. Concede if you give up the statement that was asked about. Call it an impasse only if it cannot be settled between you by argument.',
    impasse:
      'The one you questioned says that your question cannot be settled between you by argument. Do you agree?',
  },
  phases: {
    thesis: [],
    question: ['thesis', 'question', 'answer'],
    answer: ['thesis', 'question', 'answer'],
    impasse: ['question', 'answer'],
  },
  calls: ({ rounds }) => [3, 1 + rounds * 4],
  async run({ settings, seats, texts, prompt, askAll, ledger, show, conclude }) {
    const [respondent, ...questioners] = seats;
    if (respondent === undefined) throw new TypeError('a respondent is needed');
    const thesis = await askAll('thesis', [respondent], () => prompt(texts.thesis), {
      schema: z.object({ statements: z.array(entry).min(1).max(6) }),
      least: 1,
    });
    const held = ledger('statements', 'S');
    await held.addAll('statements', thesis, ({ statements }) => statements);
    const put = ledger('questions', 'Q');
    const dialogue = new figures.Dialogue(held.entries);
    for (let round = 1; round <= settings.rounds && dialogue.stop === undefined; round += 1) {
      const asker = questioners[(round - 1) % questioners.length] ?? respondent;
      const open = dialogue.statements;
      const [asked] = await askAll(
        `question/${round}`,
        [asker],
        () => prompt(texts.question, quote(...open, ...dialogue.asked)),
        {
          schema: z.object({
            of: oneOf(open, 'none'),
            kind: z.enum(KINDS),
            text: optionalStatement(600),
          }),
          check: dialogue.checkQuestion,
        },
      );
      if (asked === undefined || asked.value.of === 'none') {
        dialogue.skip(asker.title, asked === undefined);
        continue;
      }
      const { of, kind, text } = asked.value;
      const [question] = await put.add(`asked/${round}`, asker.id, [asked.value]);
      const id = question?.id ?? '';
      dialogue.ask({ id, round, seat: asker.id, statement: of, kind, text });
      const [answered] = await askAll(
        `answer/${round}`,
        [respondent],
        () => prompt(texts.answer, quote(...open), quote({ id, text: `${of}, ${kind}: ${text}` })),
        {
          schema: z.object({
            answer: words,
            revises: oneOf(open, 'none'),
            wording: optionalStatement(600),
            concedes: z.boolean(),
            impasse: z.boolean(),
          }),
        },
      );
      if (answered === undefined) {
        dialogue.end('the respondent had no answer');
        break;
      }
      const { answer, impasse, ...change } = answered.value;
      const agreed = await askAll(
        `impasse/${round}`,
        impasse ? [asker] : [],
        () => prompt(texts.impasse, quote({ id, text }, { from: 'Answer', text: answer })),
        { schema: z.object({ agrees: z.boolean() }) },
      );
      const both = agreed.some(({ value }) => value.agrees) ? [respondent.id, asker.id] : [];
      dialogue.answer({ question: id, round, text: answer, ...change }, both);
      await put.mark(`answered/${round}`, id, dialogue.statusOf(id), answer);
      for (const now of dialogue.changed)
        await held.mark(`held/${round}/${now.id}`, now.id, now.status, now.text);
    }
    await show('thesis-now', dialogue.figure());
    return conclude(dialogue.tell());
  },
});
