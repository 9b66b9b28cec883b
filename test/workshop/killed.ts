/**
 * A process that is killed while it runs a check: `killed.ts FOLDERS SCRIPT`. FOLDERS is the JSON of a
 * `Bench`.
 */
import { runCheck } from '../../src/workshop/running/checks.ts';
import { NEVER_ABORTED, NO_PROVISION } from './wishes.ts';

const [place = '{}', script = ''] = process.argv.slice(2);
const { base, ...rest } = JSON.parse(place);
await runCheck(
  rest,
  {
    tree: base,
    check: { id: 'check', argv: ['sh', '-c', script], env: [], timeoutS: 300 },
    provision: NO_PROVISION,
  },
  NEVER_ABORTED,
);
