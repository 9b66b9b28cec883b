/** The ways in which a call can fail, and the words for them. */

/** Why a call failed, in terms that do not depend on the provider. */
export type FailureCode =
  | 'unreachable' // no connection: refused, name not found, or reset before an answer
  | 'auth' // 401, 403: no key or a wrong one
  | 'payment' // 402, or a billing error
  | 'not-found' // the model or the endpoint does not exist
  | 'rate-limited' // 429: still so after all retries, or for longer than the program waits
  | 'overloaded' // 503 or 529
  | 'loading' // the server is loading the model, and for longer than the program waits
  | 'redirected' // the server redirects to another server, which the program does not follow
  | 'server' // any other 5xx
  | 'rejected' // any other 4xx: the server refused the request itself
  | 'too-long' // the prompt does not fit the model's context window
  | 'interrupted' // the stream broke off, or ended without the mark of its end
  | 'malformed' // the stream does not follow the protocol
  | 'timeout' // no data arrived for the idle time
  | 'truncated' // the answer was cut at a token limit, or because it repeated itself
  | 'unfinished' // the server ended the answer early, for another reason than its length
  | 'refused' // the model declined to answer
  | 'empty' // the answer has no text
  | 'invalid-output' // the answer does not fit the schema, even after the model was asked again
  | 'internal'; // a defect of this program

/** Failure codes as two or three words, for headings and tables. */
const FAILURE_LABELS: Readonly<Record<FailureCode, string>> = {
  unreachable: 'not reachable',
  auth: 'not authorized',
  payment: 'payment required',
  'not-found': 'not found',
  'rate-limited': 'rate limited',
  overloaded: 'overloaded',
  loading: 'still loading',
  redirected: 'redirected elsewhere',
  server: 'server error',
  rejected: 'request rejected',
  'too-long': 'prompt too long',
  interrupted: 'connection lost',
  malformed: 'malformed stream',
  timeout: 'timed out',
  truncated: 'cut before its end',
  unfinished: 'unfinished answer',
  refused: 'declined to answer',
  empty: 'empty answer',
  'invalid-output': 'unusable output',
  internal: 'internal error',
};

/**
 * Returns the label of a recorded failure code; undefined for an unknown code, such as one of another
 * version.
 */
export function failureLabel(code: string | undefined): string | undefined {
  const known = code !== undefined && Object.hasOwn(FAILURE_LABELS, code);
  return known ? FAILURE_LABELS[code as FailureCode] : undefined;
}
