/** The schema of the setting `tools`: the MCP servers whose tools seats may use. */
import * as z from 'zod';

/** The schema of the name of an environment variable. */
export const variableSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable');

/**
 * Matches the name of a tool server. Underscores are excluded, because they separate a server's
 * name from its tools' names.
 */
export const TOOL_SERVER = /^[a-z][a-z0-9-]{0,23}$/;

const toolServer = z
  .strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe('The program and its arguments: [npx, -y, "@example/search-mcp"].')
      .optional(),
    env: z
      .array(variableSchema)
      .describe('Variables of yours that the program is told: [SEARCH_API_KEY].')
      .optional(),
    url: z
      .string()
      .regex(
        /^https?:\/\/(?![^/]*@)[^\s/?#]+[^\s#]*$/,
        'expected an address such as https://mcp.example.com/mcp, without a name or password in it',
      )
      .describe('The address of a server that speaks Streamable HTTP.')
      .optional(),
    key_env: variableSchema.describe('The variable that holds the token of the server.').optional(),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header'), z.string())
      .describe('Headers of every request: { X-Team: platform }.')
      .optional(),
    allow: z
      .array(z.string().min(1))
      .describe('Tools that seats may use although the server does not mark them read-only.')
      .optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'expected either command or url',
  })
  .refine(({ command, key_env: key, headers }) => command === undefined || !(key ?? headers), {
    error: 'key_env and headers go with url; a program is given variables by env',
  })
  .refine(({ url, env }) => url === undefined || env === undefined, {
    error: 'env goes with command; a server at an address is given its token by key_env',
  });

/** The schema of tool servers by name. */
export const toolServersSchema = z.record(
  z
    .string()
    .regex(TOOL_SERVER, 'expected a name of lower-case letters, digits and dashes, up to 24'),
  toolServer,
);
