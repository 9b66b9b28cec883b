/** The text output of a debate. */
import type { ProtocolText } from '../../../plain/protocol-text.ts';
import { OWN_TEXT } from '../../../sdk/view/plain.ts';
import { countCallsLeft } from '../calls-left.ts';

/** The text output of a debate, the same as for people's own protocols. */
export const text: ProtocolText = { ...OWN_TEXT, callsLeft: countCallsLeft };
