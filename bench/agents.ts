/** Measures what orchestration adds to the calls of a hundred agents in a tree of four levels. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentsView, agentsOf } from '../src/protocols/agents/fold.ts';
import type { Fact } from '../test/every-fact.ts';
import { computeMedian, makeRow, PROGRAM, type Row, runMeasured } from './measure.ts';
import { withServers } from './servers.ts';

const RUNS = 3;
/**
 * The number of advisors of the root, of each of its advisors, and of each of theirs: 1 + 3 + 12 + 84
 * agents.
 */
const WIDTHS = [3, 4, 7] as const;
/** Words of an answer: about 3 s at 50 tokens per second. */
const WORDS = 150;

/**
 * Measures how much longer a run of a hundred agents takes than its calls. Returns rows for the table of
 * `npm run bench`.
 */
export async function benchAgents(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const count = writeAgentFiles(join(folder, 'agents'));
    return await withServers({ ollama: 1, rate: 50, words: WORDS }, async ({ url, models }) => {
      const shares: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const { out } = await runMeasured(
          [
            ...[PROGRAM, 'agent', 'agent', '--agents', join(folder, 'agents')],
            ...['--model', `ollama/${models[0]}`, '--json', '--quiet', 'Should we split it?'],
          ],
          { OLLAMA_HOST: url, DELIBERATE_DB: join(folder, `${run}.db`) },
        );
        const facts = out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Fact);
        shares.push(wallOf(facts) / criticalPath(facts));
      }
      return [
        makeRow(
          `${count} agents, 4 levels: wall over critical path`,
          computeMedian(shares),
          1.05,
          '',
          3,
        ),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the files of the tree. Returns how many there are. */
function writeAgentFiles(folder: string): number {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  const writeAgent = (name: string, level: number): void => {
    count += 1;
    const below = Array.from({ length: WIDTHS[level] ?? 0 }, (_, at) => `${name}-${at + 1}`);
    const advisors = below.length === 0 ? '' : `advisors: [${below.join(', ')}]\n`;
    writeFileSync(
      join(folder, `${name}.md`),
      `---\nname: ${name}\n${advisors}---\nYou are ${name}.\n`,
    );
    for (const advisor of below) writeAgent(advisor, level + 1);
  };
  writeAgent('agent', 0);
  return count;
}

function wallOf(facts: readonly Fact[]): number {
  const getTime = (type: Fact['type']): number =>
    Date.parse(facts.find((fact) => fact.type === type)?.at ?? '');
  return getTime('run.ended') - getTime('run.started');
}

/**
 * Returns the time of the calls that must wait for each other: an agent's own call starts after the longest of
 * its advisors.
 */
function criticalPath(facts: readonly Fact[]): number {
  const view: AgentsView = agentsOf(facts);
  const own = new Map(
    facts.flatMap((fact) =>
      fact.type === 'call.completed' ? [[fact.step, fact.latencyMs] as const] : [],
    ),
  );
  const pathOf = (path: string): number =>
    (own.get(`${path}/call`) ?? 0) +
    Math.max(0, ...(view.agents[path]?.children ?? []).map((child) => pathOf(child)));
  return pathOf(view.root ?? '');
}
