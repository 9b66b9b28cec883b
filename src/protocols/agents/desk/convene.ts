/** `deliberate agent`: runs an agent together with everything that its file says it works with. */

import { randomInt } from 'node:crypto';
import type { Invocation } from '../../../app/invocation.ts';
import { beginInTerminal } from '../../../app/run/run-in-terminal.ts';
import { attachedLines, readAttachments } from '../../../app/settings/attachments.ts';
import { readConfig } from '../../../app/settings/config.ts';
import { modelsFor, REHEARSAL_MODEL } from '../../../app/settings/discovery.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { openRunTools } from '../../../app/settings/run-tools.ts';
import { formatCommand } from '../../../app/suggest.ts';
import { findStatus, RefusedFileError } from '../../../io/text-file.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import type { ModelSpec, Seat } from '../../../kernel/model.ts';
import { checkSpec } from '../../../kernel/providers/spec.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import type { ToolInfo } from '../../../kernel/tools/tools.ts';
import { toLine } from '../../../text/line.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { makeAttachedSetting } from '../../common/prompts/attached.ts';
import type { AgentConfig } from '../agent-run.ts';
import type { Problem } from '../files/agent-file.ts';
import { type Agent, Catalog } from '../files/catalog.ts';
import { resolveModel } from '../files/models.ts';

/**
 * The most estimated tokens of a team's discussion; a longer discussion is shortened. A local model with a
 * context of 32 thousand tokens then still has room for a brief and an answer.
 */
export const CONTEXT_TOKENS = 24_000;

/**
 * Runs the command `deliberate agent NAME "request"`, which gives a request to an agent and to the agents that its
 * file links to. Resolves to the exit code.
 */
export async function agent(call: Invocation): Promise<number> {
  const { err, flags } = call;
  const [name, ...words] = call.words;
  if (name === undefined)
    throw new UsageError(
      'name an agent',
      `Example: ${formatCommand(call, 'critic "Should we split the monolith?"')}; see deliberate agents.`,
    );
  const isFile = isFileAt(name);
  if (!isFile && /\.md$/i.test(name)) throw new UsageError(`${name}: no such file`);
  const catalog = Catalog.open(call, isFile ? name : undefined);
  const root = catalog.find(name);
  const involved = catalog.below(root);
  const problems = catalog.problems.filter(({ file }) =>
    involved.some((agent) => agent.file === file),
  );
  throwOnErrors(problems);
  if (!flags.quiet)
    for (const problem of problems)
      if (problem.severity === 'warning') err.write(`${formatProblem(problem)}\n`);
  // Print which agents of this run come from files of this project. Leave out the root agent if the person named
  // its file, and so knows where it comes from.
  reportProjectAgents(call, isFile ? involved.filter((agent) => agent !== root) : involved);
  const attachments = await readAttachments({ ...call, words });
  const question = await readQuestion({ ...call, words }, name);
  if (!flags.quiet)
    err.write(attachedLines(attachments, estimateTokens(question) + estimateTokens(root.brief)));
  const config = readConfig(call);
  const models = openModels(call, config);
  const seats = await seatAgents(call, involved, config.model, (places) =>
    modelsFor(call, places, models),
  );
  const toolsOfRun = await openRunTools(call, models);
  tellLeftOut(call, involved, toolsOfRun.tools?.offered ?? []);
  const agentConfig: AgentConfig = {
    root: root.id,
    agents: Object.fromEntries(
      involved.map(({ id, description, tools: own }) => [
        id,
        {
          description,
          ...entryOf(catalog.graph, id),
          ...(own === undefined || !toolsOfRun.looks
            ? {}
            : { tools: selectToolNames(own, toolsOfRun.tools?.offered ?? []) }),
        },
      ]),
    ),
    seed: flags.seed ?? randomInt(2 ** 31),
    contextTokens: CONTEXT_TOKENS,
    ...toolsOfRun.settings,
    ...makeAttachedSetting(attachments),
  };
  return beginInTerminal({ call, config, models, toolsOfRun }, 'agent', {
    question,
    seats,
    config: agentConfig,
  });
}

/**
 * Returns the names of the tools that an agent may use. An entry such as `server__*` is replaced by all offered
 * tools of that server; every other entry is a name and stays, even if no such tool is offered.
 * @param own the entries in the agent's file
 * @param offered the tools of the run
 */
