/**
 * Setup of every worker: properties are tried on the same cases in every run, so that a run that fails fails
 * again. The long form (`npm run nightly`) draws other cases each time, and a failure prints their seed.
 */
import fc from 'fast-check';
import { LONG } from '../long.ts';

if (!LONG) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_126 });
