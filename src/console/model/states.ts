/** Formats what a call is doing: a few words for a heading, one character for a list. */
import { formatMs, formatRate } from '../../text/numbers.ts';
import { type CallStream, type Phase, SILENT_MS } from './call-stream.ts';
import { formatCountdown, formatElapsed } from './notes.ts';

const SIGNS: Readonly<Record<Phase['kind'], string>> = {
  idle: '·',
  queued: '·',
  waiting: '…',
  thinking: '▮',
  speaking: '▮',
  retrying: '…',
  done: '✓',
  failed: '✗',
  stopped: '■',
  lost: '✗',
};

/** Returns a sign of one cell for the state of a call, such as `✓` or `✗`. */
export function getSign(stream: CallStream): string {
  return SIGNS[stream.phase.kind];
}

/** Formats the state of a call: `▮ 48 t/s`, `✓ 6.1s`, `✗ timed out` or `queued behind ollama`. */
export function formatState(stream: CallStream, now: number): string {
  const { phase } = stream;
  switch (phase.kind) {
    case 'idle':
      return '';
    case 'queued':
      return `queued behind ${phase.behind}`;
    case 'waiting': {
      const ahead = stream.aheadOf(now);
      const elapsed = formatElapsed(now - phase.since);
      return ahead === undefined ? `waiting ${elapsed}` : `waiting behind ${ahead} ${elapsed}`;
    }
    case 'thinking':
      return `▮ thinking ${formatElapsed(now - phase.since)}`;
    case 'speaking': {
      const silence = stream.silence(now);
      if (silence > SILENT_MS) return `▮ silent ${formatElapsed(silence)}`;
      const rate = stream.rate(now);
      return rate === undefined ? '▮' : `▮ ~${formatRate(rate)}`;
    }
    case 'retrying':
      if (phase.loading)
        return `loading, asked again in ${formatCountdown(phase.until - now)}: ${phase.reason}`;
      if (phase.away)
        return `away, asked again in ${formatCountdown(phase.until - now)}: ${phase.reason}`;
      return `retrying in ${formatCountdown(phase.until - now)} (attempt ${phase.attempt + 1}): ${phase.reason}`;
    case 'done':
      return phase.latencyMs === undefined ? '✓' : `✓ ${formatMs(phase.latencyMs)}`;
    case 'failed':
      return `✗ ${phase.label}`;
    case 'stopped':
      return '■ stopped';
    case 'lost':
      return '✗ lost';
  }
}
