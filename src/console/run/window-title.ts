/** Formats the window's title: the state of the run, and its question. */
import { joinLines } from '../../text/line.ts';
import type { RunModel } from '../model/run-model.ts';
import type { ProtocolView } from './protocol-view.ts';

/**
 * Formats the title of the terminal's window: `● 2/3 · question` while the run is live, `✓
 * question` when it is done, `✗` if it has failed, `■` if it was stopped, `? question` while it waits
 * for a person's answer.
 */
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
