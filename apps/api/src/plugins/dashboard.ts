import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unknownRoute } from '../errors/failure.ts';
import { fixedText } from './fixed-text.ts';
import { isUnknown } from './unknown.ts';

export const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));

/**
 * Serves the built dashboard. It has its own router, so its page is served to browsers at every path that is not a
 * route, and to all clients at `/`; everything else is an unknown route (behaviour B1.1). Without a build, every unknown route is 404.
 */
export function serveDashboard(app: FastifyInstance, folder: string): void {
  const index = join(folder, 'index.html');
  const page = existsSync(index) ? pageOf(readFileSync(index, 'utf8')) : null;
  if (page !== null) {
    void app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      globIgnore: ['index.html', '**/*.{br,gz}'],
      // The build writes compressed copies beside the files.
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    });
    app.get('/', page);
  }
  // Not in the handler below, which runs after the body was read.
  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnknown(request)) done();
    else if (page === null || !isPageView(request)) done(unknownRoute());
    else void page(request, reply);
  });
  app.setNotFoundHandler(() => {
    throw unknownRoute();
  });
}

function pageOf(html: string): ReturnType<typeof fixedText> {
  const send = fixedText(html, 'text/html; charset=utf-8');
  return (request, reply) => {
    reply.helmet();
    reply.header('cache-control', 'no-cache');
    return send(request, reply);
  };
}

const isPageView = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
