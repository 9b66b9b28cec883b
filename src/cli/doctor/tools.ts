/** The part of `deliberate doctor` that starts every configured tool server and lists its tools. */
import type { Invocation } from '../../app/invocation.ts';
import { formatOffer, listServers, toolServers } from '../../app/settings/run-tools.ts';
import { configuredNames, configuredServer } from '../../app/settings/tool-server-file.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { Verdict } from '../../models/probe/verdicts.ts';

/** Checks each tool server of the configuration, in its order, and returns the results. */
export async function toolVerdicts(call: Invocation): Promise<Verdict[]> {
  return Promise.all(configuredNames(call).map((name) => toolVerdict(call, name)));
}

async function toolVerdict(call: Invocation, name: string): Promise<Verdict> {
  const subject = `tools ${name}`;
  try {
    const servers = await toolServers(call, [configuredServer(call, name)], {});
    const [listed] = await listServers(servers);
    await servers.close();
    if (listed === undefined) throw new Error(`${name} was not listed`);
    const says = `${listed.address}: ${formatOffer(listed)}`;
    const { tools, others } = listed;
    return tools.length > 0
      ? { mark: 'ok', subject, says: others.length === 0 ? says : `${says}: ${namesOf(others)}` }
      : { mark: 'warn', subject, says, next: allowHint(listed.others) };
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    const says = error.message.replace(new RegExp(`^(?:tools|tool server) ${name}: `), '');
    const next = error.code === 'usage' ? error.next : `Check its entry under tools.`;
    return { mark: 'fail', subject, says, next };
  }
}

/** The most tool names that one line lists. */
const NAMED = 12;

function allowHint(others: readonly string[]): string {
  return others.length === 0
    ? 'The server has no tools.'
    : `List those that only read under allow: ${namesOf(others)}`;
}

function namesOf(tools: readonly string[]): string {
  const more = tools.length > NAMED ? ` and ${tools.length - NAMED} more` : '';
  return `${tools.slice(0, NAMED).join(', ')}${more}`;
}
