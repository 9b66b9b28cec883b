/**
 * Clusters: the domains that a project's knowledge falls into, each with a card that says what it is about.
 * Cards stand in the index themselves, so that a cluster without a single document can be found.
 */
import { extname } from 'node:path';
import { type Card, cardsSchema } from '../io/cards.ts';
import { readTextFile } from '../io/text-file.ts';
import { readYaml, splitFrontmatter } from '../io/yaml-file.ts';
import { nearest } from '../text/nearest.ts';
import { slugOf } from '../text/slug.ts';

/** No list of clusters is as long as this. Bytes. */
const LARGEST = 256 * 1024;

/** The cards in a file: YAML, or the frontmatter of a Markdown file. Undefined where there is none. */
export function readCards(file: string): readonly Card[] | undefined {
  const text = readTextFile(file, { most: LARGEST, links: true });
  if (text === undefined) return undefined;
  if (extname(file) !== '.md') return readYaml(file, text, cardsSchema).value.clusters;
  const { front, firstLine } = splitFrontmatter(file, text);
  return readYaml(file, front, cardsSchema, firstLine).value.clusters;
}

/** The clusters that there are, by any spelling of their names. */
export class Clusters {
  readonly names: readonly string[];
  readonly #bySlug: ReadonlyMap<string, string>;

  constructor(cards: readonly Card[]) {
    this.names = cards.map(({ name }) => name);
    this.#bySlug = new Map(this.names.map((name) => [slugOf(name), name]));
  }

  /** The cluster of that name, in whatever case and with whatever between its words. */
  named(name: string): string | undefined {
    return this.#bySlug.get(slugOf(name));
  }

  /** The cluster that a folder on a document's path is called like; the nearest folder goes first. */
  ofPath(path: string): string | undefined {
    for (const folder of path.split('/').slice(0, -1).reverse()) {
      const name = this.named(folder);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** Why a name is none, as the end of a sentence. */
  whyNot(name: string): string {
    const near = nearest(name, this.names);
    return `there is no cluster "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  }
}
