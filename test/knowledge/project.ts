/** A project with documents in a temporary folder, and its index in a database file beside this folder. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Knowledge,
  type KnowledgeOptions,
  openKnowledge,
} from '../../src/knowledge/knowledge.ts';
import { temporaryFolder } from '../store/folder.ts';

/** The text of a clusters file with three clusters, two of them with words. */
export const CARDS = `clusters:
  - name: clock
    line: Time controls of a game
    words: [fischer, increment, timer]
  - name: peers
    line: Games between two machines
    words: [network, port, handshake]
  - name: rendering
    line: How a board is drawn
`;

/** A project of documents, whose folder is removed when the test ends. */
export class Project {
  /** The temporary folder, with the project and the database in it. */
  readonly home = temporaryFolder();
  /** The folder of the project. */
  readonly folder = join(this.home, 'project');
  /** The path of the database with the index. */
  readonly database = join(this.home, 'runs.db');

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.folder);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  /**
   * Writes a file of the project and sets its modification time back, since the index does not trust times of a
   * moment ago. By default every version of a file has another time.
   *
   * @param ago Seconds from the modification time until now.
   */
  write(path: string, text: string | Buffer, ago = 100 + Math.random() * 1_000): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const at = Date.now() / 1000 - ago;
    utimesSync(file, at, at);
  }

  /** Removes a file or folder of the project. */
  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  /** Opens the project's index, which is created if needed and closed when the test ends. */
  open(options: KnowledgeOptions = {}): Knowledge {
    const knowledge = openKnowledge(this.database, this.folder, { create: true, ...options });
    onTestFinished(() => knowledge.close());
    return knowledge;
  }

  /** Returns the paths of files or folders of the project in the form that `update` of the index expects. */
  pathsOf(...paths: string[]): { paths: string[] } {
    return { paths: paths.map((path) => join(this.folder, path)) };
  }
}

/** Returns the places that a search found, best first, such as `docs/clock.md#L3` or `card clock`. */
export async function findHitPlaces(
  knowledge: Knowledge,
  query: string,
  limit = 10,
): Promise<string[]> {
  const { hits } = await knowledge.search(query, { limit });
  return hits.map(({ chunk }) =>
    chunk.kind === 'card' ? `card ${chunk.heading[0]}` : `${chunk.path}#L${chunk.from}`,
  );
}
