import {
  type Actor,
  AppError,
  assertPermission,
  isAgent,
  isPermitted,
  keyTypeOf,
  missingAuth,
  operationRegistry,
  type Services,
} from '@postrider/core/base/kernel';
import { countMoreRequests, resolveKey } from '@postrider/core/people/projects';
import type { Tool } from '@postrider/mcp/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bearerOf } from '../access/bearer.ts';
import { envelopeFor } from '../errors/envelope.ts';
import { answerFailures } from '../plugins/failures.ts';
import { readJsonBodies } from '../plugins/json-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** whose key a request to `/mcp` has */
    mcpActor: Actor | null;
  }
}

/** Messages of one request; more are refused before any is read. */
const mostMessages = 20;

/**
 * `POST /mcp`: the tools of the MCP server by streamable HTTP, without sessions (behaviour B15.11). Each call of a tool is a request to REST
 * with the same key, so that permissions, limits, approvals and the request log are those of REST.
 */
export function openMcpDoor(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    readJsonBodies(scope, { arrays: true });
    answerFailures(scope, services.log, envelopeFor(services.config.API_URL));
    scope.decorateRequest('mcpActor', null);
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      request.mcpActor = await admit(services, request);
    };
    scope.post('/mcp', { onRequest }, async (request, reply) => {
      const messages = Array.isArray(request.body) ? request.body : [request.body];
      if (messages.length > mostMessages)
        throw new AppError('INVALID_REQUEST_BODY', `At most ${mostMessages} messages in a request`);
      const actor = request.mcpActor;
      if (actor?.type !== 'key') throw new Error('this request was not admitted');
      // Calls of tools are counted as the requests that they become.
      if (!messages.every(callsTool)) await count(services, actor);
      const key = bearerOf(request.headers.authorization ?? '');
      const { createServer, Postrider, WebStandardStreamableHTTPServerTransport } = await import(
        './mcp-libraries.ts'
      );
      const postrider = new Postrider({
        apiKey: key,
        baseUrl: 'http://api.internal',
        maxRetries: 0,
        fetch: insideOf(app, request.ip),
      });
      const server = createServer(postrider, {
        allowWrites: true,
        // A key that reads is refused what else a person would be asked for.
        apiAsks: isAgent(actor) || actor.named?.scope === 'read',
        allows: (tool) => mayCall(actor, tool),
      });
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      const answer = await transport.handleRequest(requestOf(request), { parsedBody: request.body });
      reply.code(answer.status).header('cache-control', 'no-store');
      const type = answer.headers.get('content-type');
      if (type !== null) reply.type(type);
      const text = await answer.text();
      await server.close();
      return reply.send(text);
    });
    // Without sessions there is nothing to listen to and nothing to end; clients ask, and expect this answer.
    scope.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    });
  });
}

type KeyActor = Extract<Actor, { type: 'key' }>;

/** Any key that reads, before a byte of the body is: those of browsers do not. @throws AppError as REST does */
async function admit(services: Services, { headers, trace }: FastifyRequest): Promise<KeyActor> {
  if (!headers.authorization) throw missingAuth();
  const key = bearerOf(headers.authorization);
  if (trace) {
    trace.key = key;
    trace.isWrongKind = keyTypeOf(key) !== 'secret';
  }
  const { actor } = await resolveKey(services, key, { required: 'secret', countRequest: false });
  assertPermission(actor, 'graphql:open');
  return actor;
}

async function count(services: Services, actor: KeyActor): Promise<void> {
  const { exceeded, resetSeconds } = await countMoreRequests(services, actor, 1);
  if (!exceeded) return;
  throw new AppError('RATE_LIMIT_EXCEEDED', 'This project has reached its request limit', {
    details: { retryAfter: resetSeconds },
  });
}

const callsTool = (message: unknown): boolean =>
  (message as { method?: unknown } | null)?.method === 'tools/call';

/** What a key sees in the list; another call is answered by REST, with 403. */
function mayCall(actor: Actor, { operation, risk }: Tool): boolean {
  const permission = operationRegistry.get(operation)?.permission;
  if (permission === undefined || !isPermitted(actor, permission)) return false;
  const scope = actor.type === 'key' ? actor.named?.scope : undefined;
  return !(scope === 'read' && risk !== null) && !(scope === 'agent' && risk === 'closed');
}

/** The transport looks at the headers alone. */
const requestOf = ({ headers }: FastifyRequest): Request =>
  new Request('http://api.internal/mcp', {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && name !== 'content-length' && name !== 'authorization'
        ? [[name, value]]
        : [],
    ),
  });

/** Sends requests to the app itself; the request log tells them from those of programs by their client. */
const insideOf =
  (app: FastifyInstance, remoteAddress: string): typeof fetch =>
  async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const answer = await app.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: `${pathname}${search}`,
      headers: { ...(init?.headers as Record<string, string>), 'user-agent': 'postrider-mcp/1' },
      remoteAddress,
      ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const { statusCode: status } = answer;
    return new Response(status === 204 ? null : answer.body, { status, headers });
  };
