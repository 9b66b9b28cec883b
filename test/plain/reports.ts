/** The reports of protocols, as the program writes them. */

import { COMMON_REPORT } from '../../src/plain/common-report.ts';
import type { ProtocolReport } from '../../src/plain/protocol-text.ts';
import { report as agents } from '../../src/protocols/agents/view/report.ts';
import { report as board } from '../../src/protocols/board/view/report.ts';
import { report as plan } from '../../src/protocols/plan/view/report.ts';
import { report as rounds } from '../../src/protocols/rounds/view/summary/report.ts';
import { report as team } from '../../src/protocols/team/view/report.ts';
import { OWN_REPORT } from '../../src/sdk/view/report.ts';

export { agents, board, rounds };
/**
 * The reports of five built-in protocols by name, the report for users' own protocols (`own`), and the report
 * for runs of a protocol without a report of its own (`none`).
 */
export const ALL_REPORTS: Readonly<Record<string, ProtocolReport>> = {
  agents,
  board,
  plan,
  rounds,
  team,
  own: OWN_REPORT,
  none: COMMON_REPORT,
};
