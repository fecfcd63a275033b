import { isUtf8 } from 'node:buffer';
import { AppError } from '@postrider/core/base/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { digestOf } from '../access/idempotency.ts';
import { wrongContentType } from '../errors/failure.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** the bytes of the body, where a key in the body may ask for their digest */
    bodyBytes: Buffer | null;
  }
}

/** Limit of JSON bodies except for `/v1/send` (behaviour B8.3), in bytes. */
export const jsonBodyLimit = 5 * 1024 * 1024;

/**
 * Reads bodies: JSON objects in UTF-8, and nothing else. An empty body counts as `{}` (behaviour B1.1).
 * `arrays` also allows lists, for doors that accept several requests in one body; `keep` leaves the bytes in `bodyBytes`.
 */
export function readJsonBodies(app: FastifyInstance, { arrays = false, keep = false } = {}): void {
  // Keys such as `__proto__` stay own properties, so that validation sees them; no object that is read here is merged into another.
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, {});
    const refusal = refusalOf(request);
    if (refusal) return done(refusal);
    if (!isUtf8(body)) return done(malformed());
    const info = request.ctx?.request;
    if (info?.idempotencyKey !== undefined) info.bodyDigest = digestOf(body);
    if (keep) request.bodyBytes = body;
    void parseJson(request, body.toString(), (error, value) => {
      if (error) return done(malformed());
      if (typeof value === 'object' && value !== null && (arrays || !Array.isArray(value)))
        return done(null, value);
      done(new AppError('INVALID_REQUEST_BODY', 'The request body must be a JSON object'));
    });
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (isEmpty(request)) done(null, {});
    else done(wrongContentType());
  });
}

const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** A body in another charset or a compressed one would be misread. */
function refusalOf({ headers }: FastifyRequest): AppError | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    return new AppError('INVALID_REQUEST_BODY', 'The request body must not be compressed', {
      suggestion: 'Send the body without the header Content-Encoding',
    });
  }
  const given = charset.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (given === 'utf-8' || given === 'utf8') return null;
  return new AppError('INVALID_REQUEST_BODY', 'The request body must be JSON in UTF-8', {
    suggestion: 'Encode the body as UTF-8 and send "Content-Type: application/json"',
  });
}

const malformed = (): AppError => new AppError('INVALID_REQUEST_BODY', 'Invalid JSON in request body');

const isEmpty = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
