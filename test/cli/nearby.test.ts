/** Whose server it is decides who is asked before anything is paid. */
import { describe, expect, it } from 'vitest';
import { isNearby } from '../../src/app/settings/nearby.ts';

describe('isNearby, which says whether a server is on this machine or in its network', () => {
  it.each([
    'http://localhost:11434',
    'http://127.0.0.1',
    'http://127.8.9.10:1',
    'http://10.0.0.7:8000/v1',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.1.20:11434',
    'http://169.254.1.1',
    'http://gpu-box:8000',
    'http://studio.local',
    'http://[::1]:11434',
    'http://[fd12:3456::1]',
    'http://[fe80::1]',
    'http://[::ffff:127.0.0.1]',
  ])('returns true for %s', (endpoint) => {
    expect(isNearby(endpoint)).toBe(true);
  });

  it.each([
    'http://10.example.com',
    'https://127.0.0.1.example.com',
    'http://192.168.evil.org',
    'http://172.16.x.net/v1',
    'http://172.32.0.1',
    'http://8.8.8.8',
    'http://[::1:2:3]',
    'http://[fc:1::]',
    'http://[2001:db8::1]',
    'https://api.openai.com/v1',
    'OLLAMA_HOST',
    'not an address',
    '',
  ])('returns false for %s, which is not in a private network', (endpoint) => {
    expect(isNearby(endpoint)).toBe(false);
  });
});
