/**
 * `deliberate doctor`: tests whether providers and models can do what a deliberation needs, and says what to
 * do.
 */

import type { Invocation } from '../../app/invocation.ts';
import { type Config, readConfig } from '../../app/settings/config.ts';
import { isNearby } from '../../app/settings/nearby.ts';
import { profilesFile, readProfiles, writeProfiles } from '../../app/settings/profiles.ts';
import { openModels } from '../../app/settings/providers.ts';
import { serversOf } from '../../app/settings/servers.ts';
import { readPrices } from '../../app/settings/tables.ts';
import type { AgentMeasured } from '../../coding-agents/probe.ts';
import { askToConfirm } from '../../io/confirm.ts';
import type { Env } from '../../io/surroundings.ts';
import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';
import { formatHint } from '../../kernel/hints.ts';
import { NO_USAGE } from '../../kernel/model.ts';
import type { Entrance } from '../../kernel/protocol.ts';
import { VARIABLES } from '../../kernel/providers/names.ts';
import { isLoopback } from '../../kernel/providers/servers.ts';
import { checkSpec, splitSpec } from '../../kernel/providers/spec.ts';
import { type PriceList, priceOf } from '../../models/prices.ts';
import {
  measureHost,
  measureModel,
  measureTogether,
  PAID_PROBE,
  type Thoroughness,
} from '../../models/probe/measure.ts';
import {
  type HostMeasured,
  hostVerdicts,
  type ModelMeasured,
  modelVerdicts,
  type Verdict,
} from '../../models/probe/verdicts.ts';
import { FRESH_DAYS, withMeasured } from '../../models/profiles.ts';
import type { ModelInfo, Provider } from '../../models/provider.ts';
import { providersOf } from '../../models/providers.ts';
import { makeRedactor } from '../../models/redact.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { toLine } from '../../text/line.ts';
import { formatUsd } from '../../text/numbers.ts';
import { giveEntranceExam, PAID_ENTRANCE } from '../entrance.ts';
import { checkAgents, withoutAgents } from './agents.ts';
import { toolVerdicts } from './tools.ts';

const IDLE_MS = 120_000;

/**
 * Runs `deliberate doctor`: checks the named models and coding agents. If none is named, checks the
 * free models, the paid models that runs use by default, the installed agents and the tool servers.
 * Paid models and agents are called only with the person's consent. Resolves to 1 if a check failed,
 * else to 0.
 */
export async function doctor(call: Invocation): Promise<number> {
  const { env, err, flags } = call;
  const config = readConfig(call);
  const words = call.words.map(checkSpec);
  const named = withoutAgents(config, words);
  const isAboutAgents = words.length > named.length;
  const servers = serversOf(config);
  const providers = providersOf(env, servers).filter(({ name, isUnasked, endpoint }) =>
    words.length === 0
      ? isUnasked !== true || isLoopback(endpoint)
      : named.some((spec) => splitSpec(spec).provider === name),
  );
  if (providers.length === 0 && !isAboutAgents)
    throw new UsageError('the built-in stand-in cannot be checked', 'Name a model of a provider.');
  const hosts = await Promise.all(
    providers.map(async (provider) => ({ provider, ...(await measureHost(provider)) })),
  );
  const prices = readPrices(env);
  const patients = hosts.flatMap(({ provider, measured, models }) =>
    typeof measured.listed === 'number'
      ? modelsToProbe(provider, models, named, config, prices)
      : [],
  );
  const consent = await mayBePaid(call, patients, prices);
  const report = new Report(call);
  let profiles = readProfiles(call);
  let tried = 0;
  for (const { provider, measured } of hosts) {
    const isSetUp = words.length > 0 || isMeant(provider, env);
    const probed: { name: string; edition: string | undefined; measured: ModelMeasured }[] = [];
    const ownPatients = patients.filter((patient) => patient.provider === provider);
    // Whether one model pushes another out of the server's memory is known only after the models were called, so
    // the report says it later.
    report.host({ ...measured, isSetUp });
    for (const patient of ownPatients) {
      const { model, spec, isPaid } = patient;
      if (isPaid && !consent) {
        report.add([NOT_PAID(spec)]);
        continue;
      }
      if (!flags.quiet) {
        // Standard output and standard error share the terminal, so wait until the earlier output is
        // written.
        await call.out.drain();
        err.write(`Probing ${toLine(spec)} …\n`);
      }
      const how = getThoroughness(call, config, mayBeLong(call, patient));
      const found = await measureModel(provider, model, how);
      const edition = await provider.edition?.(model);
      probed.push({ name: model, edition, measured: found });
      report.add(modelVerdicts(found), found);
      profiles = withMeasured(profiles, measured, probed.slice(-1), new Date().toISOString());
      if (flags.quick || !mayRead(found)) continue;
      const gateway = openModels(call, config, profiles);
      const { entrance, verdict } = await giveEntranceExam(gateway, spec, isPaid);
      report.add([verdict], entrance);
      if (entrance !== undefined) profiles = await gateway.remember(profiles, entrance);
    }
    const together = await measureFit(provider, probed, getThoroughness(call, config, true));
    const whole: HostMeasured = { ...measured, together };
    report.add(hostVerdicts(whole).slice(1));
    if (probed.length > 0) profiles = withMeasured(profiles, whole, [], new Date().toISOString());
    tried += probed.length;
  }
  if (hosts.length > 0 && hosts.every(({ models }) => models.length === 0)) report.add([NO_MODEL]);
  if (words.length === 0) for (const verdict of await toolVerdicts(call)) report.add([verdict]);
  if (words.length === 0 || isAboutAgents) await checkAgents(call, config, words, report);
  // With `--quick`, each model gives at most one short answer: too little for a profile, so store none.
  if (tried > 0 && !flags.quick) {
    writeProfiles(env, profiles);
    await call.out.drain();
    if (!flags.quiet)
      err.write(`Saved for ${FRESH_DAYS} days in ${toLine(profilesFile(env))}, for use by runs.\n`);
  }
  return report.failed ? 1 : 0;
}

