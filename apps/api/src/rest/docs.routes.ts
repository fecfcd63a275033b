import apiReference from '@scalar/fastify-api-reference';
import type { RestDoor } from './door.ts';
import { openApiOf } from './openapi/document.ts';
import { otherDoors } from './other-doors.ts';
import { rawRoute } from './raw-route.ts';

/**
 * The script and styles of the page come from this server. The policy enforces this, also for fonts and for requests
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

/** The document lists everything that is mounted when it is first requested. */
export function mountDocs(door: RestDoor): void {
  let document: string | undefined;
  rawRoute(door, 'GET', '/openapi.json', {
    name: 'docs.openapi',
    summary: 'The OpenAPI 3.1 document of this API.',
    handler(_request, reply) {
      document ??= JSON.stringify(openApiOf([...door.endpoints, ...otherDoors]));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  });
  void door.app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Postrider API',
      withDefaultFonts: false,
      telemetry: false,
      // Both would send requests to servers of Scalar.
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    hooks: {
      onRequest(_request, reply, done) {
        reply.header('content-security-policy', policy);
        done();
      },
    },
  });
}
