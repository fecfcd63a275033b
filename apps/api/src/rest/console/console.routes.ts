import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { chooseVariant, type Encoding } from '../../plugins/fixed-text.ts';
import { consoleFiles } from './console-files.ts';

/**
 * The script and styles of the console come from this server. The policy enforces this, also for fonts and for requests
 * made from the page; `unsafe-inline` is for its start script and its styles.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
].join('; ');

const protect = (reply: FastifyReply): FastifyReply => reply.header('content-security-policy', policy);

/** Serves the console at `/docs/console/` (behaviour B4.21). */
export function openConsole(app: FastifyInstance): void {
  const etags = new Map<Encoding, string>();
  app.get('/docs/console', (_request, reply) => protect(reply).redirect('/docs/console/', 301));
  app.get('/docs/console/', async (_request, reply) => {
    const { page } = await consoleFiles();
    return protect(reply).type('text/html; charset=utf-8').send(page);
  });
  app.get('/docs/console/js/scalar.js', async (request, reply) => {
    const { script } = await consoleFiles();
    protect(reply);
    const encoding = chooseVariant(request, reply, (each) => {
      const etag = etags.get(each) ?? `"${createHash('sha256').update(script[each]).digest('base64url')}"`;
      etags.set(each, etag);
      return etag;
    });
    if (encoding === null) return reply;
    return reply.type('application/javascript; charset=utf-8').send(script[encoding]);
  });
}