/** Returns whether the environment or the person's configuration sets up the provider. */
function isMeant({ name, isUnasked }: Provider, env: Env): boolean {
  if (isUnasked !== undefined) return !isUnasked;
  const { secrets, addresses } = entryOf(VARIABLES, name) ?? VARIABLES.rehearsal;
  return [...secrets, ...addresses].some((variable) => env[variable]);
}

const NO_MODEL: Verdict = {
  mark: 'fail',
  subject: 'models',
  says: 'no model is reachable',
  next: 'Start a model server or set an API key. To try it without a model: deliberate board --rehearse',
};

const NOT_PAID = (spec: string): Verdict => ({
  mark: 'warn',
  subject: spec,
  says: 'not probed: its calls cost money',
  next: `Add --yes: deliberate doctor ${spec} --yes`,
});

/** Returns whether a model answers and obeys a schema in at least one of the ways to ask for it. */
function mayRead({ answer, schema }: ModelMeasured): boolean {
  if ('code' in answer || schema === undefined) return false;
  return [schema.given, schema.unthinking, schema.inWords].includes('obeyed');
}

/** A model to be probed. */
interface ProbedModel {
  readonly provider: Provider;
  readonly model: string;
  readonly spec: string;
  readonly isPaid: boolean;
}

/**
 * Returns the models to probe: the named ones, or every free model and those paid models that runs use by
 * default.
 */
function modelsToProbe(
  provider: Provider,
  models: readonly ModelInfo[],
  named: readonly string[],
  config: Config,
  prices: PriceList,
): ProbedModel[] {
  const makePatient = (spec: string): ProbedModel => ({
    provider,
    spec,
    model: splitSpec(spec).model,
    isPaid: isPaid(spec, provider, prices),
  });
  const toPatients = (specs: readonly (string | undefined)[]): ProbedModel[] =>
    [...new Set(specs)].flatMap((spec) =>
      spec !== undefined && splitSpec(spec).provider === provider.name ? [makePatient(spec)] : [],
    );
  if (named.length > 0) return toPatients(named);
  const all = toPatients(models.map(({ spec }) => spec));
  const free = all.filter((patient) => !patient.isPaid);
  const configured = toPatients([config.model, config.synthesizer]).filter(
    (patient) => patient.isPaid,
  );
  const paid = all.filter((patient) => patient.isPaid).slice(0, 1);
  return [...free, ...(configured.length > 0 ? configured : paid)];
}

/** Returns whether calls of a model cost money. An unknown price counts as paid unless the server is local. */
function isPaid(spec: string, { endpoint }: Provider, prices: PriceList): boolean {
  const usd = priceOf(prices, spec, { ...NO_USAGE, input: 1_000, output: 1_000 });
  return usd === undefined ? !isNearby(endpoint) : usd > 0;
}

