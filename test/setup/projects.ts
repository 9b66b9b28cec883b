/**
 * How each test is run. Every file of tests belongs to one of five Vitest projects, which differ in what
 * their workers share. `npm test` leaves out the two slow projects; `npm run test:all` and the gate leave
 * out nothing.
 */

/**
 * Tests with a clock, environment, working folder or listeners of their own that another file could notice,
 * or that need a process in which nothing is loaded. Each gets a worker of its own.
 */
export const ALONE = [
  'test/cli/text-file.test.ts',
  'test/console/{clock,console,playback,syntax,thinking}.test.{ts,tsx}',
  'test/faults/memory.test.ts',
  'test/kernel/session.test.ts',
  'test/models/quiet.test.ts',
  'test/store/{queue,views}.test.ts',
];

/**
 * Tests that take long within the worker: whole consoles, measures over hundreds of simulated runs, and long
 * texts whose steps are counted. Together with SLOW_PROCESSES they take two thirds of the time of all tests.
 */
export const SLOW = [
  'test/console/{citing,evaluation,reading}.test.ts',
  'test/console/examples/sights.test.ts',
  'test/evaluation/{batch,evaluate,planted,promises}.test.ts',
  'test/fuzz/names.test.ts',
  'test/methods/failing.test.ts',
  'test/models/{measure,structured}.test.ts',
  'test/plan/buried.test.ts',
  'test/protocols/{away,simulation}.test.ts',
  'test/records/{detection,folder,truth}.test.ts',
  'test/soak/soak.test.ts',
  'test/text/unseen.test.ts',
];

/** Tests that take long because of the processes that they start: runs that are killed, real git, servers. */
export const SLOW_PROCESSES = [
  'test/crash/*.test.ts',
  'test/decisions/{kill,moved}.test.ts',
  'test/documents/{bad,documents}.test.ts',
  'test/e2e/{agents,attachments,board,board-later,detach,doors,endless}.test.ts',
  'test/e2e/{evaluation-screen,first-frame,five-places,fork,full-disk,home,look,losing,own-protocol}.test.ts',
  'test/e2e/{picture,pipes,replay,rounds,rounds-conduct,secrets,server-models,server-secrets}.test.ts',
  'test/e2e/{readme-servers,server-seats,store,taking}.test.ts',
  'test/e2e/{page-in-browser,tools,worker}.test.ts',
  'test/evaluation/{batch-kills,kills}.test.ts',
  'test/knowledge/crash.test.ts',
  'test/mcp/{kill,limits,report,tools,trace}.test.ts',
  'test/package.test.ts',
  'test/plan/{context-gate,gaps,given,killed,repository,rounds,watch,whole}.test.ts',
  'test/restate/*.test.ts',
  'test/soak/home.test.ts',
  'test/store/{crash,owner}.test.ts',
  'test/structure/recipes.test.ts',
  'test/coding-agents/{answers,board,left,protocols,unboxed}.test.ts',
  'test/team/{ceremony,contradicted,defects,failures,gate,home,hostile,judged,locked,programs,resume}.test.ts',
  'test/team/{together,traps,unboxed,untouched,work}.test.ts',
  'test/tools/servers.test.ts',
  'test/workshop/{checks,commits,copies,home,run-agent,trees}.test.ts',
];

/**
 * Globs of test files that start hundreds of processes. No other files run in the same Vitest workers. A
 * worker that has also loaded consoles and protocols is three times as large, and whenever a worker starts a
 * process, the operating system copies the page tables of the worker.
 */
export const PROCESSES = [
  'test/{coding-agents,crash,e2e,knowledge,mcp,plan,restate,team,tools,workshop}/**/*.test.ts',
  'test/cli/run-command.test.ts',
  'test/decisions/{due,kill,moved}.test.ts',
  'test/console/widgets.test.tsx',
  'test/protocols/ask-with-{servers,tools}.test.ts',
  'test/rounds/look.test.ts',
];

/**
 * Options of Node that keep workers small, for workers that start processes. Whenever a worker starts a
 * process, the operating system copies the worker's page tables and drops the copy again, which takes longer
 * than most of what git does.
 */
export const SMALL_HEAP_OPTIONS = ['--max-semi-space-size=1', '--initial-old-space-size=32'];

/**
 * Files that take long although some of them are small. Vitest begins the largest files first; if these came
 * last, they would keep one worker busy when all others are done.
 */
const LONG = [
  'coding-agents/answers',
  'coding-agents/protocols',
  'crash/crash',
  'documents/bad',
  'e2e/board',
  'e2e/doors',
  'e2e/page-in-browser',
  'e2e/pages',
  'e2e/pipes',
  'e2e/store',
  'evaluation/batch',
  'evaluation/batch-kills',
  'evaluation/evaluate',
  'evaluation/promises',
  'faults/faults',
  'fuzz/names',
  'mcp/kill',
  'mcp/tools',
  'methods/failing',
  'plan/buried',
  'plan/killed',
  'plan/watch',
  'plan/whole',
  'records/detection',
  'records/folder',
  'records/truth',
  'restate/evaluation',
  'restate/runs',
  'structure/recipes',
  'team/alone',
  'team/contradictions',
  'team/defects',
  'team/failures',
  'team/gate',
  'team/judged',
  'team/locked',
  'team/programs',
  'team/resume',
  'team/together',
  'team/unboxed',
  'team/work',
  'workshop/checks',
  'workshop/copies',
  'workshop/home',
].map((name) => `/test/${name}.test.ts`);

/** Returns whether a test file is listed as one that takes long to run, and should therefore begin early. */
export function isLong(file: string): boolean {
  return LONG.some((name) => file.endsWith(name));
}
