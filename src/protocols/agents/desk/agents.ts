/** `deliberate agents`: lists agents; `check` finds errors in their files, `new` creates one. */

import { join } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { startFile } from '../../../app/new-file.ts';
import { getStartCommand } from '../../../app/suggest.ts';
import { configFolder } from '../../../io/files.ts';
import { newProjectFolder, projectFolder, refuseLinks } from '../../../io/presets.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { formatHint } from '../../../kernel/hints.ts';
import { jsonLine } from '../../../plain/json-lines.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { truncateLine } from '../../../text/width.ts';
import type { Problem } from '../files/agent-file.ts';
import { type Agent, Catalog, listAgentFolders } from '../files/catalog.ts';
import {
  findCycles,
  findTerminals,
  formatPattern,
  type Graph,
  type Link,
  listLinks,
} from '../graph.ts';
import { formatProblem } from './convene.ts';

/**
 * Runs the command `deliberate agents`: lists agents, checks their files, or writes a new file.
 * Resolves to the exit code.
 */
export async function agents(call: Invocation): Promise<number> {
  const [word, ...more] = call.words;
  if (word === 'new') return createAgent(call, more);
  if (more.length > 0 || (word !== undefined && word !== 'check'))
    throw new UsageError(
      `agents ${call.words.join(' ')}: not understood`,
      'Use deliberate agents, deliberate agents check or deliberate agents new NAME.',
    );
  const catalog = Catalog.open(call);
  return word === 'check' ? checkAgents(call, catalog) : listAgents(call, catalog);
}

/**
 * Creates an agent from a commented template and opens it in an editor. Resolves to 1 if it has errors
 * afterwards.
 */
async function createAgent(call: Invocation, words: readonly string[]): Promise<number> {
  const { env, flags } = call;
  const [name = '', ...more] = words;
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name) || more.length > 0)
    throw new UsageError(
      name === '' ? 'no name given' : `"${words.join(' ')}" cannot be the name of an agent`,
      'Use lower-case letters, digits and dashes: deliberate agents new risk-checker',
    );
  const taken = Catalog.open(call).agents.find(({ id }) => id === name);
  if (taken !== undefined)
    throw new UsageError(`there is already an agent "${name}": ${taken.file}`, 'Use another name.');
  const file = join(newFolder(call), `${name}.md`);
  await startFile(call, 'agents.md', name, file);
  const problems = Catalog.open(call).problems.filter((problem) => problem.file === file);
  for (const problem of problems) call.err.write(`${formatProblem(problem)}\n`);
  if (!flags.quiet)
    call.err.write(`Try it: ${getStartCommand(env)} agent ${name} --rehearse "…"\n`);
  return problems.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** Returns the folder for a new agent: the named one, the project's, or the person's. */
function newFolder({ env, flags }: Invocation): string {
  if (flags.agents !== undefined && flags.to !== undefined)
    throw new UsageError('--agents and --to both name a folder', 'Use one of them.');
  if (flags.to !== undefined && flags.to !== 'project' && flags.to !== 'user')
    throw new UsageError(`--to ${flags.to}: expected project or user`);
  if (flags.agents !== undefined) return flags.agents;
  if (flags.to !== 'project') return join(configFolder(env), 'agents');
  const folder = join(projectFolder(env) ?? newProjectFolder(env), 'agents');
  refuseLinks('project', folder);
  return folder;
}

