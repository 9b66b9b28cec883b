/** Who is called in, what each has to know first, and whether the documents tell it. */
import * as z from 'zod';
import { nonce } from '../../../kernel/chance.ts';
import type { Message } from '../../../kernel/model.ts';
import { quote } from '../../common/quote.ts';
import type { Card } from '../config.ts';
import { ask, cardsPart } from './opening.ts';

/** Of the design: enough to come from several sides, few enough to be read. */
export const QUERIES = { least: 3, most: 8 } as const;
export const QUESTIONS = 3;

export function staffingSchema(clusters: readonly string[]) {
  return z.object({
    queries: z.array(z.string().min(1).max(300)).min(1).max(QUERIES.most),
    clusters: z.array(oneOf(clusters)).max(clusters.length),
  });
}

/** A text that is to be one of these; code drops what is not. */
export function oneOf(ids: readonly string[]) {
  return ids.length === 0 ? z.string() : z.string().meta({ enum: [...ids] });
}

export function staffingMessages(topic: string, cards: readonly Card[], seed: number): Message[] {
  return ask(
    topic,
    seed,
    [cardsPart(cards, seed)],
    [
      `queries: ${QUERIES.least} to ${QUERIES.most} searches, each a few words or a short question, that together find what this project's documents say about the topic: what it changes, what depends on that, what limits it.`,
      'clusters: the names of all clusters, copied from the list, whose people would be surprised to hear of this change afterwards. Leave out those that it only resembles.',
    ],
  );
}

export const questionsSchema = z.object({
  questions: z
    .array(z.object({ question: z.string().min(1).max(400), why: z.string() }))
    .max(QUESTIONS),
});

export function questionsMessages(
  topic: string,
  clusters: readonly string[],
  seed: number,
): Message[] {
  return ask(
    topic,
    seed,
    [],
    [
      `Your domain: ${clusters.join(', ')}. Before you say anything about the plan: what do you have to know about how things are today?`,
      `questions: at most ${QUESTIONS}, the one that matters most first. Each asks for one fact that a document or the code could tell, not for an opinion or a decision. why: what in your advice would change with the answer. None is a good answer if you have to know nothing.`,
    ],
  );
}

export function lookUpSchema(places: readonly string[]) {
  return z.object({ answered: z.boolean(), place: oneOf(places), quotation: z.string() });
}

/** A piece of the documents, as a reader cites it. */
export interface Piece {
  readonly place: string;
  readonly text: string;
}

export function lookUpMessages(
  topic: string,
  question: string,
  pieces: readonly Piece[],
  seed: number,
): Message[] {
  const id = nonce(seed, 'pieces');
  return ask(
    topic,
    seed,
    [pieces.map(({ place, text }) => quote('piece', id, place, text)).join('\n\n')],
    [
      `The question: ${quote('record', id, 'question', question)}`,
      'Is it answered above? answered: true only where the words above settle it; that they are about the same thing is not enough, and half an answer is none. Then place: where, copied from the block; quotation: the words that settle it, copied letter for letter. Code looks whether they stand there. Otherwise answered: false and the rest empty.',
    ],
  );
}

export const researchSchema = z.object({
  claims: z
    .array(
      z.object({
        text: z.string().min(1).max(600),
        quotation: z.string(),
      }),
    )
    .max(6),
  absent: z
    .array(
      z.object({
        text: z.string().min(1).max(600),
        pattern: z.string().min(1).max(300),
        paths: z.array(z.string().max(300)).max(5),
      }),
    )
    .max(3),
});

export function researchMessages(topic: string, question: string, seed: number): Message[] {
  return ask(
    topic,
    seed,
    [],
    [
      `Find out in the repository:\n\n${quote('record', nonce(seed, 'research'), 'question', question)}`,
      'claims: at most six sentences that answer it, each true of the code as it stands. quotation: the words of a file that you have opened with read, copied letter for letter from one place, that show it. Code looks whether they stand there, and somebody else reads whether they carry the sentence, seeing nothing else. No claims is the right answer where you found none.',
      'absent: what is true because something is nowhere. text: the sentence; pattern: the literal text that stands nowhere; paths: the folders or files it is not in, none for the whole repository. Code searches for it.',
    ],
  );
}

export const carriesSchema = z.object({
  verdicts: z.array(z.object({ number: z.number().int(), carries: z.boolean(), why: z.string() })),
});

/** Sentences with their quotations alone, numbered: whether the one follows from the other. */
export function carriesMessages(
  topic: string,
  pairs: readonly { readonly text: string; readonly quotation: string }[],
  seed: number,
): Message[] {
  const id = nonce(seed, 'pairs');
  const blocks = pairs.map(({ text, quotation }, index) =>
    [
      `${index + 1}.`,
      quote('answer', id, 'sentence', text),
      quote('piece', id, 'quotation', quotation),
    ].join('\n'),
  );
  return ask(
    topic,
    seed,
    [blocks.join('\n\n')],
    [
      'For each number: does the quotation, read alone, show that the sentence is true? carries: true only if somebody who knew nothing else would have to agree. A quotation about the same thing that leaves the sentence open does not carry it, nor does one that says the opposite.',
    ],
  );
}
