/**
 * Measures what a plan adds to its calls: six specialists on a thousand documents, and the time of the gate.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fact } from '../test/every-fact.ts';
import { computeMedian, makeRow, PROGRAM, type Row, runMeasured } from './measure.ts';

const RUNS = 3;
const ROLES = 6;
const DOCUMENTS = 1_000;
/** The speed at which the stand-in answers as fast as a small model on a good graphics card. */
const SPEED = '2';

/**
 * Measures how much longer a plan takes than its calls, the time of its searches, and how many tokens of
 * documents a seat is shown. Returns rows for the table of `npm run bench`.
 */
export async function benchPlan(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const repository = join(folder, 'repository');
    writeProject(repository);
    const shares: number[] = [];
    const searches: number[] = [];
    const shown: number[] = [];
    const env = { DELIBERATE_DB: join(folder, 'runs.db') };
    const plan = [PROGRAM, 'plan', TOPIC, '--repo', repository, '--json', '--quiet', '--yes'];
    // Run 0 is not measured, because it indexes the documents.
    for (let run = 0; run <= RUNS; run++) {
      const { out } = await runMeasured(
        [...plan, '--rehearse', '--rehearse-speed', run === 0 ? '1000' : SPEED, '--seed', '7'],
        env,
      );
      if (run === 0) continue;
      const facts = factsIn(out);
      shares.push(wallOf(facts) / criticalPath(facts));
      searches.push(
        facts.reduce((sum, fact) => sum + (fact.type === 'tool.called' ? fact.ms : 0), 0),
      );
      shown.push(
        Math.max(
          ...facts.flatMap((fact) =>
            fact.type === 'context.gated'
              ? fact.shown.reduce((sum, piece) => sum + piece.tokens, 0)
              : [],
          ),
        ),
      );
    }
    return [
      makeRow(`plan, ${ROLES} roles: wall over critical path`, computeMedian(shares), 1.03, '', 3),
      makeRow(
        `plan: all searches in ${DOCUMENTS} documents`,
        computeMedian(searches),
        500,
        'ms',
        0,
      ),
      makeRow('plan: tokens shown to a seat, at most', computeMedian(shown), 4_000, '', 0),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const DOMAINS = ['clock', 'screen', 'network', 'storage', 'rules', 'sound'] as const;
/** The topic of the measured plan. */
export const TOPIC = `Add an increment: the clock, the screen, the network, the storage, the rules and the sound change`;

/** Writes the files of a project with a thousand documents and six specialists into a folder. */
export function writeProject(repository: string): void {
  const own = join(repository, '.deliberate', 'specialists');
  mkdirSync(own, { recursive: true });
  const cards = DOMAINS.map(
    (name) => `  - {name: ${name}, line: About the ${name}, words: [${name}]}`,
  );
  writeFileSync(
    join(repository, '.deliberate', 'clusters.yaml'),
    `clusters:\n${cards.join('\n')}\n`,
  );
  for (const name of DOMAINS) {
    writeFileSync(
      join(own, `${name}-expert.md`),
      `---\nname: ${name}\ndescription: ${name}\nclusters: [${name}]\n---\nYou speak for ${name}.\n`,
    );
    mkdirSync(join(repository, 'docs', name), { recursive: true });
  }
  for (let at = 0; at < DOCUMENTS; at++) {
    const name = DOMAINS[at % DOMAINS.length] ?? 'clock';
    const text = Array.from(
      { length: 20 },
      (_, line) =>
        `The ${name} of part ${at} keeps its figure ${line} for ${(at * line) % 97} days.`,
    );
    writeFileSync(
      join(repository, 'docs', name, `${at}.md`),
      `# ${name} ${at}\n\n${text.join('\n')}\n`,
    );
  }
}

function factsIn(out: string): Fact[] {
  return out
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Fact);
}

function wallOf(facts: readonly Fact[]): number {
  const getTime = (type: Fact['type']): number =>
    Date.parse(facts.find((fact) => fact.type === type)?.at ?? '');
  return getTime('run.ended') - getTime('run.started');
}

/**
 * Returns the time of the calls that must wait for each other: within a phase, a seat's calls one after the
 * other, and seats at the same time.
 */
function criticalPath(facts: readonly Fact[]): number {
  const lanes = new Map<string, Map<string, number>>();
  for (const fact of facts) {
    if (fact.type !== 'call.completed') continue;
    const [phase = '', lane = ''] = fact.step.split('/');
    // Count the search for conflicts as a phase of its own, because it starts after all seats have spoken.
    const name = lane.startsWith('examine') ? `${phase}/examine` : phase;
    const all = lanes.get(name) ?? new Map<string, number>();
    const key = name.endsWith('examine') || phase === 'synthesis' ? '' : lane;
    all.set(key, (all.get(key) ?? 0) + fact.latencyMs);
    lanes.set(name, all);
  }
  return [...lanes.values()].reduce((sum, all) => sum + Math.max(...all.values()), 0);
}
