/** `show`: prints a recorded run as text, or its facts. */
import type { Invocation } from '../app/invocation.ts';
import { findRunOf } from '../app/run-of.ts';
import { withRecorded } from '../app/store.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { formatReport } from '../plain/report.ts';
import { loadProtocolReport } from '../protocols/table.ts';

/** Runs `deliberate show`: prints a recorded run. Resolves to the exit code. */
export async function show(call: Invocation): Promise<number> {
  return withRecorded(call, async (store) => {
    const id = findRunOf(call, store);
    if (call.flags.json) for (const fact of store.facts(id)) call.out.write(jsonLine(fact));
    else {
      const { protocol, status } = store.summary(id);
      call.out.write(formatReport(store.facts(id), await loadProtocolReport(protocol), status));
    }
    return 0;
  });
}
