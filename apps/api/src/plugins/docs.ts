import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownRoute } from '../errors/failure.ts';
import { chooseVariant } from './fixed-text.ts';

export const builtDocs = fileURLToPath(new URL('../../../docs/dist', import.meta.url));

/** A file of the built documentation, by its address in the manifest that the build writes. */
interface DocsFile {
  file: string;
  type: string;
  hash: string;
  immutable: boolean;
  /** whether compressed copies are beside it */
  compressed: boolean;
}

/** Its own files alone: no other server, nothing inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const notFound = '/docs/404';
const endings = { br: '.br', gzip: '.gz', identity: '' };

/**
 * Serves the built documentation at `/docs`, `/llms.txt` and `/llms-full.txt` (behaviour B4.21). Browsers get a page for an unknown
 * address below `/docs`, everybody else the unknown route of B1.1. Without a build `/docs` leads to the console.
 */
export function serveDocs(app: FastifyInstance, folder: string): void {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) {
    app.get('/docs', (_request, reply) => reply.redirect('/docs/console'));
    return;
  }
  const files = new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, DocsFile>));
  const lost = files.get(notFound);
  files.delete(notFound);
  const protect = (reply: FastifyReply): void => {
    reply.helmet({ contentSecurityPolicy: false });
    reply.header('content-security-policy', policy);
  };
  const send = async (request: FastifyRequest, reply: FastifyReply, file: DocsFile): Promise<unknown> => {
    protect(reply);
    reply.header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    const stored = join(folder, file.file);
    if (!file.compressed) {
      reply.header('etag', `"${file.hash}"`);
      return reply.type(file.type).send(await readFile(stored));
    }
    const encoding = chooseVariant(request, reply, (each) => `"${file.hash}-${each}"`);
    if (encoding === null) return reply;
    return reply.type(file.type).send(await readFile(`${stored}${endings[encoding]}`));
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const [address = ''] = request.url.split('?');
    const file = files.get(address);
    if (file) return send(request, reply, file);
    if (!lost || !(request.headers.accept?.includes('text/html') ?? false)) throw unknownRoute();
    protect(reply);
    return reply
      .code(404)
      .type(lost.type)
      .send(await readFile(join(folder, lost.file)));
  };
  for (const url of ['/docs', '/docs/*', '/llms.txt', '/llms-full.txt']) app.get(url, serve);
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
}