/** Returns whether long prompts may be sent: to local servers, or if the person asked for them. */
function mayBeLong({ flags }: Invocation, { provider, model, isPaid }: ProbedModel): boolean {
  const isOwn = isNearby(provider.endpoint) && !/[:-]cloud$/.test(model);
  return !isPaid && (isOwn || flags.thorough);
}

/** Asks the person before calling paid models. If nobody is at the terminal, only `--yes` allows it. */
async function mayBePaid(
  call: Invocation,
  patients: readonly ProbedModel[],
  prices: PriceList,
): Promise<boolean> {
  const paid = patients.filter((patient) => patient.isPaid);
  if (paid.length === 0 || call.flags.yes) return true;
  if (!call.stdin.isTTY || !call.err.isTTY) return false;
  const probes = call.flags.quick ? [PAID_PROBE] : [PAID_PROBE, PAID_ENTRANCE];
  const taken = paid.flatMap(({ spec }) =>
    probes.map(({ calls, each }) => {
      const price = priceOf(prices, spec, each);
      return price === undefined ? undefined : price * calls;
    }),
  );
  const usd = taken.reduce<number>((sum, price) => sum + (price ?? 0), 0);
  const entrance = call.flags.quick ? '' : ' and the entrance test';
  const unknown = taken.includes(undefined) ? ', plus models without a known price' : '';
  return askToConfirm(
    call,
    `${paid.map(({ spec }) => toLine(spec)).join(', ')}: up to ${PAID_PROBE.calls} short calls${entrance} each, up to ${formatUsd(usd)} in all${unknown}. Continue? [y/N] `,
    'Add --yes.',
  );
}

function getThoroughness({ flags }: Invocation, config: Config, free: boolean): Thoroughness {
  return {
    quick: flags.quick,
    thorough: flags.thorough,
    free,
    idleMs: flags.idleTimeout ?? config.idle_timeout ?? IDLE_MS,
    signal: new AbortController().signal,
  };
}

/**
 * Measures whether the first two models that answered fit into the server's memory together. Only for servers
 * that tell.
 */
async function measureFit(
  provider: Provider,
  probed: readonly { readonly name: string; readonly measured: ModelMeasured }[],
  how: Thoroughness,
): Promise<HostMeasured['together']> {
  const [first, second] = probed.flatMap(({ name, measured: { answer } }) =>
    'code' in answer ? [] : [name],
  );
  if (how.quick || !provider.listLoaded || first === undefined || second === undefined)
    return undefined;
  return measureTogether(provider, [first, second], how);
}

/** Prints verdicts as they are found. The mark is a word, so it does not depend on color. */
class Report {
  failed = false;
  readonly #call: Invocation;
  readonly #redact: (text: string) => string;

  constructor(call: Invocation) {
    this.#call = call;
    this.#redact = makeRedactor(call.env);
  }

  /** Prints a provider's verdicts. For a provider that is not set up, a failure is only a warning. */
  host(host: HostMeasured & { readonly isSetUp: boolean }): void {
    const { isSetUp, ...measured } = host;
    const verdicts = hostVerdicts(measured).map((verdict) =>
      verdict.mark === 'fail' && !isSetUp ? { ...verdict, mark: 'warn' as const } : verdict,
    );
    this.add(verdicts, measured);
  }

  add(
    verdicts: readonly Verdict[],
    measured?: HostMeasured | ModelMeasured | Entrance | AgentMeasured,
  ): void {
    const { flags, out } = this.#call;
    for (const verdict of verdicts) {
      this.failed ||= verdict.mark === 'fail';
      if (!flags.json) out.write(this.#lines(verdict));
    }
    if (!flags.json || verdicts.length === 0) return;
    const body = { subject: verdicts[0]?.subject, verdicts, ...(measured ? { measured } : {}) };
    out.write(this.#redact(jsonLine(body)));
  }

  #lines({ mark, subject, says, next }: Verdict): string {
    const clean = (text: string): string => toLine(this.#redact(text));
    const below = next === undefined ? '' : `      ${clean(formatHint(next))}\n`;
    return `${mark.padEnd(4)}  ${clean(subject)}: ${clean(says)}\n${below}`;
  }
}
