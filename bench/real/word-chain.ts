/**
 * Makes the worst possible model, and a fast one: a chain of words that knows only which word follows which
 * in this project's documentation. It is a real GGUF file with one empty layer, so that real servers run it
 * with their own grammars and counts; a token takes a hundredth of the time of the smallest real model. It
 * writes about claims, evidence and rounds, fills every form, and means nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { entryOf } from '../../src/kernel/entry.ts';
import { type GgufTensor, writeGguf } from './gguf.ts';

/**
 * The number of tokens in the vocabulary. The model is as wide, so that each token has a dimension of its
 * own.
 */
const SIZE = 1_024;
const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const [START, END] = ['<|im_start|>', '<|im_end|>'];
/** Words that answers' schemas require, beside the words of the documentation. */
const OF_FORMS = [
  ...['C-1-1', 'C-1-2', 'C-2-1', 'D-1-1', 'V-1-1', 'R1', 'R2', 'S-1', '#L1', '#L3', 'round-1/'],
  ...['critic', 'guardian', 'observer', 'action', 'verifier', '.md', 'true', 'false', 'null'],
  ...['BROKEN', 'ROBUST', 'UNCLEAR', 'confirmed', 'refuted', 'open', 'holds', 'fails', 'yes', 'no'],
];
/** The number of word pieces of two to four letters, for words that are not in the vocabulary. */
const PIECES = 280;
/**
 * The factor by which full stops and commas are reduced, because most words around them are missing here.
 */
const STOP_WEIGHT = 0.3;
/**
 * The share of the next word's probability that goes to each of these instead of the words of the
 * documentation.
 */
const QUOTE_SHARE = 0.08;
const END_SHARE = 0.015;
/**
 * The share that goes to each of these after a sign of JSON, so that lists end soon and nothing is only
 * white space.
 */
const SIGNS = '"{}[]:,';
const SIGN_SHARES: Readonly<Record<string, number>> = {
  '"': 0.2,
  ',': 0.12,
  ']': 0.16,
  '}': 0.08,
  ':': 0.05,
  '{': 0.05,
};
/** How many different words the texts of the chain of sentences begin with. */
const OPENINGS = 32;
/** Invented ids that a text can begin with instead. */
const OPENING_IDS = ['C-1-1', 'C-1-2', 'S-1#L1', 'R1', 'D-1-1'];
/** The total weight of all openings of a text after a sign of JSON. */
const OPENING_SHARE = 0.5;
/** The weight of the end of a text after a full stop. */
const CLOSING_SHARE = 0.45;
/** The weights of signs after `[`, so that most lists have an entry. */
const LIST_SHARES: Readonly<Record<string, number>> = { '{': 4, ']': 0.5 };
/** The weights of digits that begin a number outside of texts. */
const FIRST_DIGITS: Readonly<Record<string, number>> = {
  '0': 0.1,
  '1': 0.05,
  '2': 0.02,
  '3': 0.02,
};
/** The weights of signs after a digit, so that numbers are short. */
const DIGIT_SHARES: Readonly<Record<string, number>> = { ',': 0.3, '}': 0.2, ']': 0.1, '.': 0.2 };
/** The least weight of every token, so that a grammar can require any. */
const LEAST = 1e-7;

/**
 * Writes the GGUF file of a fake model that knows only which word follows which in the documentation. Most of
 * the texts that this model answers are fragments, which code refuses.
 */
export function writeWordChain(file: string): void {
  writeChain(file, 'words');
}

/**
 * Writes the GGUF file of a fake model that fills every text of an answer with whole but meaningless sentences,
 * made of words that follow each other in the documentation.
 */
export function writeSentenceChain(file: string): void {
  writeChain(file, 'sentences');
}

type Kind = 'words' | 'sentences';

