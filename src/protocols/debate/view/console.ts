/** The console's view of a debate: that of any protocol that shows figures and ledgers. */
import type { ProtocolView } from '../../../console/run/protocol-view.ts';
import { OWN_VIEW } from '../../../sdk/view/console.ts';
import { countCallsLeft } from '../calls-left.ts';

/** The console view of a debate. It opens with the tab that shows each seat in a column. */
export const view: ProtocolView = {
  ...OWN_VIEW,
  opensWith: 'columns',
  callsLeft: countCallsLeft,
};
