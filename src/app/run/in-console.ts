/** Shows a run in the console for as long as the person stays. */
import { keymapOf, type OwnKeys } from '../../console/keys/key-lookup.ts';
import { openConsole } from '../../console/run/start.ts';
import type { Invocation } from '../invocation.ts';
import type { Display } from './display.ts';
import { Desktop } from './outside.ts';

/**
 * Opens the console as the display of a run.
 *
 * @param protocol the protocol's name
 * @throws UsageError if the person's key bindings are not valid; no model was called then
 */
export async function openConsoleDisplay(
  call: Invocation,
  protocol: string,
  keys: OwnKeys,
): Promise<Display> {
  keymapOf(keys);
  // If the run was opened from the home screen or from the list of earlier runs (history), that screen
  // shows itself again when the person leaves the run.
  const cameFrom = call.command === '' || call.command === 'history';
  const view = await call.protocols.loadView(protocol);
  return {
    interactive: true,
    asks: true,
    terminal: call.out,
    async show({ id, actions, answer: _, now, leave, returns = cameFrom, ...subject }, work) {
      const outside = new Desktop(call, id);
      const window = openConsole({
        view,
        subject: {
          ...subject,
          ...(actions && {
            actions: actions({ outside, fail: (error) => window.fail(error) }),
          }),
        },
        outside,
        screen: call.out,
        stdin: call.stdin,
        env: call.env,
        keys,
        returns,
        ...(now && { now }),
      });
      const close = (): void => window.close();
      if (leave.aborted) close();
      else leave.addEventListener('abort', close);
      void work(window.ready).catch((error: unknown) => window.fail(error));
      try {
        await window.closed;
      } finally {
        leave.removeEventListener('abort', close);
      }
      if (!call.flags.quiet) call.err.write(outside.lines(call.err.isTTY));
    },
  };
}
