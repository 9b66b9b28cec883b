/** The text output of a debate. */
import type { ProtocolText } from '../../../plain/protocol-text.ts';
import { OWN_TEXT } from '../../../sdk/view/plain.ts';
import { countCallsLeft } from '../estimate.ts';

/** How a debate is printed without the console: as runs of people's own protocols are, with the calls left. */
export const text: ProtocolText = { ...OWN_TEXT, callsLeft: countCallsLeft };
