import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unknownRoute } from '../errors/failure.ts';

export const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));

/**
 * Unknown routes are 404 before anything else is looked at, save that a browser opening a page gets the dashboard, whose
 * own router knows its paths (behaviour B1.1). Without a built dashboard every unknown route is 404.
 */
export function serveDashboard(app: FastifyInstance, folder: string): void {
  const index = join(folder, 'index.html');
  const page = existsSync(index) ? readFileSync(index, 'utf8') : null;
  if (page !== null) {
    void app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      globIgnore: ['index.html'],
      immutable: true,
      maxAge: '365d',
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (page === null || !isPageView(request)) throw unknownRoute();
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "frame-ancestors 'none'")
      .send(page);
  });
}

const isPageView = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
