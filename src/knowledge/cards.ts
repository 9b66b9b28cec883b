/**
 * Reads the cards of clusters. A cluster is a domain of a project's knowledge, and its card describes it.
 * Cards are indexed, so that a cluster without documents can be found.
 */
import { extname } from 'node:path';
import { type Card, cardsSchema } from '../io/cards.ts';
import { readTextFile } from '../io/text-file.ts';
import { readYaml, splitFrontmatter } from '../io/yaml-file.ts';
import { findNearest } from '../text/nearest.ts';
import { slugOf } from '../text/slug.ts';

/** The largest file of cards in bytes. */
const LARGEST = 256 * 1024;

/**
 * Reads cards (descriptions of clusters) from a YAML file or the frontmatter of a Markdown file.
 * Returns undefined if the file does not exist.
 * @throws BadFile if the content is no list of cards, RefusedFileError if the file may not be read
 */
export function readCards(file: string): readonly Card[] | undefined {
  const text = readTextFile(file, { most: LARGEST, links: true });
  if (text === undefined) return undefined;
  if (extname(file) !== '.md') return readYaml(file, text, cardsSchema).value.clusters;
  const { front, firstLine } = splitFrontmatter(file, text);
  return readYaml(file, front, cardsSchema, firstLine).value.clusters;
}

/**
 * The clusters (domains of a project's knowledge) that have a description. A cluster is found by its name,
 * whatever the case and the separators between words.
 */
export class Clusters {
  /** The names of the clusters, in the order of their cards. */
  readonly names: readonly string[];
  readonly #bySlug: ReadonlyMap<string, string>;

  constructor(cards: readonly Card[]) {
    this.names = cards.map(({ name }) => name);
    this.#bySlug = new Map(this.names.map((name) => [slugOf(name), name]));
  }

  /** Finds a cluster by name, ignoring case and separators. Returns undefined if there is none. */
  named(name: string): string | undefined {
    return this.#bySlug.get(slugOf(name));
  }

  /**
   * Finds the cluster that is named like a folder on a document's path. The folder nearest to the
   * document wins. Returns undefined if there is none.
   */
  ofPath(path: string): string | undefined {
    for (const folder of path.split('/').slice(0, -1).reverse()) {
      const name = this.named(folder);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** Returns the end of a sentence that says why a name is not the name of a cluster. */
  whyNot(name: string): string {
    const near = findNearest(name, this.names);
    return `there is no cluster "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  }
}
