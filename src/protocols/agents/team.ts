/**
 * Runs a team: in every cycle its members speak at the same time, then its supervisor reads everything in one
 * turn and opens the next cycle or ends the team with its report. All ways to end are bounded, and every end
 * except a failure has a report.
 */
import { makeNonce } from '../../kernel/chance.ts';
import type { Run } from '../../kernel/handle.ts';
import type { PromptContents } from '../../kernel/model.ts';
import type { AgentRun, Answer, Form, Task } from './agent-run.ts';
import { formatDiscussion, type TeamMessage } from './discussion.ts';
import { type FactOf, fact } from './facts.ts';
import type { Team } from './graph.ts';
import { areNearlyIdentical } from './likeness.ts';
import {
  memberInput,
  parseVote,
  superviseInput,
  superviseSchema,
  superviseTask,
} from './prompts.ts';

type How = FactOf<'team.ended'>['how'];

/** Why a cycle is the last one. */
interface End {
  readonly how: How;
  readonly why: string;
}

/** The functions by which a team asks its members and its supervisor. */
export interface Speakers {
  /** Asks one member in one round of the discussion. */
  member(member: string, cycle: number, input: string, about: PromptContents): Promise<Answer>;
  /**
   * Asks the supervisor in one round of the discussion.
   * @param turn a part of the step's key. If the prompt did not fit into the context window, the
   * supervisor is asked a second time with a shorter prompt and another `turn`.
   */
  supervise(cycle: number, turn: string, input: string, form: Form): Promise<Answer>;
}

/** A team's task, and who gives turns to its members. */
interface TeamTask {
  readonly team: Team;
  readonly input: string;
  readonly instructions: string;
  readonly speakers: Speakers;
}

/**
 * Runs a team's discussion until it ends. Resolves to the supervisor's report or to the reason of a
 * failure.
 */
export async function holdTeam(
  agentRun: AgentRun,
  run: Run,
  task: Task,
  teamTask: TeamTask,
): Promise<Answer> {
  const held = new TeamRun(agentRun, run, task, teamTask);
  for (let cycle = 1; ; cycle += 1) {
    const answer = (await held.hearMembers(cycle)) ?? (await held.hearSupervisor(cycle));
    if (answer !== undefined) return answer;
  }
}

/** A team at work: its messages, and whether this cycle is the last. */
class TeamRun {
  readonly #run: Run;
  readonly #task: Task;
  readonly #teamTask: TeamTask;
  readonly #said: TeamMessage[] = [];
  readonly #fence: string;
  readonly #attachments: AgentRun['config']['attachments'];
  /** The most tokens of the discussion; reduced when it does not fit an agent's context. */
  #most: number;
  #end: End | undefined;

  constructor({ config }: AgentRun, run: Run, task: Task, teamTask: TeamTask) {
    this.#run = run;
    this.#task = task;
    this.#teamTask = teamTask;
    this.#fence = makeNonce(config.seed, `${task.path}/team`);
    this.#most = config.contextTokens;
    this.#attachments = config.attachments;
  }