function writeChain(file: string, kind: Kind): void {
  const texts = readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) =>
      readFileSync(`${DOCS}${name}`, 'utf8').replace(/```[\s\S]*?```|[|*`#[\]]/g, ' '),
    );
  const openings = kind === 'sentences' ? findOpenings(texts) : [];
  const tokens = makeVocabulary(texts, openings);
  const output = kind === 'sentences' ? sentencesOf(tokens, texts) : outputOf(tokens, texts);
  writeFileSync(file, writeGguf(headerOf(tokens), tensorsOf(output)));
}

/**
 * Returns single bytes, the two marks of a turn, the most frequent word pieces, and words with the space
 * before them.
 */
function makeVocabulary(texts: readonly string[], openings: readonly string[]): readonly string[] {
  const text = texts.join('\n');
  const words = mostFrequent(text.matchAll(/ [A-Za-z]{2,14}(?= |[.,;:])/g));
  const pieces = [2, 3, 4].flatMap((length) =>
    [...text.matchAll(/[a-z]{5,}/g)].flatMap(([word]) =>
      Array.from({ length: word.length - length + 1 }, (_, at) => [word.slice(at, at + length)]),
    ),
  );
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  const whole = [
    ...openings,
    ...[...OF_FORMS, ...OF_FORMS.map((word) => ` ${word}`)],
    ...mostFrequent(pieces).slice(0, PIECES),
    ...words,
  ];
  return [...bytes, START, END, ...new Set(whole)].slice(0, SIZE);
}

/** Returns the words that sentences begin with and `OPENING_IDS`, each behind a quotation mark. */
function findOpenings(texts: readonly string[]): readonly string[] {
  const starts = mostFrequent(texts.join('\n').matchAll(/(?<=\. )[A-Z][a-z]+(?= )/g));
  return [...starts.slice(0, OPENINGS), ...OPENING_IDS].map((word) => `"${word}`);
}

/** Returns the strings, each once, with the most frequent first. */
function mostFrequent(found: Iterable<readonly string[]>): string[] {
  const counts = new Map<string, number>();
  for (const [piece = ''] of found) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([piece]) => piece);
}

function headerOf(tokens: readonly string[]): Parameters<typeof writeGguf>[0] {
  const type = 'llama';
  const escaped = tokens.map((token, index) =>
    index < 256 ? `\\x${index.toString(16).padStart(2, '0')}` : token,
  );
  return {
    'general.architecture': type,
    'general.name': 'word-chain',
    [`${type}.context_length`]: 131_072,
    [`${type}.embedding_length`]: SIZE,
    [`${type}.block_count`]: 1,
    [`${type}.feed_forward_length`]: HIDDEN,
    [`${type}.attention.head_count`]: 1,
    [`${type}.attention.head_count_kv`]: 1,
    [`${type}.attention.key_length`]: HIDDEN,
    [`${type}.attention.value_length`]: HIDDEN,
    [`${type}.attention.layer_norm_rms_epsilon`]: { real: 1e-9 },
    [`${type}.rope.dimension_count`]: HIDDEN,
    [`${type}.vocab_size`]: SIZE,
    // This tokenizer takes the longest word that matches the text, whatever the word consists of.
    'tokenizer.ggml.model': 'rwkv',
    'tokenizer.ggml.tokens': escaped,
    'tokenizer.ggml.token_type': tokens.map((token) => (token === START || token === END ? 3 : 1)),
    'tokenizer.ggml.eos_token_id': tokens.indexOf(END),
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.chat_template': `{% for message in messages %}${START}{{ message.role }}\n{{ message.content }}${END}\n{% endfor %}{% if add_generation_prompt %}${START}assistant\n{% endif %}`,
  };
}

/** The width of the layer that does nothing. */
const HIDDEN = 64;

function tensorsOf(output: Float32Array): GgufTensor[] {
  const ones = new Float32Array(SIZE).fill(1);
  const embedding = new Float32Array(SIZE * SIZE);
  for (let token = 0; token < SIZE; token += 1) embedding[token * SIZE + token] = 1;
  const makeEmptyTensor = (name: string, columns: number, rows: number): GgufTensor => ({
    name: `blk.0.${name}.weight`,
    columns,
    rows,
    values: new Float32Array(columns * rows),
  });
  return [
    { name: 'token_embd.weight', columns: SIZE, rows: SIZE, values: embedding },
    { name: 'blk.0.attn_norm.weight', columns: SIZE, values: ones },
    ...['attn_q', 'attn_k', 'attn_v'].map((name) => makeEmptyTensor(name, SIZE, HIDDEN)),
    makeEmptyTensor('attn_output', HIDDEN, SIZE),
    { name: 'blk.0.ffn_norm.weight', columns: SIZE, values: ones },
    ...['ffn_gate', 'ffn_up'].map((name) => makeEmptyTensor(name, SIZE, HIDDEN)),
    makeEmptyTensor('ffn_down', HIDDEN, SIZE),
    { name: 'output_norm.weight', columns: SIZE, values: ones },
    { name: 'output.weight', columns: SIZE, rows: SIZE, values: output },
  ];
}

/**
 * Returns the logarithms of the probabilities of each next token after each token, a row for each next
 * token, scaled as the norm before requires.
 */
