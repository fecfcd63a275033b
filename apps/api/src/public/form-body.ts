import type { FastifyInstance } from 'fastify';

/** Our own forms hold two short fields. */
const formLimit = 16 * 1024;

/**
 * Reads the forms of the public pages. Bodies of every other type are let pass by unread: mail providers post to the
 * one-click address in the forms that RFC 8058 names, and what they write there does not matter.
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