export function selectToolNames(own: readonly string[], offered: readonly ToolInfo[]): string[] {
  return own.flatMap((name) =>
    name.endsWith('__*')
      ? offered.flatMap((tool) => (`${tool.server}__*` === name ? [tool.name] : []))
      : [name],
  );
}

/** Tells which agents cannot use a named server, because their files list other tools. */
function tellLeftOut(
  { err, flags }: Pick<Invocation, 'err' | 'flags'>,
  involved: readonly Agent[],
  offered: readonly ToolInfo[],
): void {
  for (const server of new Set(offered.flatMap(({ server }) => server ?? []))) {
    const left = involved.filter(
      ({ tools }) => tools?.every((name) => !name.startsWith(`${server}__`)) ?? false,
    );
    if (left.length > 0 && !flags.quiet)
      err.write(
        `${toLine(`${left.map(({ id }) => id).join(', ')}: no tool of ${server}, as the file lists its tools; add mcp__${server} to it`)}\n`,
      );
  }
}

/**
 * Returns whether a file exists; false also for names that no path can have, such as ten thousand letters or a
 * NUL.
 */
function isFileAt(name: string): boolean {
  try {
    return findStatus(name)?.isFile() ?? false;
  } catch (error) {
    if (!(error instanceof RefusedFileError)) throw error;
    return false;
  }
}

/** The most names that one line lists. */
const NAMED = 5;

/**
 * Prints which agents come from the project's folders, because the person may not have read their
 * files. Prints nothing with `--quiet`.
 */
export function reportProjectAgents(
  { err, flags }: Pick<Invocation, 'err' | 'flags'>,
  involved: readonly Agent[],
): void {
  const projectAgents = involved.filter((agent) => agent.fromProject);
  if (!flags.quiet && projectAgents.length > 0) err.write(`${projectLine(projectAgents)}\n`);
}

/** Formats `from this project: the agents lead (.claude/agents/lead.md), risk (…) and 3 more`. */
function projectLine(agents: readonly Agent[]): string {
  const named = agents.slice(0, NAMED).map(({ id, file }) => `${id} (${file})`);
  const more = agents.length > NAMED ? ` and ${agents.length - NAMED} more` : '';
  const noun = agents.length === 1 ? 'agent' : 'agents';
  return toLine(`from this project: the ${noun} ${named.join(', ')}${more}`);
}

/** Formats a problem: `review/critic.md:4: error: …`. */
export function formatProblem({ file, line: row, severity, text }: Problem): string {
  return toLine(`${file}:${row}: ${severity}: ${text}`);
}

/**
 * Throws a DeliberateError that lists all errors in agents' files. Does nothing if there are only warnings and
 * notes.
 */
export function throwOnErrors(problems: readonly Problem[]): void {
  const errors = problems
    .filter(({ severity }) => severity === 'error')
    .sort((left, right) => (left.file === right.file ? left.line - right.line : 0));
  if (errors.length > 0)
    throw new DeliberateError(
      'bad-agent',
      errors.map(formatProblem).join('\n'),
      'See all of them with: deliberate agents check',
    );
}

/** Gives every agent a seat, with the model that its file asks for or else the common one. */
async function seatAgents(
  { env, err, flags }: Invocation,
  involved: readonly Agent[],
  configured: string | undefined,
  found: (places: { role: string; model?: ModelSpec | undefined }[]) => Promise<ModelSpec[]>,
): Promise<Seat[]> {
  const general = flags.model ?? (flags.rehearse ? REHEARSAL_MODEL : configured);
  const forAll = general === undefined ? undefined : checkSpec(general);
  const around = { rehearse: flags.rehearse, override: flags.model !== undefined, env };
  const wishes = involved.map(({ id, model }) => ({
    role: id,
    ...resolveModel(model, forAll, around),
  }));
  const [first] = await found(wishes);
  const noted = new Set(wishes.flatMap(({ note }) => note ?? []));
  if (!flags.quiet) for (const note of noted) err.write(`${toLine(note)}\n`);
  return involved.map((agent, index): Seat => {
    const model = wishes[index]?.model ?? first;
    if (model === undefined) throw new Error(`no model for ${agent.id}`);
    return {
      id: agent.id,
      role: agent.id,
      title: agent.title,
      model,
      brief: agent.brief,
      ...withoutUndefined({
        colour: agent.colour,
        temperature: agent.temperature,
        effort: agent.effort,
      }),
    };
  });
}
