/** What stands in the window's title and in the terminal's list of tabs: how the run is, and what it is about. */
import { joinLines } from '../../text/line.ts';
import type { RunModel } from '../model/run-model.ts';
import type { ProtocolView } from './protocol-view.ts';

/** `● 2/3 · question` while it is live, `✓ question` when it is done, `? question` while it waits. */
export function windowTitle(runModel: RunModel, view: ProtocolView): string {
  const question = joinLines(runModel.view.question);
  return [stateOf(runModel, view), question || 'deliberate'].join('');
}

function stateOf(runModel: RunModel, view: ProtocolView): string {
  const { id, status, gate } = runModel.view;
  if (id === '') return '';
  if (gate !== undefined) return '? ';
  switch (status) {
    case 'done':
      return '✓ ';
    case 'failed':
      return '✗ ';
    case 'stopped':
      return '■ ';
    case 'running': {
      return `● ${view.progress(runModel) ?? `${runModel.answers}/${runModel.columns.length}`} · `;
    }
  }
}
