/**
 * Removes the time limits of Node's fetch, which gives up after 300 s without headers or data: too early
 * for a longer `--idle-timeout` or a wait behind other requests. The limit belongs to fetch's agent. Node
 * does not export the agent's class, so the class of the current agent is used (it may be the one for
 * proxies).
 */
import { setFlagsFromString } from 'node:v8';

type Dispatcher = NonNullable<RequestInit['dispatcher']>;
let dispatcher: Dispatcher | undefined;

/**
 * Returns options for `fetch` that switch off its limits on the wait for headers and for data; the idle watch limits
 * these waits instead. The limit on connecting stays. Returns no options if the limits cannot be switched off.
 */
export function withoutTimeLimit(): { dispatcher?: Dispatcher } {
  if (dispatcher) return { dispatcher };
  const key = Symbol.for('undici.globalDispatcher.1');
  compileParserOnce();
  // Make Node create its default agent for connections, whose class is needed below: Node creates it when a class
  // such as `Headers` is first used.
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