  /** Lets all members speak at the same time. Resolves to a failure if none of them has a message. */
  async hearMembers(cycle: number): Promise<Answer | undefined> {
    // If the supervisor's last two messages are nearly the same, the discussion is over. The members are not
    // asked again, and the supervisor gives its report.
    if (this.#end !== undefined) return undefined;
    const { team } = this.#teamTask;
    const turn = await this.#turn(cycle, 'members');
    const votes = team.terminationMode === 'consensus' ? { ending: 'vote' as const } : {};
    const about: PromptContents = { turn: cycle, heard: [...this.#said], ...votes };
    const answers = await Promise.all(
      team.members.map((member) => this.#hearMember(member, cycle, memberInput(turn), about)),
    );
    for (const { answer } of answers) this.#learn(answer);
    this.#said.push(...answers.map(({ message }) => message));
    const failed = answers.flatMap(({ answer }) => (answer.status === 'done' ? [] : [answer]));
    if (failed.length < answers.length) {
      this.#end = explainLastCycle(team, this.#said, cycle);
      return undefined;
    }
    const why = `no member had a message in cycle ${cycle}`;
    await this.#record(cycle, { how: 'failure', why });
    const reasons = answers.map(({ message: { from, text } }) => `${from}: ${text}`);
    return {
      status: 'failed',
      reason: `${why} (${reasons.join('; ')})`,
      failedSteps: failed.flatMap(({ failedSteps }) => failedSteps),
    };
  }

  async #hearMember(
    member: string,
    cycle: number,
    input: string,
    about: PromptContents,
  ): Promise<{ answer: Answer; message: TeamMessage }> {
    const { team, speakers } = this.#teamTask;
    const answer = await speakers.member(member, cycle, input, about);
    const message = messageOf(member, cycle, answer);
    const { status } = answer;
    const concludes = team.terminationMode === 'consensus' ? parseVote(message.text) : undefined;
    const { from, by, text } = message;
    const vote = concludes === undefined ? {} : { concludes };
    await this.#run.step(`cycle-${cycle}/said/${member}`, { ...message, concludes }, ({ emit }) =>
      emit(
        fact('team.broadcast', { path: this.#task.path, cycle, from, by, status, text, ...vote }),
      ),
    );
    return { answer, message };
  }

  /**
   * Lets the supervisor open the next cycle or end the team. Resolves to the supervisor's report or
   * a failure, or to undefined if the team continues.
   */
  async hearSupervisor(cycle: number): Promise<Answer | undefined> {
    const { team, speakers } = this.#teamTask;
    const end = this.#end;
    const chooses = end === undefined && team.terminationMode === 'coordinatorDecides';
    const form = this.#formFor(cycle, chooses);
    const askSupervisor = async (turn: string): Promise<Answer> =>
      speakers.supervise(cycle, turn, superviseInput(await this.#turn(cycle, turn)), form);
    const allowed = this.#most;
    let answer = await askSupervisor('supervisor');
    this.#learn(answer);
    if (this.#most < allowed) answer = await askSupervisor('supervisor-again');
    if (answer.status !== 'done') {
      await this.#record(cycle, { how: 'failure', why: `the supervisor failed: ${answer.reason}` });
      return { ...answer, reason: `its supervisor failed: ${answer.reason}` };
    }
    const { text } = answer;
    const reports = chooses
      ? superviseSchema.parse(answer.value).action === 'report'
      : end !== undefined;
    if (!reports) {
      await this.#openNext(cycle, text);
      return undefined;
    }
    await this.#record(cycle, end ?? { how: 'report', why: 'the supervisor gave its report' });
    return { status: 'done', text, answeredBy: team.supervisor };
  }

  #formFor(cycle: number, chooses: boolean): Form {
    const may =
      this.#end === undefined ? (chooses ? 'choose' : 'broadcast') : { because: this.#end.why };
    return {
      task: superviseTask(cycle, this.#teamTask.team, may),
      about: { question: this.#task.about.question, turn: cycle, heard: [...this.#said] },
      ...(chooses
        ? { schema: superviseSchema, wordsOf: (value) => superviseSchema.parse(value).text }
        : {}),
    };
  }

  /**
   * Records the supervisor's message to everybody. If it repeats the supervisor's message before, the next cycle is
   * the last.
   */
  async #openNext(cycle: number, text: string): Promise<void> {
    const from = this.#teamTask.team.supervisor;
    const opened: TeamMessage = { cycle, from, by: 'supervisor', text, failed: false };
    await this.#run.step(`cycle-${cycle}/said-by-supervisor`, opened, ({ emit }) =>
      emit(
        fact('team.broadcast', {
          path: this.#task.path,
          cycle,
          from,
          by: 'supervisor',
          status: 'done',
          text,
        }),
      ),
    );
    const before = this.#said.findLast(({ by }) => by === 'supervisor');
    if (before !== undefined && areNearlyIdentical(before.text, text))
      this.#end = { how: 'loop', why: `${from} repeats what it said in cycle ${before.cycle}` };
    this.#said.push(opened);
  }

  #learn(answer: Answer): void {
    // If a prompt did not fit into a model's window, the discussion may fill at most half of that window from now on.
    // The request, the brief and the answer need the rest.
    if (answer.status !== 'done' && answer.window !== undefined)
      this.#most = Math.min(this.#most, Math.floor(answer.window / 2));
  }

  /** Returns the turn's prompt data. A shortened discussion is recorded once for each cycle and turn. */
  async #turn(cycle: number, turn: string) {
    const { team, input, instructions } = this.#teamTask;
    const discussion = formatDiscussion(this.#said, this.#fence, this.#most, this.#attachments);
    const { text, shortened, tokensBefore, tokensAfter } = discussion;
    if (shortened > 0) {
      const shorter = { cycle, messages: shortened, tokensBefore, tokensAfter };
      await this.#run.step(`cycle-${cycle}/${turn}-compacted`, shorter, ({ emit }) =>
        emit(fact('team.compacted', { path: this.#task.path, ...shorter })),
      );
    }
    return { input, instructions, team, cycle, discussion: text, nonce: this.#fence };
  }

  #record(cycles: number, { how, why }: End): Promise<unknown> {
    return this.#run.step('ended', { cycles, how, why }, ({ emit }) =>
      emit(fact('team.ended', { path: this.#task.path, how, cycles, why })),
    );
  }
}

function messageOf(member: string, cycle: number, answer: Answer): TeamMessage {
  const done = answer.status === 'done';
  return {
    cycle,
    from: member,
    by: 'member',
    text: done ? answer.text : answer.reason,
    failed: !done,
  };
}

/**
 * Returns why a team's discussion ends once its members have spoken in round `cycle`: all members with a message
 * voted to end it (in the mode `consensus`), all of them repeat themselves, or no further round or turn is allowed.
 * Returns undefined if the discussion goes on.
 */
export function explainLastCycle(
  team: Team,
  said: readonly TeamMessage[],
  cycle: number,
): End | undefined {
  const now = said.filter(
    (message) => message.by === 'member' && message.cycle === cycle && !message.failed,
  );
  if (
    team.terminationMode === 'consensus' &&
    now.length > 0 &&
    now.every(({ text }) => parseVote(text) === true)
  )
    return { how: 'consensus', why: `${namesOf(now)} voted to conclude` };
  const findPreviousMessage = (member: string): TeamMessage | undefined =>
    said.find(
      (message) =>
        message.from === member && message.cycle === cycle - 1 && message.by === 'member',
    );
  if (
    now.length > 0 &&
    now.every(({ from, text }) => {
      const last = findPreviousMessage(from);
      return last !== undefined && !last.failed && areNearlyIdentical(last.text, text);
    })
  )
    return { how: 'loop', why: `${namesOf(now)} repeat what they said in cycle ${cycle - 1}` };
  const most = Math.min(team.maxRounds, team.memberMaxTurns, team.supervisorMaxTurns);
  if (cycle < most) return undefined;
  if (most === team.maxRounds)
    return {
      how: 'maxRounds',
      why: `${team.terminationMode === 'consensus' ? 'no consensus and ' : ''}cycle ${cycle} is the last one`,
    };
  const whose = team.memberMaxTurns === most ? 'the members have' : 'the supervisor has';
  return { how: 'turns', why: `${whose} no turn left after ${cycle}` };
}

function namesOf(said: readonly TeamMessage[]): string {
  return said.map(({ from }) => from).join(', ');
}