function outputOf(tokens: readonly string[], texts: readonly string[]): Float32Array {
  const follows = countPairs(tokens, texts);
  const scale = Math.sqrt(SIZE);
  const [quote, end] = ['"'.charCodeAt(0), tokens.indexOf(END)];
  const output = new Float32Array(SIZE * SIZE);
  for (let before = 0; before < SIZE; before += 1) {
    const counts = follows.get(before) ?? follows.get(-1) ?? new Map<number, number>();
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const isLifeSign = before < 256 && SIGNS.includes(tokens[before] ?? '');
    for (let next = 0; next < SIZE; next += 1) {
      const share = all === 0 ? 0 : (counts.get(next) ?? 0) / all;
      const own = next === quote ? QUOTE_SHARE : next === end ? END_SHARE : 0;
      const asSign = isLifeSign && next < 256 ? (entryOf(SIGN_SHARES, tokens[next] ?? '') ?? 0) : 0;
      const likely = share * (1 - QUOTE_SHARE - END_SHARE) + Math.max(own, asSign) + LEAST;
      output[next * SIZE + before] = Math.log(likely) / scale;
    }
  }
  return output;
}

/**
 * Returns the weights of the chain of sentences. Texts begin with an opening and mostly end at a full stop.
 */
function sentencesOf(tokens: readonly string[], texts: readonly string[]): Float32Array {
  const follows = countPairs(tokens, texts);
  const scale = Math.sqrt(SIZE);
  const ids = new Map(tokens.map((token, index) => [token, index]));
  const openings = tokens.flatMap((token, index) => (/^"\w/.test(token) ? [index] : []));
  const output = new Float32Array(SIZE * SIZE).fill(Math.log(LEAST) / scale);
  tokens.forEach((token, before) => {
    const setLikelihood = (next: number | undefined, likely: number): void => {
      if (next !== undefined) output[next * SIZE + before] = Math.log(likely + LEAST) / scale;
    };
    const isByte = before < 256;
    const setWords = (counts: ReadonlyMap<number, number> = new Map(), share = 1): void => {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      for (const [next, count] of counts) setLikelihood(next, (share * count) / Math.max(1, all));
    };
    if (isByte && `${SIGNS} \n`.includes(token)) {
      // A comma or line break can be part of JSON or of a sentence. So in the chain of sentences, signs of JSON and all
      // of the chain's words can follow it.
      if (token === ',' || token === '\n') setWords(follows.get(-1));
      for (const [sign, share] of Object.entries(token === '[' ? LIST_SHARES : SIGN_SHARES))
        setLikelihood(ids.get(sign), sign === '"' ? 0.001 : share / 10);
      for (const [digit, share] of Object.entries(FIRST_DIGITS))
        setLikelihood(ids.get(digit), share);
      for (const next of openings) setLikelihood(next, OPENING_SHARE / openings.length);
      setLikelihood(ids.get(END), END_SHARE / 10);
      return;
    }
    if (isByte && /\d/.test(token)) {
      for (const [sign, share] of Object.entries(DIGIT_SHARES)) setLikelihood(ids.get(sign), share);
      for (const digit of '0123456789') setLikelihood(ids.get(digit), 0.02);
      return;
    }
    const isId = OPENING_IDS.some((id) => token === `"${id}`);
    const word = token.startsWith('"') ? ` ${token.slice(1).toLowerCase()}` : token;
    const counts = (isId ? undefined : follows.get(ids.get(word) ?? before)) ?? follows.get(-1);
    setWords(counts);
    setLikelihood(ids.get('"'), isId ? 4 : token === '.' ? CLOSING_SHARE : 0.01);
    setLikelihood(ids.get(END), token === '.' ? 0.1 : END_SHARE / 10);
  });
  return output;
}

/**
 * Counts, by token, how often each word follows. Under -1, counts how often each word occurs at all. Words that are
 * not among the tokens are not counted.
 */
function countPairs(
  tokens: readonly string[],
  texts: readonly string[],
): ReadonlyMap<number, Map<number, number>> {
  const ids = new Map(tokens.map((token, index) => [token, index]));
  const follows = new Map<number, Map<number, number>>();
  const countFollower = (before: number, next: number): void => {
    const counts = follows.get(before) ?? new Map<number, number>();
    const weight = /[.,]/.test(tokens[next] ?? '') ? STOP_WEIGHT : 1;
    counts.set(next, (counts.get(next) ?? 0) + weight);
    follows.set(before, counts);
  };
  for (const text of texts) {
    let before: number | undefined;
    for (const [piece] of text.matchAll(/ [A-Za-z]+|[.,]/g)) {
      const next = ids.get(piece);
      if (next !== undefined) countFollower(-1, next);
      if (next !== undefined && before !== undefined) countFollower(before, next);
      before = next;
    }
  }
  return follows;
}
