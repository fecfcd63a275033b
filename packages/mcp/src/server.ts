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
import { previewOf } from './preview.ts';
import { resultOf, runTool } from './run-tool.ts';
import { needsConfirmation, type Offer, offeredTools, type Tool } from './tool.ts';

/** An MCP server over the operations of one project. */
export function createServer(postrider: Postrider, offer: Offer): Server {
  const tools = new Map(offeredTools(offer).map((tool) => [tool.name, tool]));
  const server = new Server(
    { name: 'postrider', version: '0.1.0' },
    {
      capabilities: { tools: {} },
      instructions: `Postrider, an email platform. ${instructionsOf(offer)}`,
    },
  );

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map((tool) => listed(tool, offer)),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const input = params.arguments ?? {};
    const tool = tools.get(params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, refusal(params.name, offer));
    if (!offer.unattended && needsConfirmation(tool, input)) {
      const refused = await refusalOf(tool, input, signal);
      if (refused) return refused;
    }
    return runTool(postrider, tool, input, { signal });
  });
  return server;

  /** Asks the person through the client; undefined if they agreed. A client that cannot ask cannot agree in their place either. */
  async function refusalOf(
    tool: Tool,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallToolResult | undefined> {
    if (!server.getClientCapabilities()?.elicitation) {
      const message =
        'A person has to confirm this, and the client cannot ask (elicitation). Nothing was done. Use another client, do it in the dashboard, or start the server with --unattended.';
      return { ...resultOf({ code: 'confirmation_required', message }), isError: true };
    }
    const { action, content } = await server.elicitInput(
      {
        message: await previewOf(postrider, tool, input),
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Confirm', description: 'Really do this?' } },
          required: ['confirm'],
        },
      },
      { signal },
    );
    if (action === 'accept' && content?.['confirm'] === true) return undefined;
    return resultOf({ done: false, reason: 'The user did not agree' });
  }
}

function instructionsOf({ allowWrites, unattended }: Offer): string {
  if (!allowWrites) return 'This server only reads.';
  return unattended
    ? 'Calls run without confirmation.'
    : 'The user confirms what can make email leave or destroys data.';
}

const listed = (
  { name, description, inputSchema, kind, destructive }: Tool,
  { unattended }: Offer,
): ListedTool => ({
  name,
  description:
    kind === 'confirmed' && !unattended ? `${description}. Needs the user's confirmation.` : description,
  inputSchema,
  annotations: {
    readOnlyHint: kind === 'read',
    destructiveHint: destructive,
    openWorldHint: kind === 'confirmed' && !destructive,
  },
});

function refusal(name: string, { allowWrites }: Offer): string {
  const exists = offeredTools({ allowWrites: true }).some((tool) => tool.name === name);
  return exists && !allowWrites
    ? `${name} changes the project, and this server only reads: it was started without --allow-writes`
    : `there is no tool ${name}`;
}
