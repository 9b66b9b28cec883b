/** Gives seats tools on a tree, which is the state of the files. Code chooses the tree, never a model. */
import type { ModelRequest } from '../../../kernel/model.ts';
import type { ToolInfo, ToolResult } from '../../../kernel/tools/tools.ts';
import { isRecord } from '../../../text/json.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { FormAnswer } from '../../common/asking/ask-form.ts';
import { askWithTools, type ToolPlace } from '../../common/asking/asking.ts';
import type { Share } from '../../common/asking/tool-texts.ts';
import { handInTask, lookTask, type WorkTask, workLeft, workTask } from '../prompts/tools.ts';
import { expectedArguments, renameArguments } from '../rules/arguments.ts';
import type { Question, TeamRun } from '../team-run.ts';

/** The tools that only read. */
const READING = ['list', 'grep', 'read'] as const;

/** What a seat may use to look around before it answers: turns, tool calls and tokens. */
const LOOK: Share = { turns: 8, calls: 24, tokens: 32_000 };

/**
 * A tool that a phase adds to the run's tools. If its result depends on more than the arguments and the tree, `use` has
 * to record the result under its key.
 */
export interface OwnTool {
  readonly info: ToolInfo;
  /**
   * Runs the tool.
   * @param key the key of the recorded step
   * @param given the arguments, as the model wrote them
   * @param tree the id of the tree of files
   */
  use(key: string, given: unknown, tree: string): Promise<ToolResult>;
}

class TreePlace implements ToolPlace {
  readonly #team: TeamRun;
  readonly #named: readonly string[] | undefined;
  readonly #own: readonly OwnTool[];
  #tree: string;
  readonly task: ToolPlace['task'];
  readonly left?: NonNullable<ToolPlace['left']>;

  constructor(
    team: TeamRun,
    tree: string,
    task: ToolPlace['task'],
    named?: readonly string[],
    own: readonly OwnTool[] = [],
    left?: ToolPlace['left'],
  ) {
    this.#team = team;
    this.#tree = tree;
    this.#named = named;
    this.#own = own;
    this.task = task;
    if (left !== undefined) this.left = left;
  }

  get tools(): readonly ToolInfo[] {
    return this.#own.map(({ info }) => info);
  }

  state(): string {
    return this.#tree;
  }

  readonly use: ToolPlace['use'] = async (key, seat, call) => {
    const own = this.#own.find(({ info }) => info.name === call.name);
    if (own !== undefined) return own.use(key, call.arguments, this.#tree);
    const { run } = this.#team;
    const offered = run.tools.find(({ name }) => name === call.name);
    if (offered === undefined || this.#named?.includes(call.name) === false)
      return refuseToolCall(call.name, `there is no tool ${call.name}`);
    const said = isRecord(call.arguments) ? call.arguments : {};
    // If the model uses other names for arguments than the tool has, rename them. Runs before version 3 of the
    // rules did not do so, and a replay of them must give the same result.
    const given = this.#team.edition < 3 ? said : renameArguments(said, offered.parameters);
    // Let the tool work on the tree that code has chosen, even if the model names another one.
    const found = await run.callTool(key, seat, {
      name: call.name,
      arguments: { ...given, tree: this.#tree },
    });
    if (found.state !== undefined) this.#tree = found.state;
    const expected =
      this.#team.edition < 3 || found.refused !== true
        ? undefined
        : expectedArguments(call.name, given, offered.parameters);
    return expected === undefined ? found : { ...found, text: `${found.text}\n${expected}` };
  };
}

/**
 * Builds the result of a refused tool call.
 * @param about names the tool
 * @param text a sentence for the model
 */
export function refuseToolCall(about: string, text: string): ToolResult {
  return { about, text, from: 1, refused: true };
}

/** Asks a seat a question. Before it answers, the seat may read the files of a tree, but change nothing. */
export function askLooking<T>(
  team: TeamRun,
  key: string,
  tree: string,
  question: Question<T>,
): Promise<FormAnswer<T>> {
  return team.ask(key, question, (step, request, options) => {
    const place = new TreePlace(
      team,
      tree,
      (tools, share, fence) => lookTask(tools, share, fence, handInTask(question.schema)),
      READING,
    );
    return askWithTools(team.run, step, request, {
      ...options,
      tools: READING,
      share: LOOK,
      place,
      handsIn: true,
    });
  });
}

interface Worked<T> {
  readonly answer: FormAnswer<T>;
  /** The tree as the seat has left it. */
  readonly tree: string;
  readonly turns: number;
}

/**
 * Asks a seat to do a task for which it may change files. Each retry starts from the given tree again.
 * @param tree the id of the tree of files
 * @param work what the seat may use (`share`), the names of the run's tools that it gets (`tools`; all if
 * absent), tools for this task alone (`own`), and the rules that it is told
 * @returns the answer, and the changed tree and the number of turns of the last try
 */
export async function askWorking<T>(
  team: TeamRun,
  key: string,
  tree: string,
  question: Question<T>,
  work: {
    readonly share: Share;
    readonly tools?: readonly string[];
    readonly own?: readonly OwnTool[];
    readonly told: WorkTask;
  },
): Promise<Worked<T>> {
  let left = tree;
  let turns = 0;
  const { share, tools: named, own, told } = work;
  const answer = await team.ask(key, question, async (step, request, options) => {
    const place = new TreePlace(
      team,
      tree,
      (tools, given, fence) => workTask(tools, given, fence, told, handInTask(question.schema)),
      named,
      own,
      workLeft,
    );
    turns = 0;
    const counting = {
      ...team.run,
      ask: (...given: Parameters<typeof team.run.ask>) => {
        turns += 1;
        return team.run.ask(...given);
      },
    };
    const reply = await askWithTools(counting, step, request satisfies ModelRequest, {
      ...options,
      share,
      place,
      handsIn: true,
      ...withoutUndefined({ tools: named }),
    });
    left = place.state();
    return reply;
  });
  return { answer, tree: left, turns };
}
