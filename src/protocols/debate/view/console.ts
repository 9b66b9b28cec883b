/** The console of a debate: that of any protocol whose figures and ledgers are shown. */
import type { ProtocolView } from '../../../console/run/protocol-view.ts';
import { OWN_VIEW } from '../../../sdk/view/console.ts';

export const view: ProtocolView = { ...OWN_VIEW, opensWith: 'columns' };
