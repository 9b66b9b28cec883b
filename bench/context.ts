/** Measures the index of documents: the first indexing, the next one, and a search. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Embedder } from '../src/kernel/embedding.ts';
import { openKnowledge } from '../src/knowledge/knowledge.ts';
import { computeMedian, makeRow, type Row } from './measure.ts';

const DOCUMENTS = 5_000;
const SECTIONS = 10;
const CHANGED = 10;
const QUERIES = 60;
/** The dimensions of all-minilm, a common embedding model. */
const DIMENSIONS = 384;

/** Returns a generator of the same numbers in every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns words with the frequencies of a language: few are common, most are rare. */
function makeVocabulary(): (random: () => number) => string {
  const random = makeRandom(7);
  const words = Array.from({ length: 20_000 }, () => {
    const syllables = 2 + Math.floor(random() * 3);
    return Array.from(
      { length: syllables },
      () =>
        'bcdfghklmnprstvz'.charAt(Math.floor(random() * 16)) +
        'aeiou'.charAt(Math.floor(random() * 5)),
    ).join('');
  });
  return (next) => words[Math.floor(words.length ** next())] ?? 'and';
}

const word = makeVocabulary();

function textOf(words: number, random: () => number): string {
  return Array.from({ length: words }, () => word(random)).join(' ');
}

function documentOf(number: number, random: () => number): string {
  const sections = Array.from(
    { length: SECTIONS },
    () => `## ${textOf(3, random)}\n\n${textOf(40, random)}.\n\n${textOf(30, random)}.\n`,
  );
  return `# Document ${number}\n\n${sections.join('\n')}`;
}

/** Replaces a model, whose time is not measured. For a scan, vectors of similar texts need not be similar. */
const embedder: Embedder = {
  model: 'ollama/bench',
  embed: async (texts) =>
    texts.map((text) => {
      const random = makeRandom(
        text.length * 31 + (text.charCodeAt(0) || 1) * 7 + text.charCodeAt(9),
      );
      const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    }),
};

/** Measures the index of documents. Returns rows for the table of `npm run bench`. */
export async function benchContext(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const random = makeRandom(1);
    const docs = join(folder, 'docs');
    const files = Array.from({ length: DOCUMENTS }, (_, number) =>
      join(docs, String(number % 50), `${number}.md`),
    );
    const yesterday = Date.now() / 1000 - 86_400;
    const writeDocument = (file: string, text: string, at: number): void => {
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
      utimesSync(file, at, at);
    };
    for (const [number, file] of files.entries())
      writeDocument(file, documentOf(number, random), yesterday);

    const knowledge = openKnowledge(join(folder, 'bench.db'), folder, { create: true, embedder });
    const timeWork = (work: () => unknown): number => {
      const started = performance.now();
      work();
      return performance.now() - started;
    };
    const first = timeWork(() => knowledge.update({ paths: [docs] }));
    const again: number[] = [];
    for (let time = 0; time < 5; time++) {
      for (let at = 0; at < CHANGED; at++) {
        const number = (time * 997 + at * 401) % DOCUMENTS;
        writeDocument(files[number] ?? '', documentOf(number, random), yesterday + 60 * (time + 1));
      }
      again.push(timeWork(() => knowledge.update()));
    }
    const queries = Array.from({ length: QUERIES }, () => textOf(8, random));
    const timeSearches = async (): Promise<number> => {
      const times: number[] = [];
      for (const query of queries) {
        const started = performance.now();
        await knowledge.search(query);
        times.push(performance.now() - started);
      }
      return computeMedian(times);
    };
    const byWords = await timeSearches();
    await knowledge.embed(embedder, { signal: new AbortController().signal });
    const load = performance.now();
    await knowledge.search('first');
    const loaded = performance.now() - load;
    const both = await timeSearches();
    const { chunks } = knowledge.summary();
    knowledge.close();
    const share = computeMedian(again) / first;
    const seconds = (first / 1000).toFixed(1);
    return [
      makeRow(
        `context: ${CHANGED} of ${DOCUMENTS} documents changed, over all (${seconds} s)`,
        share * 100,
        3,
        ' %',
        1,
      ),
      makeRow(`context: a search of ${chunks} chunks by words, p50`, byWords, 20, ' ms', 1),
      makeRow(`context: the same by words and ${DIMENSIONS} dimensions, p50`, both, 20, ' ms', 1),
      makeRow('context: its first search, which loads the vectors', loaded, 2_000, ' ms', 0),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
