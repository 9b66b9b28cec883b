/**
 * Taking known secrets out of text: of whole sentences, and of text that comes in pieces. A server
 * repeats what it was sent in more forms than one, and cuts its pieces where it likes.
 */
import { providerVariables } from '../kernel/providers/names.ts';
import type { NamedServer } from '../kernel/providers/servers.ts';
import { decodePercents } from '../text/percent.ts';
import { PROXY_VARIABLES } from './network/proxy.ts';

/** Shorter values are words such as `none` or `ollama`, that people set for servers without keys. */
const SHORTEST = 8;

/** Longer ones of these: an answer may well say them, and they open nothing. */
const STAND_INS: ReadonlySet<string> = new Set([
  'anything',
  'dummy-key',
  'lm-studio',
  'no-key-required',
  'not-needed',
  'placeholder',
  'sk-no-key-required',
]);

/** What stands where a secret stood. */
export const KEY = '[key]';

/** The secrets in all their forms, longer ones first. */
export type Forms = readonly string[];

/**
 * Secrets that became known while this process ran: keys of named servers, what a command printed, the values
 * of headers. Nothing is ever taken off the list: what was known once must not be shown later either.
 */
const learned = new Set<string>();

/** Adds a secret to those that are taken out of everything that is shown or kept. */
export function learnSecret(secret: string): void {
  learned.add(secret);
}

/** Adds what is secret about a named server and can be known before it is asked. */
export function learnServer(
  { keyEnv, headers = {} }: NamedServer,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const variable of keyEnv) learnSecret(env[variable] ?? '');
  for (const [name, value] of Object.entries(headers))
    for (const secret of secretsInHeader(name, value)) learnSecret(secret);
}

/** Headers whose value is a secret whatever it looks like. */
const SECRET_HEADER = /auth|key|token|secret|cookie|pass|cred|sign|session/i;

/**
 * Returns the secrets in a header's value: the whole value, and what follows a scheme such as `Bearer`. A
 * value of plain words under an ordinary name, `X-Team: platform`, is none: answers are full of such words.
 */
export function secretsInHeader(name: string, value: string): string[] {
  const isOpaque = /\d/.test(value) && /^\S{12,}$/.test(value);
  if (!SECRET_HEADER.test(name) && !isOpaque && !/^\S{24,}$/.test(value)) return [];
  return [value, /^\w+\s+(\S.*)$/.exec(value)?.[1] ?? ''];
}

/** Returns how every known secret may stand in a text, those that became known since included. */
export function knownForms(env: Readonly<Record<string, string | undefined>>): () => Forms {
  const own = secretsOf(env);
  let seen = -1;
  let forms: Forms = [];
  return () => {
    if (seen !== learned.size) forms = formsOfAll([...own, ...learned]);
    seen = learned.size;
    return forms;
  };
}

/** Every key, token and password that a provider is given, those in its address included. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return [
    ...providerVariables('secrets').map((variable) => env[variable] ?? ''),
    ...[...providerVariables('addresses'), ...PROXY_VARIABLES].flatMap((variable) =>
      credentialsIn(env[variable]),
    ),
  ];
}

/** How the secrets may stand in text; those that are no secrets are left out. */
export function formsOfAll(secrets: readonly string[]): Forms {
  const real = secrets
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= SHORTEST && !STAND_INS.has(secret.toLowerCase()));
  // A form that holds another one goes first.
  return [...new Set(real.flatMap(formsOf))].sort((left, right) => right.length - left.length);
}

/** A secret as careless servers and programs repeat it. */
function formsOf(secret: string): string[] {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const encoded = Buffer.from(secret);
  return [...forms, encoded.toString('base64'), encoded.toString('base64url')];
}

export function withoutSecrets(text: string, forms: Forms): string {
  let clean = text;
  for (const form of forms) clean = clean.replaceAll(form, KEY);
  return clean;
}

/**
 * The same for text that comes in pieces. What may be the beginning of a secret is held back until the
 * next piece shows whether it is; all other text passes at once.
 */
export class SecretFilter {
  /** Whether anything was taken out. */
  found = false;
  private readonly find: () => Forms;
  private held = '';

  /** `forms`: what is taken out; a function where secrets become known while the text comes. */
  constructor(forms: Forms | (() => Forms)) {
    this.find = typeof forms === 'function' ? forms : () => forms;
  }

  private get forms(): Forms {
    return this.find();
  }

  /** What of the text so far may be shown. */
  push(piece: string): string {
    return this.forms.length === 0 ? piece : this.pass(this.held + piece, false);
  }

  /** The text is over: what was held back is what it looked like. */
  end(): string {
    return this.pass(this.held, true);
  }

  private pass(text: string, over: boolean): string {
    const places = new Places(text, this.forms);
    let out = '';
    let at = 0;
    for (;;) {
      const hold = over ? text.length : this.openAt(text, at);
      const match = places.from(at);
      // A match that begins in what is held back may be part of a longer one.
      if (!match || match.start >= hold) {
        this.held = text.slice(hold);
        return out + text.slice(at, hold);
      }
      out += text.slice(at, match.start) + KEY;
      at = match.end;
      this.found = true;
    }
  }

  /** Where the end of `text` begins to look like a secret that goes on in the next piece. */
  private openAt(text: string, from: number): number {
    let open = text.length;
    for (const form of this.forms) {
      const first = form.charAt(0);
      let at = text.indexOf(first, Math.max(from, text.length - form.length + 1));
      while (at >= 0 && at < open) {
        if (form.startsWith(text.slice(at))) open = at;
        else at = text.indexOf(first, at + 1);
      }
    }
    return open;
  }
}

/** The places of all forms in one text, each looked for once: a server may repeat a key without end. */
class Places {
  private readonly text: string;
  private readonly forms: Forms;
  private readonly next: number[];

  constructor(text: string, forms: Forms) {
    this.text = text;
    this.forms = forms;
    this.next = forms.map((form) => findForm(text, form, 0));
  }

  /** Where the first and there the longest secret stands at or after `at`, which never goes back. */
  from(at: number): { readonly start: number; readonly end: number } | undefined {
    let best: { readonly start: number; readonly end: number } | undefined;
    for (const [index, form] of this.forms.entries()) {
      let start = this.next[index] ?? Number.POSITIVE_INFINITY;
      if (start < at) {
        start = findForm(this.text, form, at);
        this.next[index] = start;
      }
      // Longer forms come first, so that among those of one place the first one found stays.
      if (start < (best?.start ?? Number.POSITIVE_INFINITY))
        best = { start, end: start + form.length };
    }
    return best;
  }
}

function findForm(text: string, form: string, from: number): number {
  const at = text.indexOf(form, from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** What stands before the host of an address, as it is written, as it is meant, and as it is sent. */
function credentialsIn(address: string | undefined): string[] {
  const written = /^(?:[a-z]+:\/\/)?([^/]+)@/i.exec(address ?? '')?.[1];
  if (written === undefined) return [];
  return [written, decodePercents(written) ?? written].flatMap((pair) => {
    const colon = pair.indexOf(':');
    return colon < 0 ? [pair] : [pair.slice(colon + 1), pair];
  });
}
