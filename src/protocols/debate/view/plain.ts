/** The text output of a debate. */
import type { ProtocolText } from '../../../plain/protocol-text.ts';
import { OWN_TEXT } from '../../../sdk/view/plain.ts';
import { countCallsLeft } from '../estimate.ts';

/**
 * How a debate is printed without the console: like a run of a person's own protocol, and with the number of
 * calls that are still to come.
 */
export const text: ProtocolText = { ...OWN_TEXT, callsLeft: countCallsLeft };
