/** What `--engine`, `--restate` and `--listen` say, and what is missing where the library is. */
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { INGRESS } from '../../restate/client.ts';
import type { Invocation } from '../invocation.ts';

/** The version that this program was tested with. */
const SDK = '@restatedev/restate-sdk@1.17.2';

/** The server that a run goes to; undefined where the log is this program's own. @throws UsageError */
export function engineOf({ flags }: Invocation): string | undefined {
  const { engine, restate } = flags;
  if (engine !== 'restate') {
    if (restate !== undefined)
      throw new UsageError('--restate requires --engine restate', 'Add --engine restate.');
    return undefined;
  }
  return addressOf('--restate', restate ?? INGRESS);
}

/** @throws UsageError where it is no address */
export function addressOf(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError(`${flag}: expected an address`, `Example: ${flag} ${INGRESS}`);
  return text.replace(/\/+$/, '');
}

/** `9080`, or `0.0.0.0:9080` where other machines come in. @throws UsageError */
export function listenOf({ flags }: Invocation): { readonly host: string; readonly port: number } {
  const { listen = '9080' } = flags;
  const { host = '127.0.0.1', port = '' } =
    /^(?:\[?(?<host>[^\]]+?)\]?:)?(?<port>\d{1,5})$/.exec(listen)?.groups ?? {};
  if (port === '' || Number(port) > 65_535)
    throw new UsageError('--listen: expected a port', 'Example: --listen 9080');
  return { host, port: Number(port) };
}

/** @throws DeliberateError that says what to install */
export async function sdkNeeded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'))
      throw error;
    throw new DeliberateError(
      'no-sdk',
      'a worker for Restate needs its library, which is not installed',
      `Install it beside deliberate: npm install --global ${SDK}`,
    );
  }
}
