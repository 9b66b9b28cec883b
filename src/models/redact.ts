/**
 * Removes keys and tokens from sentences. They must never reach a message, a journal or a screen, not even
 * if a provider repeats them in an error. Every sentence that leaves this room passes through here.
 */
import { type Forms, KEY, makeSecretFormsReader, withoutSecrets } from './secrets.ts';

/** Matches texts that look like a key, configured or not. */
const KEY_LIKE =
  /\bsk-[A-Za-z0-9_-]{6,}|\bBearer\s+[^\s"',;]{6,}|\b(?:x-api-key|api[_-]?key)["']?\s*[:=]\s*["']?[^\s"',;]{8,}/gi;

/** Matches credentials in an address: `scheme://user:password@`. */
const URL_CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/]+@/gi;

/**
 * Returns a function that masks the secrets of all providers in a text and changes nothing else.
 */
export function makeConcealer(
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const forms = makeSecretFormsReader(env);
  return (text) => withoutSecrets(text, forms());
}

/**
 * Returns a function that masks the secrets of all providers, and texts that look like keys, in a
 * sentence. It also removes the user name and password from addresses.
 */
export function makeRedactor(
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const forms = makeSecretFormsReader(env);
  return (text) => redactText(text, forms());
}

function redactText(text: string, forms: Forms): string {
  return withoutSecrets(text, forms).replace(KEY_LIKE, KEY).replace(URL_CREDENTIALS, '$1');
}
