/**
 * Keys and tokens must never reach a message, a journal or a screen, not even when a provider
 * echoes them in its error. Every sentence that leaves this room goes through here.
 */
import { type Forms, KEY, knownForms, withoutSecrets } from './secrets.ts';

/** What looks like a key of any provider, configured here or not. */
const KEY_LIKE =
  /\bsk-[A-Za-z0-9_-]{6,}|\bBearer\s+[^\s"',;]{6,}|\b(?:x-api-key|api[_-]?key)["']?\s*[:=]\s*["']?[^\s"',;]{8,}/gi;

/** `scheme://user:password@`: credentials in an address. */
const URL_CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/]+@/gi;

/** Takes the secrets of every provider out of a text that is kept as it is otherwise. */
export function concealer(
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const forms = knownForms(env);
  return (text) => withoutSecrets(text, forms());
}

/** Takes out of a sentence the secrets of every provider, and what looks like a key of any. */
export function redactor(
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const forms = knownForms(env);
  return (text) => redact(text, forms());
}

function redact(text: string, forms: Forms): string {
  return withoutSecrets(text, forms).replace(KEY_LIKE, KEY).replace(URL_CREDENTIALS, '$1');
}
