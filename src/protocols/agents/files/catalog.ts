/**
 * Finds all agents in their folders, nearest folder first, and resolves the names by which they refer to each
 * other. An agent in a subfolder can also be named with it: `review/critic`.
 */
import { dirname, join, relative, resolve, sep } from 'node:path';
import { BUILT_IN, configFolder, workingFolder } from '../../../io/files.ts';
import { newProjectFolder, projectFolder } from '../../../io/presets.ts';
import type { Env } from '../../../io/surroundings.ts';
import { explainCode, RefusedFileError, readTextFile } from '../../../io/text-file.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { homeOf } from '../../../platform/folders.ts';
import { formatSuggestion } from '../../../text/nearest.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { findAgentsBelow, findCycles, type Graph, type Links } from '../graph.ts';
import {
  type AgentFile,
  explainNoAgent,
  makeAgentSlug,
  type Problem,
  readAgent,
} from './agent-file.ts';
import { filesBelow, isFolder, LARGEST, textBelow } from './agent-folder.ts';

/** Where to look for agents: the person's environment and the named folder. */
interface Call {
  readonly flags: { readonly agents?: string | undefined };
  readonly env: Env;
}

/** An agent that can be named on the command line. */
export interface Agent extends AgentFile {
  /** The name of the agent, preceded by its subfolder if another agent has the same name. */
  readonly id: string;
  /** The subfolder and the name: `review/critic`. */
  readonly qualified: string;
  /** The searched folder in which the agent was found (it may be in a subfolder), or `built in`. */
  readonly source: string;
  /**
   * Whether the agent was found in the project's folders, whose files somebody else may have
   * written.
   */
  readonly fromProject: boolean;
}

/** A Markdown file in a folder of agents that is no agent. */
interface LeftOut {
  readonly file: string;
  /** The reason in a phrase: `a skill`. */
  readonly why: string;
}

/** Matches the file that makes its folder a skill. */
const SKILL = /[\\/]skill\.md$/i;

interface Folder {
  readonly path: string;
  readonly source: string;
  /** Whether subfolders are searched. */
  readonly deep: boolean;
  /** Whether the folder belongs to the project. */
  readonly fromProject: boolean;
}

/**
 * Returns the folders that are searched for agents before the built-in ones, nearest first, and whether each belongs
 * to the project. A folder need not exist.
 */
export function listAgentFolders({ flags, env }: Call): { path: string; fromProject: boolean }[] {
  const project = projectFolder(env);
  const claude = [workingFolder(), dirname(newProjectFolder(env))].map((at) => join(at, '.claude'));
  const toPersonalFolder = (path: string) => ({ path, fromProject: false });
  return [
    ...(flags.agents === undefined ? [] : [toPersonalFolder(flags.agents)]),
    ...[...(project === undefined ? [] : [project]), ...new Set(claude)].map((folder) => ({
      path: fromHere(join(folder, 'agents')),
      fromProject: dirname(folder) !== homeOf(env),
    })),
    toPersonalFolder(join(configFolder(env), 'agents')),
  ];
}

