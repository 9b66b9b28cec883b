/**
 * Makes coding agents with the Agent Client Protocol providers of answers, paid by a person's subscription.
 * The code for the protocol is loaded at the first call.
 */
import type { Env } from '../io/tools.ts';
import { NO_USAGE } from '../kernel/model.ts';
import { OWN_MODEL } from '../kernel/providers/names.ts';
import { withoutLeaks } from '../models/discreet.ts';
import type { Attempt, AttemptContext, Provider, ProviderRequest } from '../models/provider.ts';
import { formsOfAll, makeSecretFormsReader } from '../models/secrets.ts';
import { findSandbox } from '../sandbox/sandbox.ts';
import type { CodingAgent } from './agent.ts';
import type { AnsweredSession } from './answer.ts';
import { findProgram, findWholeHome, realHome } from './cell.ts';
import { readTokens } from './login.ts';
import type { AgentProcess } from './process.ts';

interface Options {
  readonly env: Env;
  /** Whether the person has allowed agents to run without a sandbox. */
  readonly unsandboxed: boolean;
}

/** Makes the provider through which seats ask a coding agent, as they ask a model. */
export function agentProvider(agent: CodingAgent, options: Options): Provider {
  const { env, unsandboxed } = options;
  const runs = new Map<string, SeatedAgent>();
  const endRun = async (run: string): Promise<void> => {
    const seated = runs.get(run);
    runs.delete(run);
    await seated?.end();
  };
  const provider: Provider = {
    name: agent.name,
    endpoint: agent.command,
    queues: false,
    onPlan: true,
    ownPrompt: agent.promptTokens,
    get isUnasked() {
      return findProgram(agent, env) === undefined;
    },
    list: () =>
      Promise.resolve(
        findProgram(agent, env) === undefined
          ? []
          : [{ spec: `${agent.name}/${OWN_MODEL}`, note: `${agent.title}, on your plan` }],
      ),
    // An agent takes neither tools nor a schema from this program, so both are described in the prompt.
    abilities: () => Promise.resolve({ tools: false, schema: false }),
    consent: async () =>
      unsandboxed || (await findSandbox(env)) !== 'none' ? undefined : consentTo(agent),
    endRun,
    stream: async (request, context) => {
      const run = context.run ?? crypto.randomUUID();
      const seated = runs.get(run) ?? new SeatedAgent();
      runs.set(run, seated);
      try {
        return await askAgent(agent, options, seated, request, context);
      } finally {
        // A coding agent's process normally ends with the run that its calls belong to. If a call belongs to no
        // run, end the process after this call.
        if (context.run === undefined) await endRun(run);
      }
    },
  };
  return {
    ...provider,
    get isUnasked() {
      return provider.isUnasked;
    },
    stream: (request, context) => {
      const given = agent.env.map((name) => env[name] ?? '');
      const own = formsOfAll([...given, ...readTokens(agent, realHome(env))]);
      const others = makeSecretFormsReader(env);
      return withoutLeaks(provider, () => [...others(), ...own]).stream(request, context);
    },
  };
}

/** Returns the question that is asked once per run if there is no sandbox. */
function consentTo({ title }: CodingAgent): string {
  return `There is no sandbox here: ${title} could change any file of yours, whatever it is told. Run coding agents all the same?`;
}

/** An agent in one run: its process, and the last answer of each seat. */
class SeatedAgent {
  readonly answers = new Map<string, AnsweredSession>();
  readonly #over = new AbortController();
  #last: Promise<AgentProcess | undefined> = Promise.resolve(undefined);

  /** Returns the running process or starts one; all seats share it, even if they begin at once. */
  process(start: (over: AbortSignal) => Promise<AgentProcess>): Promise<AgentProcess> {
    const next = this.#last.then(async (known) => {
      if (known !== undefined && !known.isOver) return known;
      await known?.end();
      return start(this.#over.signal);
    });
    this.#last = next.catch(() => undefined);
    return next;
  }

  async end(): Promise<void> {
    this.#over.abort();
    await (await this.#last)?.end();
  }
}

async function askAgent(
  agent: CodingAgent,
  { env, unsandboxed }: Options,
  seated: SeatedAgent,
  request: ProviderRequest,
  context: AttemptContext,
): Promise<Attempt> {
  const { folders = [] } = context;
  const [
    { AgentProcess },
    { answer },
    { noSandboxFailure: noSandbox, wholeHomeFailure: wholeHome },
  ] = await Promise.all([import('./process.ts'), import('./answer.ts'), import('./failures.ts')]);
  const sandbox = await findSandbox(env);
  const whole = findWholeHome(env, folders);
  const isAllowed = sandbox !== 'none' || unsandboxed || context.mayRunUnsandboxed === true;
  if (!isAllowed || whole !== undefined) {
    const failure = whole === undefined ? noSandbox(agent) : wholeHome(agent, whole.path);
    return { ok: false, failure, usage: NO_USAGE, notes: [] };
  }
  return answer(request, context, {
    agent,
    env,
    folders,
    last: seated.answers.get(request.seatId),
    process: () =>
      seated.process((over) => AgentProcess.start({ agent, env, sandbox, folders, over })),
    keep: (answered) => seated.answers.set(request.seatId, answered),
  });
}
