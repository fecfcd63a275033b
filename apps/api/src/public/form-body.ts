import type { FastifyInstance } from 'fastify';

/** The forms of the public pages have two short fields. */
const formLimit = 16 * 1024;

/**
 * Reads the forms of the public pages. Bodies of any other type are discarded: mail providers post to the one-click
 * address with the types of RFC 8058, and the content does not matter.
 */
export function readFormBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  );
  scope.addContentTypeParser('*', (_request, payload, done) => {
    payload.on('end', () => done(null, {}));
    payload.on('error', done);
    payload.resume();
  });
}
