/**
 * Node's fetch gives up after 300 s without headers or bytes, which would undercut a longer
 * `--idle-timeout` and a wait behind other requests. The limit belongs to its agent; Node does not
 * export the agent's class, so we take the class of the one in use (it may be the one for proxies).
 */
import { setFlagsFromString } from 'node:v8';

type Dispatcher = NonNullable<RequestInit['dispatcher']>;
let dispatcher: Dispatcher | undefined;

/** What to add to a request so that only our own watch limits its silence. */
export function patience(): { dispatcher?: Dispatcher } {
  if (dispatcher) return { dispatcher };
  const key = Symbol.for('undici.globalDispatcher.1');
  compileParserOnce();
  // Touching a fetch class makes Node create its agent.
  new Headers();
  const current: unknown = Reflect.get(globalThis, key);
  if (!(current instanceof Object) || !/^(EnvHttpProxy)?Agent$/.test(current.constructor.name))
    return {};
  dispatcher = Reflect.construct(current.constructor, [{ headersTimeout: 0, bodyTimeout: 0 }]);
  return dispatcher ? { dispatcher } : {};
}

/** The newest major version of Node with which the flags of V8 below were tried. */
const NEWEST_TRIED = 24;

/**
 * Keeps V8 from compiling Node's HTTP parser, which is WebAssembly, a second time with optimisations. This
 * saves 14 MB, and models answer too slowly for the difference in speed to be noticed. The function has to be
 * called before the first request.
 */
function compileParserOnce(): void {
  if (Number.parseInt(process.versions.node, 10) > NEWEST_TRIED) return;
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
}