/** Formats a path relative to the working folder, as people would write it. */
function fromHere(path: string): string {
  const short = relative(workingFolder(), path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** The source of built-in agents. */
const WITH_THE_PROGRAM = 'built in';

/** The agents that a command can name. */
export class Catalog {
  /** All agents, nearest folder first. */
  readonly agents: readonly Agent[];
  /** Problems in the agents' files and in their links. */
  readonly problems: readonly Problem[];
  /** The Markdown files in agent folders that are not agents, with the reasons. */
  readonly leftOut: readonly LeftOut[];
  readonly #links = new Map<string, Links>();

  /**
   * Reads all agents from their folders.
   * @param file a file that the person named as an agent; it is read as well, and so are the agents beside it
   * @throws UsageError if the folder named by `--agents` does not exist
   * @throws RefusedFileError if `file` does not exist
   */
  static open(call: Call, file?: string): Catalog {
    const named = call.flags.agents;
    if (named !== undefined && !isFolder(named))
      throw new UsageError(`--agents ${named}: no such folder`);
    const folders = [
      ...listAgentFolders(call).map(
        (folder): Folder => ({ ...folder, source: folder.path, deep: true }),
      ),
      { path: join(BUILT_IN, 'agents'), source: WITH_THE_PROGRAM, deep: true, fromProject: false },
    ];
    if (file === undefined) return new Catalog(folders);
    const text = readTextFile(file, { most: LARGEST, links: true });
    if (text === undefined) throw new RefusedFileError(file, explainCode('ENOENT'));
    const within = folders.some(
      ({ path }) => !relative(resolve(path), resolve(file)).startsWith('..'),
    );
    const path = dirname(file);
    if (!within) folders.unshift({ path, source: path, deep: false, fromProject: false });
    return new Catalog(folders, { file, text });
  }

  private constructor(folders: readonly Folder[], named?: { file: string; text: string }) {
    const problems: Problem[] = [];
    const found = new Map<string, Omit<Agent, 'id'>>();
    const leftOut: LeftOut[] = [];
    for (const { path, source, deep, fromProject } of folders) {
      const files = filesBelow(path, deep, problems);
      // A folder with a file `SKILL.md` is a skill, except the folder of agents itself (`path`). A file in or
      // below a skill's folder is an agent only if the person named this file.
      const skills = files.filter((file) => SKILL.test(file)).map((file) => dirname(file));
      for (const file of files) {
        const isNamed = named !== undefined && resolve(file) === resolve(named.file);
        const text = isNamed ? named.text : textBelow(path, file, fromProject, problems);
        const skill = skills.find(
          (folder) => folder !== path && file.startsWith(`${folder}${sep}`),
        );
        const why =
          text === undefined || isNamed
            ? undefined
            : (explainNoAgent(relative(path, file), text) ??
              (skill === undefined ? undefined : 'part of a skill'));
        if (why !== undefined) {
          leftOut.push({ file, why });
          continue;
        }
        const agent = text === undefined ? undefined : readAgent(file, text, isNamed);
        if (agent === undefined) continue;
        const parts = relative(path, dirname(file)).split(sep).map(makeAgentSlug).filter(Boolean);
        const qualified = [...parts, agent.name].join('/');
        const first = found.get(qualified);
        if (first === undefined) found.set(qualified, { ...agent, qualified, source, fromProject });
        else if (first.source === source)
          problems.push({
            severity: 'warning',
            file,
            line: agent.lineOf('name'),
            text: `${first.file} is also called ${qualified} and takes precedence`,
          });
      }
    }
    const times = new Map<string, number>();
    for (const { name } of found.values()) times.set(name, (times.get(name) ?? 0) + 1);
    this.agents = [...found.values()].map((agent) => ({
      ...agent,
      id: times.get(agent.name) === 1 ? agent.name : agent.qualified,
    }));
    for (const agent of this.agents) {
      problems.push(...agent.problems);
      this.#links.set(agent.id, this.#linked(agent, problems));
    }
    problems.push(...this.#cycles());
    this.problems = problems;
    this.leftOut = leftOut;
  }

  /** The links of all agents, by the agent's id. */
  get graph(): Graph {
    return Object.fromEntries(this.#links);
  }

  /**
   * Returns the agent with this id, name or file.
   * @throws UsageError that suggests other names, if there is no such agent or several have the name
   */
  find(wanted: string): Agent {
    const path = resolve(wanted);
    const byFile = this.agents.find(({ file }) => resolve(file) === path);
    if (byFile !== undefined) return byFile;
    const found = this.#resolve(wanted);
    if (!Array.isArray(found)) return found;
    throw new UsageError(
      found.length > 0 ? `several agents are called "${wanted}"` : `there is no agent "${wanted}"`,
      found.length > 0
        ? `Use one of ${found.map(({ qualified }) => qualified).join(', ')}.`
        : `${nearTo(wanted, this.agents)}See deliberate agents.`,
    );
  }

  /** Returns the agent and all agents to which it may give tasks, directly or not. */
  below(root: Agent): Agent[] {
    return findAgentsBelow(this.graph, root.id).flatMap(
      (id) => this.agents.find((agent) => agent.id === id) ?? [],
    );
  }

  /** Returns the agent with this name, or all that it could mean. */
  #resolve(wanted: string, from?: Agent): Agent | Agent[] {
    const name = wanted.split('/').map(makeAgentSlug).filter(Boolean).join('/');
    const beside = from?.qualified.replace(/[^/]*$/, '');
    const findQualified = (qualified: string) =>
      this.agents.find((agent) => agent.qualified === qualified);
    const sibling = beside ? findQualified(beside + name) : undefined;
    if (sibling !== undefined) return sibling;
    for (const source of new Set(this.agents.map((agent) => agent.source))) {
      const there = this.agents.filter((agent) => agent.source === source);
      const top = there.find(({ qualified }) => qualified === name);
      if (top !== undefined) return top;
      const deeper = there.filter(({ qualified }) => qualified.endsWith(`/${name}`));
      if (deeper.length === 1 && deeper[0] !== undefined) return deeper[0];
      if (deeper.length > 1) return deeper;
    }
    return [];
  }

  /** Returns the agent's links with ids in place of names. Links that lead nowhere are dropped and reported. */
  #linked(agent: Agent, problems: Problem[]): Links {
    const { links } = agent;
    const addProblem = (
      key: string,
      text: string,
      word?: string,
      severity: Problem['severity'] = 'error',
    ) => problems.push({ severity, file: agent.file, line: agent.lineOf(key, word), text });
    const idOf = (key: string, name: string): string[] => {
      const found = this.#resolve(name, agent);
      if (!Array.isArray(found)) return [found.id];
      addProblem(
        key,
        found.length > 0
          ? `${key}: several agents are called "${name}" (${found.map((agent) => agent.qualified).join(', ')})`
          : `${key}: there is no agent "${name}"${nearTo(name, this.agents)}`,
        name,
      );
      return [];
    };
    const idsOf = (key: string, names: readonly string[]): string[] => {
      const ids = names.flatMap((name) => idOf(key, name));
      if (new Set(ids).size < ids.length)
        addProblem(key, `${key}: an agent is named twice`, undefined, 'warning');
      return [...new Set(ids)];
    };
    const advisors = idsOf('advisors', links.advisors ?? []);
    const destinations = idsOf('router', links.router?.destinations ?? []);
    const members = idsOf('team', links.team?.members ?? []);
    const [supervisor = agent.id] =
      links.team?.supervisor === undefined ? [] : idOf('team', links.team.supervisor);
    const [handoff] = links.handoff === undefined ? [] : idOf('handoff', links.handoff);
    const { advisorsRequired: required = 0, advisorTimeout: timeoutMs } = links;
    if (links.router !== undefined && links.team !== undefined)
      addProblem('router', 'an agent takes a router or a team, not both');
    if (typeof required === 'number' && required > advisors.length && advisors.length > 0)
      addProblem(
        'advisorsRequired',
        `${required} advisors are required, but only ${advisors.length} named`,
      );
    if (links.advisors === undefined)
      for (const key of ['advisorsRequired', 'advisorTimeout'] as const)
        if (links[key] !== undefined)
          addProblem(key, `${key} without advisors`, undefined, 'warning');
    if (supervisor !== agent.id) {
      const other = this.agents.find(({ id }) => id === supervisor)?.links;
      const link = (['router', 'team', 'handoff'] as const).find(
        (key) => other?.[key] !== undefined,
      );
      // A supervisor with a router, team or handoff of its own is an error in the file: the supervisor would let other
      // agents write the report that ends the team.
      if (link !== undefined)
        addProblem(
          'team',
          `team: the supervisor ${supervisor} has a ${link} of its own`,
          'supervisor',
        );
    }
    if (members.includes(supervisor))
      addProblem('team', `team: ${supervisor} is a member of the team it supervises`, supervisor);
    return {
      ...(advisors.length === 0
        ? {}
        : {
            advisors: {
              agents: advisors,
              required,
              ...withoutUndefined({ timeoutMs }),
            },
          }),
      ...(destinations.length === 0
        ? {}
        : { router: { destinations, mayAnswer: links.router?.mayAnswer ?? false } }),
      ...(members.length === 0 || links.team === undefined
        ? {}
        : {
            team: {
              members,
              supervisor,
              terminationMode: links.team.terminationMode,
              maxRounds: links.team.maxRounds,
              memberMaxTurns: links.team.memberMaxTurns ?? links.team.maxRounds,
              supervisorMaxTurns: links.team.supervisorMaxTurns ?? links.team.maxRounds,
            },
          }),
      ...withoutUndefined({ handoff }),
    };
  }

  #cycles(): Problem[] {
    return findCycles(this.graph).flatMap((path) => {
      const [first = '', second = ''] = path;
      const agent = this.agents.find(({ id }) => id === first);
      if (agent === undefined) return [];
      const name = second.split('/').at(-1) ?? second;
      const key = Object.keys(agent.links).find((link) =>
        JSON.stringify(agent.links[link as keyof typeof agent.links])
          .toLowerCase()
          .includes(name),
      );
      return [
        {
          severity: 'error' as const,
          file: agent.file,
          line: agent.lineOf(key ?? 'name', name),
          text: `agents form a cycle: ${path.join(' → ')}`,
        },
      ];
    });
  }
}

/** Returns the most similar name as a hint: `Did you mean critic? `. */
function nearTo(wanted: string, agents: readonly Agent[]): string {
  const slug = makeAgentSlug(wanted.split('/').at(-1) ?? wanted);
  return formatSuggestion(slug, [...new Set(agents.map(({ name }) => name))]);
}
