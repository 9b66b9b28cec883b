/** docs/faults.md, made from what happens: `npx node test/faults/table.ts > docs/faults.md`. */
import { pathToFileURL } from 'node:url';
import { type Outcome, outcomeOf } from './cell.ts';
import { FAULTS, PROVIDERS } from './faults.ts';

/** A cell: how the call ends, after how many requests, and the sentence that is shown. */
export function wordsOf({ end, requests, sentence, partial }: Outcome): string {
  const tries = requests > 1 ? `, ${requests} requests` : '';
  // Leave out addresses and other words of this server, so that the page is the same on every
  // machine.
  const words = sentence
    .replace(/^\w+: /, '')
    .replaceAll(/http:\/\/[\w.:-]+(\/v1)?/g, 'the server')
    .replace(/: \{.*$/, '')
    .replaceAll('|', '\\|');
  const kept = partial === '' ? '' : '; the part that came is kept';
  return `**${end}**${tries}${words === '' ? '' : `: ${words}`}${kept}`;
}

const HEAD = `# When a provider fails

For whoever saw a call fail, or calls the program from a script: what each fault of a server leads to.

One seat of a board asks a server that misbehaves; the others don't. The run ends as \`done\`, the seat is named
with its reason, and its text, if any came, is in no synthesis. \`npx node test/faults/table.ts\` makes this page;
\`test/faults\` compares it with what happens, and looks at the log.

Each cell begins with how the call ends: the code in \`call.failed\`, or \`done\`, or \`stopped\` where a person had to
end it. Silence is given up after \`--idle-timeout\` (120 s). Requests are retried up to twice, after about 0.8 and
1.6 s, or after what the server asks for, up to a minute. A server that says it is loading the model is asked
again for up to five idle timeouts (10 min), which does not count as an attempt. One that has answered before
and is gone is waited for in the same way, for half an idle timeout (1 min): it may be starting again. A redirect
to another host is never followed.

An answer is whole only if it ends for a reason known to be good. Any other ending is named, and the text before
it is kept as partial.

| fault | Ollama | Anthropic | OpenAI-compatible | OpenAI, by Responses |
| --- | --- | --- | --- | --- |
`;

async function main(): Promise<void> {
  let page = HEAD;
  for (const fault of FAULTS) {
    const outcomes = await Promise.all(PROVIDERS.map((provider) => outcomeOf(fault, provider)));
    page += `| ${fault.name} | ${outcomes.map(wordsOf).join(' | ')} |\n`;
    process.stderr.write(`${fault.name}\n`);
  }
  process.stdout.write(page);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
