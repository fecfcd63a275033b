import type { FastifyInstance } from 'fastify';
import { smallBodyLimit } from '../plugins/body-limits.ts';

/** The fields of a form; one that is repeated is a list. */
export function readFields(body: string): Record<string, string | string[]> {
  // Without a prototype, a field may have any name.
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    const earlier = fields[name];
    if (earlier === undefined) fields[name] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else fields[name] = [earlier, value];
  }
  return fields;
}

/**
 * Reads the forms of the public pages, which have a few short fields. Bodies of any other type are discarded: mail providers post to the
 * one-click address with the types of RFC 8058, and the content does not matter.
 */
export function readFormBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: smallBodyLimit },
    (_request, body, done) => done(null, readFields(body)),
  );
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: smallBodyLimit }, (_request, _body, done) =>
    done(null, {}),
  );
}
