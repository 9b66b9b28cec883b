import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most of the time is spent waiting for servers and terminals, not computing.
    maxWorkers: 2,
  },
});
