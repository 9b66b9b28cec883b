/** Delivers the stand-in's answers as a stream, and acts out faults. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { NO_USAGE } from '../../kernel/model.ts';
import { estimatePrompt, estimateTokens } from '../../kernel/tokens.ts';
import type { Failure } from '../../models/failure.ts';
import { IdleWatch } from '../../models/idle.ts';
import type { Attempt, AttemptContext, ProviderRequest } from '../../models/provider.ts';
import { type Clock, SYSTEM_CLOCK } from '../../models/retry.ts';
import { Chance } from './chance.ts';
import { chooseNextLook, describeLookups } from './looking.ts';
import { deriveScene } from './scene.ts';
import { answerTo } from './tasks.ts';

/** Tokens per second at speed 1: a mid-sized model on a good graphics card. */
const TOKENS_PER_SECOND = 50;
/** The speed from which the text is sent without any waits. */
const INSTANT = 1_000;
/** How many words are sent before the clock is checked again, if the text is sent without waits. */
const BURST = 12;
/** A wait of at most this length is not worth a timer. */
const TICK_MS = 20;

const NOTE = 'rehearsal: no model wrote this';

type Fault = 'fails' | 'stalls' | 'breaks' | 'flaky' | 'slow' | 'empty';

/**
 * Gives one answer of the stand-in for models, or its next tool call. If the model's name is that of a fault, such as
 * `stalls`, the stand-in behaves with this fault instead.
 * @param speed the speed of the streamed text as a multiple of a mid-sized model's; 0.5 is half as
 * fast
 */
export async function perform(
  request: ProviderRequest,
  context: AttemptContext,
  speed: number,
  clock: Clock = SYSTEM_CLOCK,
): Promise<Attempt> {
  const fault = faultOf(request.model);
  const input = estimatePrompt(request.system, request.messages);
  const usage = { ...NO_USAGE, input };
  const makeFailedAttempt = (failure: Failure, output = 0): Attempt => ({
    ok: false,
    failure,
    usage: { ...usage, output },
    notes: [NOTE],
  });
  if (fault === 'fails') return makeFailedAttempt(FAILS);
  if (fault === 'stalls') return makeFailedAttempt(await stallCall(context));
  if (fault === 'empty') return { ok: true, usage, notes: [NOTE] };

  const call = chooseNextLook(request);
  if (call !== undefined) {
    const said = JSON.stringify(call.arguments);
    await streamText('', request, context, { speed, clock });
    const calls = [call];
    return { ok: true, usage: { ...usage, output: estimateTokens(said) }, notes: [NOTE], calls };
  }
  const answer = answerTo(deriveScene(request));
  const isForm = request.schema !== undefined || request.task.startsWith('team/');
  const text = isForm ? answer : describeLookups(request) + answer;
  const breaks = fault === 'breaks' || (fault === 'flaky' && context.attempt === 1);
  const said = breaks ? text.slice(0, Math.ceil(text.length * 0.4)) : text;
  await streamText(said, request, context, {
    speed: fault === 'slow' ? Math.min(1, speed / 10) : speed,
    clock,
  });
  const output = estimateTokens(said);
  if (!breaks) return { ok: true, usage: { ...usage, output }, notes: [NOTE] };
  return makeFailedAttempt({ ...BREAKS, retry: fault === 'flaky' }, output);
}

/** Streams the text at its pace. Rejects if the call is stopped, as a real request would. */
async function streamText(
  text: string,
  request: ProviderRequest,
  { signal, onBytes, onText }: AttemptContext,
  { speed, clock }: { readonly speed: number; readonly clock: Clock },
): Promise<void> {
  const words = text.match(/\s*\S+/g) ?? [];
  if (speed >= INSTANT) {
    for (let at = 0; at < words.length; at += BURST) {
      await turn(undefined, { signal });
      onBytes();
      onText(words.slice(at, at + BURST).join(''));
    }
    return;
  }
  const pace = new Chance(request.model, request.seatId);
  // Wait for a random time, then write at a random speed, as different models would.
  await clock.sleep(pace.between(150, 450) / speed, signal);
  const perMs = (TOKENS_PER_SECOND * speed * pace.between(85, 115)) / 100 / 1000;
  const began = clock.now();
  let said = 0;
  for (const word of words) {
    said += estimateTokens(word);
    const due = began + said / perMs;
    const wait = due - clock.now();
    if (wait > TICK_MS) await clock.sleep(wait, signal);
    onBytes();
    onText(word);
  }
}

/** Sends nothing until the call is given up as idle. */
async function stallCall({ idleMs, signal }: AttemptContext): Promise<Failure> {
  const silence = new AbortController();
  const watch = new IdleWatch(idleMs, () => silence.abort());
  try {
    await sleep(2 ** 30, undefined, { signal: AbortSignal.any([signal, silence.signal]) });
  } catch (error) {
    if (!silence.signal.aborted) throw error;
  } finally {
    watch.stop();
  }
  return {
    code: 'timeout',
    message: `rehearsal: no bytes for ${Math.round(idleMs / 100) / 10} s`,
    next: 'This seat was told to stall',
    retry: false,
  };
}

const FAILS: Failure = {
  code: 'server',
  message: 'rehearsal: the server failed, as it was told to',
  next: 'Give this seat another model: rehearsal/panel',
  retry: false,
};

const BREAKS: Failure = {
  code: 'interrupted',
  message: 'rehearsal: the connection broke in the middle of the answer, as it was told to',
  next: 'Give this seat another model: rehearsal/panel',
  retry: false,
};

function faultOf(model: string): Fault | undefined {
  const faults: readonly Fault[] = ['fails', 'stalls', 'breaks', 'flaky', 'slow', 'empty'];
  return faults.find((fault) => fault === model);
}
