/** What `deliberate doctor` finds of the tool servers in the person's configuration: each is started and asked. */
import type { Invocation } from '../app/invocation.ts';
import { listServers, offerWords, toolServers } from '../app/settings/run-tools.ts';
import { configuredNames, configuredServer } from '../app/settings/tool-server-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { Verdict } from '../models/probe/verdicts.ts';

/** One verdict for each server, in the order of the file. */
export async function toolVerdicts(call: Invocation): Promise<Verdict[]> {
  return Promise.all(configuredNames(call).map((name) => toolVerdict(call, name)));
}

async function toolVerdict(call: Invocation, name: string): Promise<Verdict> {
  const subject = `tools ${name}`;
  try {
    const servers = await toolServers([configuredServer(call, name)], {});
    const [listed] = await listServers(servers);
    await servers.close();
    if (listed === undefined) throw new Error(`${name} was not listed`);
    const says = `${listed.address}: ${offerWords(listed)}`;
    return listed.tools.length > 0
      ? { mark: 'ok', subject, says }
      : { mark: 'warn', subject, says, next: 'List those that seats may use under allow.' };
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    const says = error.message.replace(new RegExp(`^(?:tools|tool server) ${name}: `), '');
    const next = error.code === 'usage' ? error.next : `Check its entry under tools.`;
    return { mark: 'fail', subject, says, next };
  }
}
