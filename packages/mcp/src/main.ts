#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Postrider } from '@postrider/sdk';
import { serveHttp } from './http.ts';
import { createServer } from './server.ts';
import { type Offer, offeredTools } from './tool.ts';

const usage = `Usage: npx @postrider/mcp [--allow-writes [--unattended]] [--only contacts,campaigns] [--http [--port 8765]]

  --allow-writes  offer tools that change the project; a person confirms in the client what can make email leave or destroys data
  --unattended    run those without a person's confirmation
  --only          offer only the tools of these groups
  --http          streamable HTTP on 127.0.0.1 instead of stdio; needs POSTRIDER_MCP_TOKEN, the bearer token of its clients
  --port          default 8765; 0 is any free one

Environment: POSTRIDER_API_KEY (a secret key, or a named key of the scope "read"), POSTRIDER_URL (address of the API).
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'allow-writes': { type: 'boolean', default: false },
      unattended: { type: 'boolean', default: false },
      only: { type: 'string' },
      http: { type: 'boolean', default: false },
      port: { type: 'string', default: '8765' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const { POSTRIDER_API_KEY: apiKey, POSTRIDER_URL: baseUrl, POSTRIDER_MCP_TOKEN: token } = process.env;
  if (!apiKey || !baseUrl) throw new Error('POSTRIDER_API_KEY and POSTRIDER_URL must be set');
  const postrider = new Postrider({
    apiKey,
    baseUrl,
    // The request log of the project tells such requests from those of programs.
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init?.headers, 'user-agent': 'postrider-mcp/1' } }),
  });
  const offer: Offer = {
    allowWrites: values['allow-writes'],
    unattended: values.unattended,
    groups: values.only?.split(','),
  };
  offeredTools(offer);
  if (!values.http) {
    await createServer(postrider, offer).connect(new StdioServerTransport());
    return;
  }
  if (!token || token.length < 16)
    throw new Error('POSTRIDER_MCP_TOKEN must be set, to at least 16 characters');
  const server = serveHttp(token, () => createServer(postrider, offer));
  server.listen(Number(values.port), '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : values.port;
    process.stderr.write(`Listening on http://127.0.0.1:${port}/mcp\n`);
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  process.exitCode = 1;
}
