/**
 * Node's fetch gives up after 300 s without headers or bytes, which would undercut a longer
 * `--idle-timeout` and a wait behind other requests. The limit belongs to its agent; Node does not
 * export the agent's class, so we take the class of the one in use (it may be the one for proxies).
 */
type Dispatcher = NonNullable<RequestInit['dispatcher']>;
let dispatcher: Dispatcher | undefined;

/** What to add to a request so that only our own watch limits its silence. */
export function patience(): { dispatcher?: Dispatcher } {
  if (dispatcher) return { dispatcher };
  const key = Symbol.for('undici.globalDispatcher.1');
  // Touching a fetch class makes Node create its agent.
  new Headers();
  const current: unknown = Reflect.get(globalThis, key);
  if (!(current instanceof Object) || !/^(EnvHttpProxy)?Agent$/.test(current.constructor.name))
    return {};
  dispatcher = Reflect.construct(current.constructor, [{ headersTimeout: 0, bodyTimeout: 0 }]);
  return dispatcher ? { dispatcher } : {};
}
