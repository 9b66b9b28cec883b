/** A project with documents in a folder of its own, and its index in a database file beside it. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Knowledge,
  type KnowledgeOptions,
  openKnowledge,
} from '../../src/knowledge/knowledge.ts';
import { temporaryFolder } from '../store/folder.ts';

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

export class Project {
  readonly home = temporaryFolder();
  readonly folder = join(this.home, 'project');
  readonly database = join(this.home, 'runs.db');

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.folder);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  /** Written a while ago, so that its time can be trusted; every version gets another one. */
  write(path: string, text: string | Buffer, ago = 100 + Math.random() * 1_000): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const at = Date.now() / 1000 - ago;
    utimesSync(file, at, at);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  open(options: KnowledgeOptions = {}): Knowledge {
    const knowledge = openKnowledge(this.database, this.folder, { create: true, ...options });
    onTestFinished(() => knowledge.close());
    return knowledge;
  }

  /** What is given to `update` to index a folder. */
  pathsOf(...paths: string[]): { paths: string[] } {
    return { paths: paths.map((path) => join(this.folder, path)) };
  }
}

/** The places of what was found: `docs/clock.md#L3`, `card clock`. */
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
