/**
 * Reads the flags `--engine`, `--restate` and `--listen`, and says what to install if the Restate SDK is
 * missing.
 */
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { INGRESS } from '../../restate/client.ts';
import type { Invocation } from '../invocation.ts';

/** The version of the SDK that this program was tested with. */
const SDK = '@restatedev/restate-sdk@1.17.2';

/**
 * Returns the address of the Restate server that `--engine restate` uses: that of `--restate`, or the
 * default. Returns undefined if the run is kept in the local database.
 *
 * @throws UsageError if `--restate` is given without `--engine restate`, or is no HTTP address
 */
export function restateAddressOf({ flags }: Invocation): string | undefined {
  const { engine, restate } = flags;
  if (engine !== 'restate') {
    if (restate !== undefined)
      throw new UsageError('--restate requires --engine restate', 'Add --engine restate.');
    return undefined;
  }
  return parseAddress('--restate', restate ?? INGRESS);
}

/**
 * Parses the value of a flag as an HTTP address. Removes slashes at its end.
 *
 * @param flag the flag's name, for the error
 * @throws UsageError if the value is no HTTP address, or contains a user name or password
 */
export function parseAddress(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError(`${flag}: expected an address`, `Example: ${flag} ${INGRESS}`);
  return text.replace(/\/+$/, '');
}

/**
 * Parses the value of `--listen`: a port, such as `9080`, or a host and port, such as
 * `0.0.0.0:9080`.
 *
 * @throws UsageError if the value is neither
 */
export function parseListen({ flags }: Invocation): {
  readonly host: string;
  readonly port: number;
} {
  const { listen = '9080' } = flags;
  const { host = '127.0.0.1', port = '' } =
    /^(?:\[?(?<host>[^\]]+?)\]?:)?(?<port>\d{1,5})$/.exec(listen)?.groups ?? {};
  if (port === '' || Number(port) > 65_535)
    throw new UsageError('--listen: expected a port', 'Example: --listen 9080');
  return { host, port: Number(port) };
}

/**
 * Loads a module that needs the Restate SDK, which is installed separately.
 *
 * @throws DeliberateError that says what to install if the SDK is missing
 */
export async function loadRestateSdk<T>(load: () => Promise<T>): Promise<T> {
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
