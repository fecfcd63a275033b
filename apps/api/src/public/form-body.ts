import type { FastifyInstance } from 'fastify';
import { smallBodyLimit } from '../plugins/body-limits.ts';

/**
 * Reads the forms of the public pages, which have two short fields. Bodies of any other type are discarded: mail providers post to the
 * one-click address with the types of RFC 8058, and the content does not matter.
 */
export function readFormBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: smallBodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  );
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: smallBodyLimit }, (_request, _body, done) =>
    done(null, {}),
  );
}
