/**
 * Builds the prompts before the first round: who is called in, what each seat has to know, and whether
 * documents answer it.
 */

import * as z from 'zod';
import { makeNonce } from '../../../kernel/chance.ts';
import type { Message } from '../../../kernel/model.ts';
import { repeatsForm } from '../../../text/form-words.ts';
import { isSingleWord } from '../../../text/words/has-content.ts';
import { cleanTagLabel, encloseInTags } from '../../common/prompts/fence.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import { makeStatementSchema } from '../../common/prompts/statement.ts';
import type { Card, Edition } from '../config.ts';
import { buildPrompt, cardsPart } from './opening.ts';

/** The least and the most queries by which specialists are called in. */
const QUERIES = { least: 3, most: 8 } as const;
/** How many questions a seat may ask before the first round. */
export const QUESTIONS = 3;

interface Staffing {
  readonly queries: readonly string[];
  readonly clusters: readonly string[];
  readonly name?: string | undefined;
}

/**
 * Returns the schema of the chair's answer by which specialists are chosen: search queries and
 * clusters (domains of documents). From edition 3 of the rules on, it includes a name for the
 * plan's files.
 */
export function staffingSchema(clusters: readonly string[], edition: Edition): z.ZodType<Staffing> {
  const asked = {
    queries: z.array(z.string().min(1).max(300)).min(1).max(QUERIES.most),
    clusters: z.array(makeChoiceSchema(clusters)).max(clusters.length),
  };
  return edition < 3 ? z.object(asked) : z.object({ ...asked, name: z.string().max(80) });
}

/**
 * Builds the prompt that asks the chair which searches and clusters (domains of documents) fit the
 * topic, so that specialists can be chosen by them.
 * @param seed decides the names of the fences around untrusted text
 */
export function staffingMessages(
  topic: string,
  cards: readonly Card[],
  seed: number,
  edition: Edition,
): Message[] {
  return buildPrompt(
    topic,
    seed,
    [cardsPart(cards, seed)],
    [
      `queries: ${QUERIES.least} to ${QUERIES.most} searches, each a few words or a short question, that together find what this project's documents say about the topic: what it changes, what depends on that, what limits it.`,
      'clusters: the names of all clusters, copied from the list, whose people would be surprised to hear of this change afterwards. Leave out those that it only resembles.',
      ...(edition < 3
        ? []
        : [
            'name: what the files of this plan are called: two to five words with hyphens between them, as "clock-increment".',
          ]),
    ],
  );
}

const TO_KNOW =
  'Before you say anything about the plan: what do you have to know about how things are today?';
const QUESTIONS_TASK = `questions: at most ${QUESTIONS}, the one that matters most first. Each asks for one fact about today that a document or the code could tell, not for an opinion or a decision, and names what it is about: it is searched for by its words, and answered by somebody who reads it alone. why: what in your advice would change with the answer. None is a good answer if you have to know nothing.`;
/** The sentences and clauses of the task, without the names of the fields. */
const QUESTIONS_SENTENCES = [TO_KNOW, ...QUESTIONS_TASK.split(/(?<=[.:;?])\s+/)];

/** The schema of a seat's questions before the first round. */
export const questionsSchema = z.object({
  questions: z
    .array(
      z.object({
        question: makeStatementSchema(400)
          .refine((text) => !isSingleWord(text), 'it is a word and no question')
          .refine(
            (text) => !repeatsForm(text, QUESTIONS_SENTENCES),
            'it repeats what you were told instead of asking something',
          ),
        why: z.string(),
      }),
    )
    .max(QUESTIONS),
});

/**
 * Builds the prompt that asks a seat for questions that it needs answered before the first round.
 * @param clusters the descriptions of the seat's clusters
 * @param seed decides the names of the fences around untrusted text
 */
export function questionsMessages(
  topic: string,
  clusters: readonly Card[],
  seed: number,
): Message[] {
  return buildPrompt(
    topic,
    seed,
    [],
    [
      `Your domain: ${clusters.map(({ name, line }) => `${cleanTagLabel(name)} (${cleanTagLabel(line)})`).join(', ')}. ${TO_KNOW}`,
      QUESTIONS_TASK,
    ],
  );
}

interface LookUp {
  readonly answered: boolean | 'wholly' | 'partly' | 'not';
  readonly quotation: string;
  readonly missing?: string | undefined;
}

/**
 * Returns the schema of the answer that a reader looks up in documents. Before edition 3 of the
 * rules, the reader cannot say that a question is only partly answered.
 */
export function lookUpSchema(edition: Edition): z.ZodType<LookUp> {
  return edition < 3
    ? z.object({ answered: z.boolean(), quotation: z.string() })
    : z.object({
        answered: z.enum(['wholly', 'partly', 'not']),
        quotation: z.string(),
        missing: z.string().max(400),
      });
}

