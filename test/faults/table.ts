/** Makes docs/faults.md from real outcomes: `npx node test/faults/table.ts > docs/faults.md`. */
import { pathToFileURL } from 'node:url';
import { type Outcome, outcomeOf } from './cell.ts';
import { FAULTS, PROVIDERS } from './faults.ts';

/**
 * Returns the text of a cell in docs/faults.md: how the call ended, after how many requests if more than one,
 * the message of the failure, and that a part of the answer is kept if there is one.
 */
export function formatCell({ end, requests, sentence, partial }: Outcome): string {
  const tries = requests > 1 ? `, ${requests} requests` : '';
  // Leave out addresses and error bodies of the test's server, so that the page is the same on every machine.
  const words = sentence
    .replace(/^\w+: /, '')
    .replaceAll(/http:\/\/[\w.:-]+(\/v1)?/g, 'the server')
    .replace(/: \{.*$/, '')
    .replaceAll('|', '\\|');
  const kept = partial === '' ? '' : '; the part that came is kept';
  return `**${end}**${tries}${words === '' ? '' : `: ${words}`}${kept}`;
}

const HEAD = `# When a provider fails

This page is for people who saw a call fail, or who call the program from a script. Afterwards you know how a
call ends after each fault of a server.

In each row, one seat of a board asks a server with this fault, and the other seats ask servers without faults.
The run ends as \`done\`. If the seat's call fails, the seat is named with the reason, and its text, if it sent
any, is in no synthesis. \`npx node test/faults/table.ts\` prints this page; \`test/faults\` tests every cell, and
reads the log.

Each cell begins with how the call ends: the code in \`call.failed\`, or \`done\`, or \`stopped\` if only a person can
end the call. A call ends if nothing arrives for \`--idle-timeout\` (120 s); a server that answers one request at a
time has longer for its first byte, by the length of the prompt. Requests are retried up to twice, after about
0.8 and 1.6 s, or after the time that the server asks for, up to a minute. A server that is loading the
model is asked again for up to five idle timeouts (10 min), which does not count as an attempt. A server that
answered before and can no longer be reached may be restarting; it is asked again for half an idle timeout
(1 min). A redirect is followed only within the same scheme, host and port, and only if it lets the same request
be sent again (307 or 308).

An answer is complete only if it ends for a reason that is known to be good. Any other ending makes the call
fail, and the text before it is kept as a partial answer.

| fault | Ollama | Anthropic | OpenAI-compatible | OpenAI, by Responses |
| --- | --- | --- | --- | --- |
`;

async function main(): Promise<void> {
  let page = HEAD;
  for (const fault of FAULTS) {
    const outcomes = await Promise.all(PROVIDERS.map((provider) => outcomeOf(fault, provider)));
    page += `| ${fault.name} | ${outcomes.map(formatCell).join(' | ')} |\n`;
    process.stderr.write(`${fault.name}\n`);
  }
  process.stdout.write(page);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
