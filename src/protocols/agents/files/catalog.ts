/**
 * All agents that can be named here: found in folders, the nearest first, with their names resolved to
 * one another. An agent in a subfolder is also called by it: `review/critic`.
 */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { BUILT_IN, configFolder, workingFolder } from '../../../io/files.ts';
import { newProjectFolder, projectFolder } from '../../../io/presets.ts';
import type { Env } from '../../../io/surroundings.ts';
import { errorCode, explainCode, Misplaced, Refused, readTextFile } from '../../../io/text-file.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { homeOf } from '../../../platform/folders.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { cyclesIn, type Graph, type Links, reachable } from '../graph.ts';
import { type AgentFile, type Problem, readAgent, slugOf, whyNoAgent } from './agent-file.ts';

/** Where agents are looked for: the person's surroundings, and the folder that was named. */
interface Call {
  readonly flags: { readonly agents?: string | undefined };
  readonly env: Env;
}

/** No agent's brief is as long as this. Bytes. */
const LARGEST = 256 * 1024;

/** Files in a folder of agents and below; entries that are looked at for them. */
const MOST_FILES = 1_000;
const MOST_ENTRIES = 20_000;

/** Folders below a folder of agents are looked into so far. */
const MOST_DEEP = 8;

export interface Agent extends AgentFile {
  /** Its name, with its subfolder where another agent has the same one. */
  readonly id: string;
  /** With its subfolder: `review/critic`. */
  readonly qualified: string;
  /** The folder it was found in, as it was written; `built in` where it comes with the program. */
  readonly source: string;
  /** It was found in the project's folders, which are somebody else's. */
  readonly fromProject: boolean;
}

/** A Markdown file in a folder of agents that is none. */
interface LeftOut {
  readonly file: string;
  /** In a phrase: `a skill`. */
  readonly why: string;
}

/** The file that makes its folder a skill. */
const SKILL = /[\\/]skill\.md$/i;

interface Folder {
  readonly path: string;
  readonly source: string;
  /** Whether agents may lie below it. */
  readonly deep: boolean;
  /** The project's. */
  readonly fromProject: boolean;
}

/** The folders that are searched, the nearest first, and which of them are the project's. */
export function agentFolders({ flags, env }: Call): { path: string; fromProject: boolean }[] {
  const project = projectFolder(env);
  const claude = [workingFolder(), dirname(newProjectFolder(env))].map((at) => join(at, '.claude'));
  const own = (path: string) => ({ path, fromProject: false });
  return [
    ...(flags.agents === undefined ? [] : [own(flags.agents)]),
    ...[...(project === undefined ? [] : [project]), ...new Set(claude)].map((folder) => ({
      path: fromHere(join(folder, 'agents')),
      fromProject: dirname(folder) !== homeOf(env),
    })),
    own(join(configFolder(env), 'agents')),
  ];
}

