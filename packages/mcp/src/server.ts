import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Postrider } from '@postrider/sdk';
import { type PendingSend, PendingSends } from './pending.ts';
import { previewOf } from './preview.ts';
import { resultOf, runTool } from './run-tool.ts';
import { type Offer, offeredTools, type Tool } from './tool.ts';

const confirmSend = 'confirm_send';
const confirmTool: ListedTool = {
  name: confirmSend,
  description:
    'Sends what an earlier call only showed. Call it after the user has seen the preview and agreed. A token is valid once, for 5 minutes.',
  inputSchema: {
    type: 'object',
    properties: { token: { type: 'string', description: 'The token that came with the preview.' } },
    required: ['token'],
  },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
};

/** An MCP server over the operations of one project. */
export function createServer(postrider: Postrider, offer: Offer): Server {
  const tools = new Map(offeredTools(offer).map((tool) => [tool.name, tool]));
  const pending = new PendingSends();
  const instructions = `Postrider, an email platform. ${offer.allowWrites ? 'Every send is shown to the user before it happens.' : 'This server only reads.'}`;
  const server = new Server(
    { name: 'postrider', version: '0.1.0' },
    { capabilities: { tools: {} }, instructions },
  );
  const sends = [...tools.values()].some(({ kind }) => kind === 'send');

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...[...tools.values()].map(listed), ...(sends ? [confirmTool] : [])],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const input = params.arguments ?? {};
    if (sends && params.name === confirmSend) return confirm(String(input['token']), signal);
    const tool = tools.get(params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, refusal(params.name, offer));
    return tool.kind === 'send' ? ask({ tool, input }, signal) : runTool(postrider, tool, input, { signal });
  });
  return server;

  /** Asks the person through the client if it can; otherwise shows the send and waits for `confirm_send`. */
  async function ask(send: PendingSend, signal: AbortSignal): Promise<CallToolResult> {
    const preview = await previewOf(postrider, send);
    if (!server.getClientCapabilities()?.elicitation) {
      const token = pending.add(send);
      return resultOf({
        sent: false,
        preview,
        token,
        next: `Show this to the user. If they agree, call ${confirmSend}.`,
      });
    }
    const { action, content } = await server.elicitInput(
      {
        message: preview,
        requestedSchema: {
          type: 'object',
          properties: { send: { type: 'boolean', title: 'Send', description: 'Really send this?' } },
          required: ['send'],
        },
      },
      { signal },
    );
    if (action !== 'accept' || content?.['send'] !== true)
      return resultOf({ sent: false, reason: 'The user did not agree' });
    return run(send, randomUUID(), signal);
  }

  async function confirm(token: string, signal: AbortSignal): Promise<CallToolResult> {
    const send = pending.take(token);
    if (send) return run(send, token, signal);
    return {
      ...resultOf(
        'This token was used already, is older than 5 minutes, or never existed. Nothing was sent.',
      ),
      isError: true,
    };
  }

  function run(
    { tool, input }: PendingSend,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const keyed = tool.operation === 'sending.send' ? { signal, idempotencyKey } : { signal };
    return runTool(postrider, tool, input, keyed);
  }
}

const listed = ({ name, description, inputSchema, kind, destructive }: Tool): ListedTool => ({
  name,
  description: kind === 'send' ? `${description}. Needs the user's confirmation.` : description,
  inputSchema,
  annotations: {
    readOnlyHint: kind === 'read',
    destructiveHint: destructive,
    openWorldHint: kind === 'send',
  },
});

function refusal(name: string, { allowWrites }: Offer): string {
  const exists = offeredTools({ allowWrites: true }).some((tool) => tool.name === name);
  return exists && !allowWrites
    ? `${name} changes the project, and this server only reads: it was started without --allow-writes`
    : `there is no tool ${name}`;
}
