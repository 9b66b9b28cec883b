/**
 * A team: in every cycle its members speak side by side, then its supervisor reads all of it in one
 * turn and either opens the next cycle or ends the team with its report. Every way out is bounded, and
 * every end but a failure is a report.
 */
import { nonce } from '../../kernel/chance.ts';
import type { Run } from '../../kernel/handle.ts';
import type { About } from '../../kernel/model.ts';
import type { AgentRun, Answer, Form, Task } from './agent-run.ts';
import { discussionOf, type Said } from './discussion.ts';
import { type FactOf, fact } from './facts.ts';
import type { Team } from './graph.ts';
import { nearIdentical } from './likeness.ts';
import { memberInput, superviseInput, superviseSchema, superviseTask, voteIn } from './prompts.ts';

type How = FactOf<'team.ended'>['how'];

/** Why a cycle is the last one. */
interface End {
  readonly how: How;
  readonly why: string;
}

/** Sets those of a team to work: what an agent's turn is made of is not the team's business. */
export interface Speakers {
  member(member: string, cycle: number, input: string, about: About): Promise<Answer>;
  /** `turn`: its name below the cycle; there is a second one where the first did not fit. */
  supervise(cycle: number, turn: string, input: string, form: Form): Promise<Answer>;
}

export async function holdTeam(
  { config }: AgentRun,
  run: Run,
  { path, about }: Task,
  team: Team,
  { input, instructions, speakers }: { input: string; instructions: string; speakers: Speakers },
): Promise<Answer> {
  const said: Said[] = [];
  const fence = nonce(config.seed, `${path}/team`);
  /** What the discussion may come to: less, once somebody's context was too small for it. */
  let most = config.contextTokens;
  const learn = (answer: Answer): void => {
    // Half of it is left for the request, the brief and the answer.
    if (answer.status !== 'done' && answer.window !== undefined)
      most = Math.min(most, Math.floor(answer.window / 2));
  };
  /** As it stands now; what is shortened in it is noted once a cycle and turn. */
  const turnOf = async (cycle: number, who: string) => {
    const { text, shortened, tokensBefore, tokensAfter } = discussionOf(said, fence, most);
    if (shortened > 0) {
      const shorter = { cycle, messages: shortened, tokensBefore, tokensAfter };
      await run.step(`cycle-${cycle}/${who}-compacted`, shorter, ({ emit }) =>
        emit(fact('team.compacted', { path, ...shorter })),
      );
    }
    return { input, instructions, team, cycle, discussion: text, nonce: fence };
  };
  const ended = (cycles: number, { how, why }: End) =>
    run.step('ended', { cycles, how, why }, ({ emit }) =>
      emit(fact('team.ended', { path, how, cycles, why })),
    );

  let end: End | undefined;
  for (let cycle = 1; ; cycle += 1) {
    // Where the supervisor went round in circles, another round of the members would not help.
    if (end === undefined) {
      const turn = await turnOf(cycle, 'members');
      const votes = team.terminationMode === 'consensus' ? { ending: 'vote' as const } : {};
      const around: About = { turn: cycle, heard: [...said], ...votes };
      const answers = await Promise.all(
        team.members.map(async (member) => {
          const answer = await speakers.member(member, cycle, memberInput(turn), around);
          const message = saidBy(member, cycle, answer);
          const concludes = team.terminationMode === 'consensus' ? voteIn(message.text) : undefined;
          await run.step(`cycle-${cycle}/said/${member}`, { ...message, concludes }, ({ emit }) =>
            emit(
              fact('team.broadcast', {
                path,
                cycle,
                from: member,
                by: 'member',
                status: answer.status,
                text: message.text,
                ...(concludes === undefined ? {} : { concludes }),
              }),
            ),
          );
          return { answer, message };
        }),
      );
      for (const { answer } of answers) learn(answer);
      said.push(...answers.map(({ message }) => message));
      const failed = answers.flatMap(({ answer }) => (answer.status === 'done' ? [] : [answer]));
      if (failed.length === answers.length) {
        const why = `no member had a message in cycle ${cycle}`;
        await ended(cycle, { how: 'failure', why });
        return {
          status: 'failed',
          reason: `${why} (${said
            .filter((one) => one.cycle === cycle)
            .map(({ from, text }) => `${from}: ${text}`)
            .join('; ')})`,
          failedSteps: failed.flatMap(({ failedSteps }) => failedSteps),
        };
      }
      end = endOf(team, said, cycle);
    }
    const chooses = end === undefined && team.terminationMode === 'coordinatorDecides';
    const may = end === undefined ? (chooses ? 'choose' : 'broadcast') : { because: end.why };
    const form: Form = {
      task: superviseTask(cycle, team, may),
      about: { question: about.question, turn: cycle, heard: [...said] },
      ...(chooses
        ? { schema: superviseSchema, wordsOf: (value) => superviseSchema.parse(value).text }
        : {}),
    };
    const supervise = async (turn: string): Promise<Answer> =>
      speakers.supervise(cycle, turn, superviseInput(await turnOf(cycle, turn)), form);
    const allowed = most;
    let answer = await supervise('supervisor');
    learn(answer);
    if (most < allowed) answer = await supervise('supervisor-again');
    if (answer.status !== 'done') {
      await ended(cycle, { how: 'failure', why: `the supervisor failed: ${answer.reason}` });
      return { ...answer, reason: `its supervisor failed: ${answer.reason}` };
    }
    const { text } = answer;
    const reports = chooses
      ? superviseSchema.parse(answer.value).action === 'report'
      : end !== undefined;
    if (reports) {
      await ended(cycle, end ?? { how: 'report', why: 'the supervisor gave its report' });
      return { status: 'done', text, answeredBy: team.supervisor };
    }
    const opened: Said = { cycle, from: team.supervisor, by: 'supervisor', text, failed: false };
    await run.step(`cycle-${cycle}/said-by-supervisor`, opened, ({ emit }) =>
      emit(
        fact('team.broadcast', {
          path,
          cycle,
          from: team.supervisor,
          by: 'supervisor',
          status: 'done',
          text,
        }),
      ),
    );
    const before = said.findLast(({ by }) => by === 'supervisor');
    if (before !== undefined && nearIdentical(before.text, text))
      end = {
        how: 'loop',
        why: `${team.supervisor} repeats what it said in cycle ${before.cycle}`,
      };
    said.push(opened);
  }
}

function saidBy(member: string, cycle: number, answer: Answer): Said {
  const done = answer.status === 'done';
  return {
    cycle,
    from: member,
    by: 'member',
    text: done ? answer.text : answer.reason,
    failed: !done,
  };
}

/** Why this cycle is the last, once its members have spoken; undefined where it need not be. */
export function endOf(team: Team, said: readonly Said[], cycle: number): End | undefined {
  const now = said.filter((one) => one.by === 'member' && one.cycle === cycle && !one.failed);
  if (
    team.terminationMode === 'consensus' &&
    now.length > 0 &&
    now.every(({ text }) => voteIn(text) === true)
  )
    return { how: 'consensus', why: `${namesOf(now)} voted to conclude` };
  const before = (member: string): Said | undefined =>
    said.find((one) => one.from === member && one.cycle === cycle - 1 && one.by === 'member');
  if (
    now.length > 0 &&
    now.every(({ from, text }) => {
      const last = before(from);
      return last !== undefined && !last.failed && nearIdentical(last.text, text);
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

function namesOf(said: readonly Said[]): string {
  return said.map(({ from }) => from).join(', ');
}
