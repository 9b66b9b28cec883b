/** How a plan reads as text: in pipes, in the report, beside another one. */
import { COMMON_TEXT, type ProtocolText } from '../../../plain/protocol-text.ts';

export const text: ProtocolText = { ...COMMON_TEXT };
