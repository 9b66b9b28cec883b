/**
 * Promise: a run is linked to the spans from which it was asked for, and an invalid traceparent leaves no
 * mark.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { traceText } from '../../src/app/run/trace.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { readTrace } from '../telemetry/otlp-reader.ts';
import { Agent, ERAS, type McpVersion } from './agent.ts';

const ONE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const OTHER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const formatParent = ({ traceId, spanId }: typeof ONE): string => `00-${traceId}-${spanId}-01`;
const BOARD = { question: 'Should we split the monolith?' };

/**
 * Values that are no valid traceparent, divided between the versions of the protocol. test/telemetry tests
 * the texts that are invalid by themselves.
 */
const WRONG: Readonly<Record<McpVersion, readonly unknown[]>> = {
  legacy: [{ evil: 'evil-traceparent' }],
  modern: ['evil-traceparent\u0000\u001b[2J', `${formatParent(ONE)}-evil-traceparent`],
};

/** Returns the trace of a run as `export` writes it. */
function traceOf({ db }: Agent, id: string): string {
  const store = Store.open(db, FACTS);
  try {
    return traceText(store.facts(id), {}, {});
  } finally {
    store.close();
  }
}

describe.each(ERAS)('in the %s version of the Model Context Protocol', (era) => {
  const shared = Agent.shared(() => ({ era, env: { TRACEPARENT: formatParent(OTHER) } }));

  it('a run’s trace has links to the spans of the MCP calls that began the run and asked it a further question', async () => {
    // The server's environment names the trace OTHER, which must not be taken for the trace of a call.
    const agent = shared();
    const { standing } = await agent.call('convene', BOARD, {
      meta: { traceparent: formatParent(ONE) },
    });
    const first = traceOf(agent, standing.run);
    expect(traceOf(agent, standing.run)).toBe(first);
    const told = readTrace(first).spans;
    expect(new Set(told.map(({ traceId }) => traceId))).toEqual(
      new Set([standing.run.replaceAll('-', '')]),
    );
    expect(told.flatMap(({ links = [] }) => links)).toEqual([ONE]);

    // A repeated request finds the same run and does not change its trace.
    await agent.call('convene', BOARD, { meta: { traceparent: formatParent(OTHER) } });
    expect(traceOf(agent, standing.run)).toBe(first);

    const further = { run: standing.run, question: 'And if it fails?' };
    await agent.call('ask', further, { meta: { traceparent: formatParent(OTHER) } });
    const { spans } = readTrace(traceOf(agent, standing.run));
    expect(spans.at(-1)?.links).toEqual([ONE, OTHER]);
    expect(spans.slice(0, told.length - 1)).toEqual(told.slice(0, -1));
  });

  it('an invalid `traceparent` in an MCP call occurs neither in the answer, nor in the run’s trace, nor in the database', async () => {
    const agent = shared();
    for (const [at, traceparent] of WRONG[era].entries()) {
      const question = { question: `${BOARD.question} ${at}` };
      const { result, standing } = await agent.call('convene', question, {
        meta: { traceparent, tracestate: 'evil-traceparent=1' },
      });
      expect(standing.status).toBe('done');
      expect(JSON.stringify(result)).not.toContain('evil-traceparent');
      const trace = traceOf(agent, standing.run);
      expect(readTrace(trace).spans.flatMap(({ links = [] }) => links)).toEqual([]);
      expect(trace).not.toContain('evil-traceparent');
    }
    for (const file of [agent.db, `${agent.db}-wal`].filter((file) => existsSync(file)))
      expect(readFileSync(file).includes('evil-traceparent')).toBe(false);
  });
});