/** Below the working folder as people would write it. */
function fromHere(path: string): string {
  const short = relative(workingFolder(), path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** As a source of agents. */
const WITH_THE_PROGRAM = 'built in';

export class Catalog {
  readonly agents: readonly Agent[];
  /** What is wrong with files, and with how agents name each other. */
  readonly problems: readonly Problem[];
  /** Markdown files in the folders that are no agents, and why. */
  readonly leftOut: readonly LeftOut[];
  readonly #links = new Map<string, Links>();

  /** `file`: an agent of its own, whose neighbours it may name. @throws UsageError where a folder that was named is none. */
  static open(call: Call, file?: string): Catalog {
    const named = call.flags.agents;
    if (named !== undefined && !isFolder(named))
      throw new UsageError(`--agents ${named}: no such folder`);
    const folders = [
      ...agentFolders(call).map((one): Folder => ({ ...one, source: one.path, deep: true })),
      { path: join(BUILT_IN, 'agents'), source: WITH_THE_PROGRAM, deep: true, fromProject: false },
    ];
    if (file === undefined) return new Catalog(folders);
    const text = readTextFile(file, { most: LARGEST, links: true });
    if (text === undefined) throw new Refused(file, explainCode('ENOENT'));
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
      // What lies beside or below a skill belongs to it.
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
            : (whyNoAgent(relative(path, file), text) ??
              (skill === undefined ? undefined : 'part of a skill'));
        if (why !== undefined) {
          leftOut.push({ file, why });
          continue;
        }
        const agent = text === undefined ? undefined : readAgent(file, text, isNamed);
        if (agent === undefined) continue;
        const parts = relative(path, dirname(file)).split(sep).map(slugOf).filter(Boolean);
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

  /** How they are linked, by id. */
  get graph(): Graph {
    return Object.fromEntries(this.#links);
  }

  /** By its id, its name or its file. @throws UsageError naming those that come near. */
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

  /** Whoever the agent may set to work, itself first. */
  below(root: Agent): Agent[] {
    return reachable(this.graph, root.id).flatMap(
      (id) => this.agents.find((agent) => agent.id === id) ?? [],
    );
  }

  /** The agent that is meant; else those that could be. */
  #resolve(wanted: string, from?: Agent): Agent | Agent[] {
    const name = wanted.split('/').map(slugOf).filter(Boolean).join('/');
    const beside = from?.qualified.replace(/[^/]*$/, '');
    const exact = (qualified: string) => this.agents.find((one) => one.qualified === qualified);
    const sibling = beside ? exact(beside + name) : undefined;
    if (sibling !== undefined) return sibling;
    for (const source of new Set(this.agents.map((one) => one.source))) {
      const there = this.agents.filter((one) => one.source === source);
      const top = there.find(({ qualified }) => qualified === name);
      if (top !== undefined) return top;
      const deeper = there.filter(({ qualified }) => qualified.endsWith(`/${name}`));
      if (deeper.length === 1 && deeper[0] !== undefined) return deeper[0];
      if (deeper.length > 1) return deeper;
    }
    return [];
  }

  /** The agent's links with ids for names. Those that lead nowhere are left out, and told. */
  #linked(agent: Agent, problems: Problem[]): Links {
    const { links } = agent;
    const wrong = (
      key: string,
      text: string,
      word?: string,
      severity: Problem['severity'] = 'error',
    ) => problems.push({ severity, file: agent.file, line: agent.lineOf(key, word), text });
    const idOf = (key: string, name: string): string[] => {
      const found = this.#resolve(name, agent);
      if (!Array.isArray(found)) return [found.id];
      wrong(
        key,
        found.length > 0
          ? `${key}: several agents are called "${name}" (${found.map((one) => one.qualified).join(', ')})`
          : `${key}: there is no agent "${name}"${nearTo(name, this.agents)}`,
        name,
      );
      return [];
    };
    const idsOf = (key: string, names: readonly string[]): string[] => {
      const ids = names.flatMap((name) => idOf(key, name));
      if (new Set(ids).size < ids.length)
        wrong(key, `${key}: an agent is named twice`, undefined, 'warning');
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
      wrong('router', 'an agent takes a router or a team, not both');
    if (typeof required === 'number' && required > advisors.length && advisors.length > 0)
      wrong(
        'advisorsRequired',
        `${required} advisors are required, but only ${advisors.length} named`,
      );
    if (links.advisors === undefined)
      for (const key of ['advisorsRequired', 'advisorTimeout'] as const)
        if (links[key] !== undefined) wrong(key, `${key} without advisors`, undefined, 'warning');
    if (supervisor !== agent.id) {
      const other = this.agents.find(({ id }) => id === supervisor)?.links;
      const link = (['router', 'team', 'handoff'] as const).find(
        (key) => other?.[key] !== undefined,
      );
      // It ends the team by its report: who passes that on would end somebody else's.
      if (link !== undefined)
        wrong('team', `team: the supervisor ${supervisor} has a ${link} of its own`, 'supervisor');
    }
    if (members.includes(supervisor))
      wrong('team', `team: ${supervisor} is a member of the team it supervises`, supervisor);
    return {
      ...(advisors.length === 0
        ? {}
        : {
            advisors: {
              agents: advisors,
              required,
              ...(timeoutMs === undefined ? {} : { timeoutMs }),
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
      ...(handoff === undefined ? {} : { handoff }),
    };
  }

  #cycles(): Problem[] {
    return cyclesIn(this.graph).flatMap((path) => {
      const [first = '', second = ''] = path;
      const agent = this.agents.find(({ id }) => id === first);
      if (agent === undefined) return [];
      const name = second.split('/').at(-1) ?? second;
      const key = Object.keys(agent.links).find((one) =>
        JSON.stringify(agent.links[one as keyof typeof agent.links])
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

/** What cannot be looked at is told: one bad file is no reason to know none. */
function filesBelow(top: string, deep: boolean, problems: Problem[]): string[] {
  const found: string[] = [];
  let entries = 0;
  const tell = (severity: Problem['severity'], file: string, text: string): void =>
    void problems.push({ severity, file, line: 1, text });
  const walk = (folder: string, depth: number): void => {
    if (depth > MOST_DEEP || !isFolder(folder)) return;
    let names: Dirent[];
    try {
      names = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      tell('warning', folder, `cannot be read: ${explainCode(errorCode(error))}`);
      return;
    }
    for (const entry of names.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      entries += 1;
      if (entries > MOST_ENTRIES || found.length >= MOST_FILES) return;
      const real = entry.isSymbolicLink() ? lookAt(path) : entry;
      if (real?.isDirectory() && deep) walk(path, depth + 1);
      if (real === undefined || real.isDirectory() || !/\.md$/i.test(entry.name)) continue;
      if (real.isFile()) found.push(path);
      else tell('error', path, `not read: ${explainCode('ENXIO')}`);
    }
  };
  walk(top, 0);
  if (entries > MOST_ENTRIES || found.length >= MOST_FILES)
    tell(
      'error',
      top,
      `too many files: only the first ${found.length} are read (at most ${MOST_FILES}, of ${MOST_ENTRIES} entries)`,
    );
  return found;
}

/**
 * Undefined, and told, where it cannot be read. A project's file is one only where it really lies in what
 * the folder of agents is in.
 */
function textBelow(
  folder: string,
  file: string,
  fromProject: boolean,
  problems: Problem[],
): string | undefined {
  const tell = (severity: Problem['severity'], text: string): undefined =>
    void problems.push({ severity, file, line: 1, text });
  try {
    const within = fromProject ? realPathOf(dirname(dirname(resolve(folder)))) : undefined;
    return readTextFile(file, {
      most: LARGEST,
      links: true,
      ...(within === undefined ? {} : { within }),
    });
  } catch (error) {
    if (error instanceof Misplaced)
      return tell('warning', 'is a link out of the project; not read');
    if (error instanceof Refused) return tell('error', `not read: ${error.why}`);
    if (errorCode(error) === undefined) throw error;
    return tell('warning', `cannot be read: ${explainCode(errorCode(error))}`);
  }
}

/** What a link leads to; undefined where it leads nowhere, or in circles. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}

/** `Did you mean critic? `: the name that comes nearest. */
function nearTo(wanted: string, agents: readonly Agent[]): string {
  const slug = slugOf(wanted.split('/').at(-1) ?? wanted);
  return didYouMean(slug, [...new Set(agents.map(({ name }) => name))]);
}