const LOOK_UP_TASK =
  'Is it answered above? answered: "wholly" only where the words above settle all of it; "partly" where they settle a part of it, and missing then says what is left to be known, as a question; "not" where they settle none of it: that they are about the same thing is not enough. quotation: the words that settle it, copied letter for letter from one block. Code looks whether they stand there. For "not": quotation: "" and missing: "".';

/** A section of a document with its headings. */
interface Piece {
  readonly place: string;
  readonly heading: string;
  readonly text: string;
}

/**
 * Builds the prompt that asks a reader whether sections of documents answer a question. `seed` decides the
 * names of the fences around untrusted text.
 */
export function lookUpMessages(
  topic: string,
  question: string,
  pieces: readonly Piece[],
  seed: number,
  edition: Edition,
): Message[] {
  const id = makeNonce(seed, 'pieces');
  return buildPrompt(
    topic,
    seed,
    [
      pieces
        .map(({ place, heading, text }) =>
          encloseInTags('piece', id, [place, heading].filter(Boolean).join(', '), text),
        )
        .join('\n\n'),
    ],
    [
      `The question: ${encloseInTags('record', id, 'question', question)}`,
      edition >= 3
        ? LOOK_UP_TASK
        : 'Is it answered above? answered: true only where the words above settle it; that they are about the same thing is not enough, and half an answer is none. Then quotation: the words that settle it, copied letter for letter from one block. Code looks whether they stand there. Otherwise answered: false and quotation: "".',
    ],
  );
}

/**
 * The schema of what a researcher found in the repository: `claims`, each with a quotation that shows it, and
 * `absent`, sentences that hold because the text `pattern` occurs nowhere below `paths`.
 */
export const researchSchema = z.object({
  claims: z
    .array(
      z.object({
        text: makeStatementSchema(600),
        quotation: z.string(),
      }),
    )
    .max(6),
  absent: z
    .array(
      z.object({
        text: makeStatementSchema(600),
        pattern: z.string().min(1).max(300),
        paths: z.array(z.string().max(300)).max(5),
      }),
    )
    .max(3),
});

/**
 * Builds the prompt that asks a researcher to look up a question. `servers` is true if tool servers may be
 * asked as well. `seed` decides the names of the fences around untrusted text.
 */
export function researchMessages(
  topic: string,
  question: string,
  seed: number,
  servers = false,
): Message[] {
  return buildPrompt(
    topic,
    seed,
    [],
    [
      `Find out in the repository:\n\n${encloseInTags('record', makeNonce(seed, 'research'), 'question', question)}`,
      'claims: at most six sentences that answer it, each true of the code as it stands. quotation: the words of a file that you have opened with read, copied letter for letter from one place, without the numbers before its lines, as many lines as it takes to show it to somebody who sees nothing else. Say no more than they show. Code looks whether they stand there, and somebody else reads whether they carry the sentence. No claims is the right answer where you found none.',
      'absent: what is true because something is nowhere. text: the sentence; pattern: the literal text that stands nowhere; paths: the folders or files it is not in, none for the whole repository. Code searches for it, and somebody else reads whether its absence shows the sentence.',
      ...(servers
        ? [
            'A quotation may also be the words of what a tool server answered, without the numbers before its lines. Such a claim says whose words they are and that they were found there; it is true of what was answered, not of the code.',
          ]
        : []),
    ],
  );
}

/**
 * The schema of a reader's verdicts on numbered sentences, each with a quotation. `carries` says whether the
 * quotation shows that the sentence is true.
 */
export const supportSchema = z.object({
  verdicts: z.array(z.object({ number: z.number().int(), carries: z.boolean(), why: z.string() })),
});

/**
 * Builds the prompt that asks a reader whether each sentence follows from its quotation. The reader sees
 * only the topic and these pairs. `seed` decides the names of the fences around untrusted text.
 */
export function carriesMessages(
  topic: string,
  pairs: readonly {
    readonly text: string;
    readonly quotation: string;
    readonly place: string;
  }[],
  seed: number,
): Message[] {
  const id = makeNonce(seed, 'pairs');
  const blocks = pairs.map(({ text, quotation, place }, index) =>
    [
      `${index + 1}.`,
      encloseInTags('answer', id, 'sentence', text),
      encloseInTags('piece', id, `quotation, ${place}`, quotation),
    ].join('\n'),
  );
  return buildPrompt(
    topic,
    seed,
    [blocks.join('\n\n')],
    [
      'For each number: does the quotation, with the name of the file it is from, show that the sentence is true? carries: true only if somebody who reads code and knew nothing else of this project would have to agree; what the names in it plainly say counts. A quotation about the same thing that leaves the sentence open does not carry it, nor does one that says the opposite.',
    ],
  );
}
