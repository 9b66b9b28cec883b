import { expect, it } from 'vitest';
import {
  formatAge,
  formatClock,
  formatMs,
  formatRate,
  formatTokens,
  formatUsd,
} from '../../src/text/numbers.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1.0k'],
  [1234, '1.2k'],
  [9949, '9.9k'],
  [9950, '10k'],
  [41_234, '41k'],
  [999_499, '999k'],
  [999_600, '1.0M'],
  [12_400_000, '12M'],
  [Number.NaN, '-'],
  [-1, '-'],
])('formatTokens formats %d tokens as %s', (count, text) => {
  expect(formatTokens(count)).toBe(text);
});

it('an amount with an estimated part is marked with ~, unless it is unknown or 0 dollars', () => {
  expect(formatTokens(1234, true)).toBe('~1.2k');
  expect(formatTokens(Number.NaN, true)).toBe('-');
  expect(formatUsd(0.031, true)).toBe('~$0.031');
  expect(formatUsd(0, true)).toBe('$0');
});

it.each([
  [0, '0ms'],
  [850, '850ms'],
  [999.7, '1.0s'],
  [6100, '6.1s'],
  [9960, '10s'],
  [59_400, '59s'],
  [59_600, '1m 00s'],
  [125_000, '2m 05s'],
  [3_599_600, '1h 00m'],
  [3_780_000, '1h 03m'],
  [Number.POSITIVE_INFINITY, '-'],
])('formatMs formats %d milliseconds as %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text);
});

it.each([
  [0, '00:00'],
  [999, '00:00'],
  [134_000, '02:14'],
  [3_599_999, '59:59'],
  [3_734_000, '1:02:14'],
])('formatClock formats %d milliseconds as %s', (ms, text) => {
  expect(formatClock(ms)).toBe(text);
});

it.each([
  [0, '$0'],
  [0.0001, '<$0.001'],
  [0.0312, '$0.031'],
  [0.9996, '$1.00'],
  [1.2377, '$1.24'],
  [99.996, '$100'],
  [318.4, '$318'],
  [Number.NaN, '-'],
])('formatUsd formats %d dollars as %s', (usd, text) => {
  expect(formatUsd(usd)).toBe(text);
});

it.each([
  [48.2, '48 t/s'],
  [4.82, '4.8 t/s'],
  [9.96, '10 t/s'],
  [0, '0.0 t/s'],
])('formatRate formats %d tokens per second as %s', (rate, text) => {
  expect(formatRate(rate)).toBe(text);
});

it.each([
  [-5000, 'just now'],
  [59_000, 'just now'],
  [190_000, '3 min ago'],
  [7_300_000, '2 h ago'],
  [90_000_000, '1 day ago'],
  [450_000_000, '5 days ago'],
])('formatAge formats %d milliseconds since an event as "%s"', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});
