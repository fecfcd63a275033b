import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** How many sessions may be open; a client that would open another is refused. */
const mostSessions = 100;

/**
 * Serves MCP at `/mcp` by streamable HTTP, each session with a server of its own. Meant for programs on this machine: it
 * is listened on loopback, requests need the bearer token, and pages of other origins are refused (DNS rebinding).
 */
export function serveHttp(token: string, makeServer: () => Server): HttpServer {
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  return createHttpServer(async (request, response) => {
    const refused = refusalOf(request, token);
    if (refused) {
      response.writeHead(refused, refused === 401 ? { 'www-authenticate': 'Bearer' } : {}).end();
      return;
    }
    try {
      const id = request.headers['mcp-session-id'];
      const open = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && !open) response.writeHead(404).end();
      else if (!open && sessions.size >= mostSessions) response.writeHead(503).end();
      else await (open ?? (await begin())).handleRequest(request, response);
    } catch (error) {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  });

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await makeServer().connect(transport as Parameters<Server['connect']>[0]);
    return transport;
  }
}

/** The status of a refusal, or undefined. */
function refusalOf({ url = '', headers }: IncomingMessage, token: string): number | undefined {
  if (!isLoopback(`http://${headers.host}`)) return 403;
  if (headers.origin !== undefined && !isLoopback(headers.origin)) return 403;
  if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) return 401;
  return url.split('?')[0] === '/mcp' ? undefined : 404;
}

const isLoopback = (address: string): boolean =>
  URL.canParse(address) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname);

/** In constant time. */
function isSame(given: string, wanted: string): boolean {
  const [left, right] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