function listAgents({ flags, out, err }: Invocation, catalog: Catalog): number {
  const { agents: found, graph, problems } = catalog;
  const rows = found.map(({ id, description, source, file, model }) => ({
    agent: id,
    pattern: formatPattern(entryOf(graph, id) ?? {}),
    description,
    model: model ?? null,
    source,
    file,
  }));
  if (flags.json) for (const row of rows) out.write(jsonLine(row));
  else {
    const width = Math.max(0, ...rows.map(({ agent }) => agent.length));
    const wide = Math.max(0, ...rows.map(({ pattern }) => pattern.length));
    let source: string | undefined;
    for (const row of rows) {
      if (row.source !== source)
        out.write(`${source === undefined ? '' : '\n'}${toLine(row.source)}\n`);
      source = row.source;
      const left = `  ${row.agent.padEnd(width)}  ${row.pattern.padEnd(wide)}  `;
      const room = Math.max(20, (out.isTTY ? out.columns : 120) - left.length);
      out.write(`${left}${truncateLine(toLine(row.description), room)}`.trimEnd().concat('\n'));
    }
  }
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const { length } = catalog.leftOut;
  if (length > 0 && !flags.quiet)
    err.write(
      formatHint(
        `${formatCount(length, 'file')} left out as no agents; see deliberate agents check.\n`,
      ),
    );
  if (errors > 0 && !flags.quiet)
    err.write(
      formatHint(`${formatCount(errors, 'error')} in these files; see deliberate agents check.\n`),
    );
  return 0;
}

function checkAgents({ flags, env, out, err }: Invocation, catalog: Catalog): number {
  const { agents: found, graph, problems, leftOut } = catalog;
  const sorted = [...problems].sort((left, right) =>
    left.file === right.file ? left.line - right.line : left.file < right.file ? -1 : 1,
  );
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (flags.json) {
    out.write(jsonLine({ ok: errors === 0, problems: sorted, leftOut, graph }));
    return errors === 0 ? 0 : 1;
  }
  for (const text of tellProblems(sorted)) out.write(`${text}\n`);
  for (const { file, why } of leftOut) out.write(`${toLine(file)}: left out: ${toLine(why)}\n`);
  // The agents are drawn as a tree only if their links have no cycle, because a cycle has no end.
  if (findCycles(graph).length === 0)
    for (const text of drawGraph(found, graph)) out.write(`${text}\n`);
  err.write(
    `${formatCount(found.length, 'agent')} in ${listAgentFolders({ flags, env })
      .map(({ path }) => path)
      .join(', ')}: ${formatCount(errors, 'error')}\n`,
  );
  return errors === 0 ? 0 : 1;
}

/** Formats each problem on a line; a note that many files share is printed once. */
function tellProblems(problems: readonly Problem[]): string[] {
  const shared = new Map<string, Problem[]>();
  for (const problem of problems)
    if (problem.severity === 'note')
      shared.set(problem.text, [...(shared.get(problem.text) ?? []), problem]);
  return problems.flatMap((problem) => {
    const same = problem.severity === 'note' ? (shared.get(problem.text) ?? []) : [];
    if (same.length <= 3) return [formatProblem(problem)];
    return same[0] === problem
      ? [`${formatProblem(problem)} (and in ${same.length - 1} more files)`]
      : [];
  });
}

/** Draws who works with whom, starting with agents that no other uses; each branch is drawn once. */
function drawGraph(found: readonly Agent[], graph: Graph): string[] {
  const linksFrom = (id: string): Link[] => listLinks(id, entryOf(graph, id) ?? {});
  const below = new Set(found.flatMap(({ id }) => linksFrom(id).map(({ to }) => to)));
  const known = new Set<string>();
  const rows: string[] = [];
  const drawBranch = (id: string, how: string, depth: number): void => {
    const links = linksFrom(id);
    const again = known.has(id) && links.length > 0;
    known.add(id);
    const terminals = findTerminals(graph, id);
    const answered =
      terminals.length === 1 && terminals[0] === id
        ? ''
        : `, answered by ${terminals.join(' or ')}`;
    const pattern = formatPattern(entryOf(graph, id) ?? {});
    const what = links.length === 0 ? '' : again ? '  (above)' : `  [${pattern}${answered}]`;
    rows.push(`${'  '.repeat(depth)}${how}${id}${what}`);
    if (!again) for (const { by, to } of links) drawBranch(to, `${LINKS[by]} `, depth + 1);
  };
  for (const { id } of found) if (!below.has(id) && linksFrom(id).length > 0) drawBranch(id, '', 0);
  return rows;
}

const LINKS: Readonly<Record<Link['by'], string>> = {
  advisor: 'advisor',
  destination: 'routes to',
  member: 'member',
  supervisor: 'supervisor',
  handoff: 'hands off to',
};
