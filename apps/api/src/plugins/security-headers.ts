import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * What the dashboard's page may load. Scripts come from this server only, and none is inline. Previews show an email in a sandboxed frame
 * without an address of its own, which inherits this policy: hence the inline styles, and images and fonts from anywhere.
 */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'", 'https:'],
    imgSrc: ["'self'", 'data:', 'blob:', 'https:', 'http:'],
    fontSrc: ["'self'", 'data:', 'https:'],
    mediaSrc: ['https:', 'http:'],
    frameSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
  },
} satisfies FastifyHelmetOptions['contentSecurityPolicy'];

/** One year, the least that browsers' preload lists take. */
const hstsSeconds = 31_536_000;

/**
 * No reply is read as another type than it says, and browsers that have used https once stay with it (RFC 6797). Pages ask for the rest with
 * `reply.helmet()`: API replies are not rendered, and images are meant for the pages of others.
 */
export function setSecurityHeaders(app: FastifyInstance, apiUrl: string): void {
  const isHttps = apiUrl.startsWith('https:');
  const hsts = { maxAge: hstsSeconds, includeSubDomains: false };
  app.register(helmet, {
    global: false,
    contentSecurityPolicy,
    strictTransportSecurity: isHttps && hsts,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (isHttps) reply.header('strict-transport-security', `max-age=${hstsSeconds}`);
    done();
  });
}
