/** How a plan looks in the console. */
import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { PLAN_PART } from './part.ts';
import { says } from './says.ts';

export const view: ProtocolView = {
  ...COMMON_VIEW,
  parts: [PLAN_PART],
  columns: { by: 'calls' },
  says,
};
