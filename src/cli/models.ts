/** `deliberate models`: what can be reached, and where it was looked for. */
import { jsonLine } from '../plain/json-lines.ts';
import { line } from '../plain/naming.ts';
import { formatTokens } from '../text/figures.ts';
import { readConfig } from './config.ts';
import type { Invocation } from './invocation.ts';
import { openModels } from './providers.ts';

export async function models(call: Invocation): Promise<number> {
  const listings = await openModels(call, readConfig(call)).list();
  for (const { name, endpoint, error, models: found } of listings) {
    if (call.flags.json) {
      call.out.write(
        jsonLine({ provider: name, endpoint, ...(error ? { error } : {}), models: found }),
      );
      continue;
    }
    call.out.write(
      `${name}  ${line(endpoint)}${error ? `  ${line(error.replace(`${name}: `, ''))}` : ''}\n`,
    );
    const width = Math.max(0, ...found.map(({ spec }) => line(spec).length));
    for (const { spec, contextWindow, sizeBytes, note } of found)
      call.out.write(
        `  ${[
          line(spec).padEnd(width),
          contextWindow === undefined ? '' : `${formatTokens(contextWindow)} context`,
          sizeBytes === undefined ? '' : `${(sizeBytes / 1e9).toFixed(1)} GB`,
          line(note ?? ''),
        ]
          .join('  ')
          .trimEnd()}\n`,
      );
  }
  return listings.some(({ name, models: found }) => name !== 'rehearsal' && found.length > 0)
    ? 0
    : 1;
}
