/**
 * Keys and tokens must never reach a message, a journal or a screen, not even when a provider
 * echoes them in its error. Every sentence that leaves this room goes through here.
 */

const KEY_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'OPENAI_API_KEY',
  'OLLAMA_API_KEY',
];

const ADDRESS_VARIABLES = ['OLLAMA_HOST', 'ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'];

/** Shorter values are words such as `none` or `ollama`, that people set for servers without keys. */
const SHORTEST_KEY = 8;

/** What looks like a key of any provider, configured here or not. */
const KEY_LIKE =
  /\bsk-[A-Za-z0-9_-]{6,}|\bBearer\s+[^\s"',;]{6,}|\b(?:x-api-key|api[_-]?key)["']?\s*[:=]\s*["']?[^\s"',;]{8,}/gi;

/** `scheme://user:password@`: credentials in an address. */
const URL_CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/]+@/gi;

export function redactor(
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const secrets = [
    ...KEY_VARIABLES.map((name) => env[name]?.trim() ?? ''),
    ...ADDRESS_VARIABLES.flatMap((name) => credentialsIn(env[name] ?? '')),
  ]
    .filter((secret) => secret.length >= SHORTEST_KEY)
    .flatMap(formsOf)
    // A form that holds another one goes first.
    .sort((left, right) => right.length - left.length);
  return (text) => {
    let clean = text;
    for (const secret of secrets) clean = clean.replaceAll(secret, '[key]');
    return clean.replace(KEY_LIKE, '[key]').replace(URL_CREDENTIALS, '$1');
  };
}

/** What stands before the host of an address, as it is written, as it is meant, and as it is sent. */
function credentialsIn(address: string): string[] {
  const written = /^(?:[a-z]+:\/\/)?([^/]+)@/i.exec(address)?.[1];
  if (written === undefined) return [];
  return [written, decoded(written)].flatMap((pair) => {
    const colon = pair.indexOf(':');
    return colon < 0 ? [pair] : [pair.slice(colon + 1), pair];
  });
}

/** A secret as careless servers and programs repeat it. */
function formsOf(secret: string): string[] {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const encoded = Buffer.from(secret);
  return [...new Set([...forms, encoded.toString('base64'), encoded.toString('base64url')])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A percent sign that stands for itself.
    if (error instanceof URIError) return text;
    throw error;
  }
}
