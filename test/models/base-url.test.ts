/** Tests that an address to which no request can be sent is refused, naming the variable that has it. */
import { expect, test } from 'vitest';
import { createModels } from '../../src/models/gateway.ts';
import { callModel, getFailure } from './ask.ts';

const BAD = ['%zz', 'http://%zz', '/v1', 'localhost:8080', 'ftp://x', 'file:///etc/passwd', ' '];

test.each([
  ['openai', 'OPENAI_BASE_URL'],
  ['anthropic', 'ANTHROPIC_BASE_URL'],
] as const)('%s refuses an invalid address or a password in %s', async (name, variable) => {
  const getRefusal = async (address: string) => {
    const models = createModels({ env: { [variable]: address } });
    return getFailure((await callModel(models, `${name}/alpha`)).result);
  };
  for (const address of BAD)
    expect(await getRefusal(address), address).toMatchObject({
      code: 'unreachable',
      message: `${name}: ${variable} is not a URL`,
      next: expect.stringContaining('http://'),
    });
  const secret = await getRefusal('http://user:s3cretpass@127.0.0.1:9');
  expect(secret.message).toContain(`${variable} contains a user name or password`);
  expect(JSON.stringify(secret)).not.toContain('s3cretpass');
});

test.each(['http://user:%zz@127.0.0.1:9', 'http://%zz@127.0.0.1:9', 'ftp://127.0.0.1:9'])(
  'ollama: a call fails if OLLAMA_HOST is the invalid address %s, and the message names the variable',
  async (address) => {
    const models = createModels({ env: { OLLAMA_HOST: address } });
    const { message } = getFailure((await callModel(models, 'ollama/alpha')).result);
    expect(message).toBe('ollama: OLLAMA_HOST is not a valid address');
  },
);
