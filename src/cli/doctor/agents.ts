/** The part of `deliberate doctor` that tries the coding agents that are installed, after the person agreed. */
import type { Invocation } from '../../app/invocation.ts';
import { agentsOf } from '../../app/settings/coding-agents.ts';
import type { Config } from '../../app/settings/config.ts';
import type { CodingAgent } from '../../coding-agents/agent.ts';
import { findProgram } from '../../coding-agents/cell.ts';
import { AGENT_PROBE_CALLS, type AgentMeasured, measureAgent } from '../../coding-agents/probe.ts';
import { askToConfirm } from '../../io/confirm.ts';
import { OWN_MODEL } from '../../kernel/providers/names.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { Verdict } from '../../models/probe/verdicts.ts';
import { toLine } from '../../text/line.ts';
import { formatMs, formatTokens } from '../../text/numbers.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

const IDLE_MS = 120_000;

/** Receives verdicts as they are found. */
interface Report {
  add(verdicts: readonly Verdict[], measured?: AgentMeasured): void;
}

/**
 * Tries the named coding agents, or all installed agents if no name is given, and reports the
 * verdicts. Asks the person first, unless `--yes` is set; without consent no agent is tried.
 */
export async function checkAgents(
  call: Invocation,
  config: Config,
  named: readonly string[],
  report: Report,
): Promise<void> {
  const { env, err, flags } = call;
  const all = agentsOf(config);
  const wanted =
    named.length === 0
      ? all.map((agent): Patient => ({ agent, subject: agent.name }))
      : named.flatMap((spec): Patient[] => {
          const { provider, model } = splitSpec(spec);
          const agent = all.find(({ name }) => name === provider);
          if (agent === undefined) return [];
          return [
            model === OWN_MODEL ? { agent, subject: agent.name } : { agent, subject: spec, model },
          ];
        });
  const there = wanted.filter(({ agent }) => findProgram(agent, env) !== undefined);
  for (const { agent, subject } of named.length > 0 ? wanted : [])
    if (!there.some((patient) => patient.agent === agent))
      report.add([
        {
          mark: 'fail',
          subject,
          says: `${agent.command} is not on your PATH`,
          next:
            agent.install === undefined
              ? 'Install it, or correct the command of this agent in your configuration'
              : `Install it: ${agent.install}`,
        },
      ]);
  if (there.length === 0) return;
  const isAllowed = await mayTry(
    call,
    there.map(({ agent }) => agent),
  );
  for (const { agent, subject, model } of there) {
    if (!isAllowed) {
      report.add([notTried(subject)]);
      continue;
    }
    if (!flags.quiet) {
      await call.out.drain();
      err.write(`Probing ${toLine(subject)} …\n`);
    }
    const measured = await measureAgent(agent, {
      env,
      unsandboxed: flags.unsandboxed,
      model,
      quick: flags.quick,
      idleMs: flags.idleTimeout ?? config.idle_timeout ?? IDLE_MS,
    });
    report.add(agentVerdicts(agent, subject, measured), measured);
  }
}

/** An agent to try, with the model that was named for it. */
interface Patient {
  readonly agent: CodingAgent;
  /** The agent as the person named it. */
  readonly subject: string;
  readonly model?: string;
}

/** Returns the names that do not name a coding agent. */
export function withoutAgents(config: Config, named: readonly string[]): string[] {
  const agents = agentsOf(config).map(({ name }) => name);
  return named.filter((spec) => !agents.includes(splitSpec(spec).provider));
}

function mayTry(call: Invocation, agents: readonly CodingAgent[]): Promise<boolean> | boolean {
  if (call.flags.yes) return true;
  if (!call.stdin.isTTY || !call.err.isTTY) return false;
  const calls = call.flags.quick ? 1 : AGENT_PROBE_CALLS;
  const tokens = agents.reduce((sum, { promptTokens }) => sum + calls * promptTokens, 0);
  return askToConfirm(
    call,
    `${agents.map(({ title }) => title).join(', ')}: ${calls} short ${calls === 1 ? 'call' : 'calls'} each on your plan, about ${formatTokens(tokens)} tokens with their own prompts. Continue? [y/N] `,
    'Add --yes.',
  );
}

function notTried(name: string): Verdict {
  return {
    mark: 'warn',
    subject: name,
    says: 'not tried: its calls count against your plan',
    next: `Add --yes: deliberate doctor ${name} --yes`,
  };
}

/** Returns one verdict for each property that was measured. */
function agentVerdicts(
  { mode, title }: CodingAgent,
  subject: string,
  {
    failure,
    version,
    model,
    sandbox,
    startMs,
    pieces,
    followsSchema,
    stops,
    writing,
  }: AgentMeasured,
): Verdict[] {
  const makeVerdict = (mark: Verdict['mark'], says: string, next?: string): Verdict => ({
    mark,
    subject,
    says,
    ...withoutUndefined({ next }),
  });
  const where = sandbox === 'none' ? 'without a sandbox' : `in ${sandbox}`;
  const details = [version ?? '', model === undefined ? '' : `model ${model}`].filter(
    (part) => part,
  );
  const verdicts: Verdict[] = [];
  if (startMs !== undefined)
    verdicts.push(
      makeVerdict(
        'ok',
        `starts ${where} in ${formatMs(startMs)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
      ),
    );
  if (pieces !== undefined)
    verdicts.push(
      pieces > 1
        ? makeVerdict('ok', `is signed in and streams: its answer came in ${pieces} pieces`)
        : makeVerdict('ok', 'is signed in and answers, all at once'),
    );
  if (followsSchema !== undefined)
    verdicts.push(
      followsSchema
        ? makeVerdict('ok', 'follows a schema')
        : makeVerdict(
            'warn',
            'does not follow a schema',
            'Seat it where prose is asked for, not as a verifier',
          ),
    );
  if (writing !== undefined)
    verdicts.push(makeVerdict(...writingVerdict(writing, sandbox, mode, title)));
  if (stops !== undefined)
    verdicts.push(
      stops
        ? makeVerdict('ok', 'stops when asked to')
        : makeVerdict(
            'warn',
            'does not stop within 2 s when asked to: it is ended, with its other seats',
          ),
    );
  if (failure !== undefined) verdicts.push(makeVerdict('fail', failure.message, failure.next));
  return verdicts;
}

function writingVerdict(
  writing: NonNullable<AgentMeasured['writing']>,
  sandbox: AgentMeasured['sandbox'],
  mode: string | undefined,
  title: string,
): [Verdict['mark'], string, string?] {
  const how = mode === undefined ? '' : ` in its mode ${mode}`;
  if (writing === 'untried')
    return [
      'ok',
      `was told to write a file${how}, did not, and told of no attempt: that proves nothing`,
    ];
  if (writing === 'kept')
    return ['ok', `tried to write a file when told to${how}, and did not without leave`];
  if (sandbox !== 'none')
    return ['warn', `writes without leave when told to${how}; ${sandbox} keeps it from your files`];
  return [
    'fail',
    `writes without leave when told to${how}, and there is no sandbox here`,
    `Install bubblewrap (bwrap) before you seat ${title}`,
  ];
}
