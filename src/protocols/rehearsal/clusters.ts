/** Assigns sections to clusters by the words that they share with a cluster's card. */
import type { Scene } from './scene.ts';

/** Returns the words that are long enough to be distinctive. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
}

/**
 * Makes the stand-in's answer to the task of assigning sections of documents to clusters. A section goes to the
 * cluster whose card shares most words with it, or to none if no card shares a word.
 */
export function assign({ items, heard }: Scene): unknown {
  const cards = heard.map(({ from, text }) => ({
    name: from,
    words: new Set(wordsIn(`${from} ${text}`)),
  }));
  return {
    sections: items.map((item, index) => {
      const found = wordsIn(item);
      const best = cards
        .map(({ name, words }) => ({
          name,
          shared: found.filter((word) => words.has(word)).length,
        }))
        .filter(({ shared }) => shared > 0)
        .sort((a, b) => b.shared - a.shared)[0];
      return { section: index + 1, clusters: best === undefined ? [] : [best.name] };
    }),
  };
}
