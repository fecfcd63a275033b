import type { FastifyInstance } from 'fastify';

/** For paths that anybody may call, and those of accounts and settings (behaviour B8.3), in bytes: what they take is a few short texts. */
export const smallBodyLimit = 16 * 1024;

const small = /^\/(auth|users|projects)\//;

/** Gives the paths of accounts their limit. Public pages have theirs where their forms are read. */
export function limitBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (small.test(route.url)) route.bodyLimit ??= smallBodyLimit;
  });
}
