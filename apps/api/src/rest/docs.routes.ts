import apiReference from '@scalar/fastify-api-reference';
import { fixedText } from '../plugins/fixed-text.ts';
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
  let document: ReturnType<typeof fixedText> | undefined;
  rawRoute(door, 'GET', '/openapi.json', {
    name: 'docs.openapi',
    summary: 'The OpenAPI 3.1 document of this API.',
    handler(request, reply) {
      document ??= fixedText(
        JSON.stringify(openApiOf([...door.endpoints, ...otherDoors])),
        'application/json; charset=utf-8',
      );
      return document(request, reply);
    },
  });
  void door.app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Postrider API',
      // The icon of the dashboard, which this server serves too.
      favicon: '/favicon.svg',
      withDefaultFonts: false,
      authentication: { preferredSecurityScheme: 'secretKey' },
      telemetry: false,
      // These would send requests, or the document, to servers of Scalar.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
    hooks: {
      onRequest(_request, reply, done) {
        reply.header('content-security-policy', policy);
        done();
      },
    },
  });
}
