import type { FastifyInstance, FastifyRequest } from 'fastify';
import { smallBodyLimit } from '../plugins/body-limits.ts';

/** The fields of a form; one that is repeated is a list. */
type Fields = Record<string, string | string[]>;

function gathered(entries: Iterable<readonly [string, string]>): Fields {
  // Without a prototype, a field may have any name.
  const fields: Fields = Object.create(null);
  for (const [name, value] of entries) {
    const earlier = fields[name];
    if (earlier === undefined) fields[name] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else fields[name] = [earlier, value];
  }
  return fields;
}

export const readFields = (body: string): Fields => gathered(new URLSearchParams(body));

/** The fields of a form with parts (RFC 7578), as pages send it that ask for `multipart/form-data`. Files are none, and neither is what cannot be read. */
export async function readParts(body: Buffer, contentType: string): Promise<Fields> {
  try {
    const form = await new Response(Uint8Array.from(body), {
      headers: { 'content-type': contentType },
    }).formData();
    return gathered(
      [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    );
  } catch (error) {
    if (error instanceof TypeError) return gathered([]);
    throw error;
  }
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
  scope.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: smallBodyLimit },
    (request: FastifyRequest, body: Buffer) => readParts(body, request.headers['content-type'] ?? ''),
  );
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: smallBodyLimit }, (_request, _body, done) =>
    done(null, {}),
  );
}
