import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * Serves a text that is the same for every caller: compressed once, with an ETag and 304 for clients that have it. API replies are
 * never compressed: they contain secrets beside text chosen by others, and the length of a compressed reply would reveal the
 * secrets (BREACH).
 */
export function fixedText(
  text: string,
  type: string,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const variants = new Map<Encoding, { body: Buffer; etag: string }>();
  const variantOf = (encoding: Encoding) => {
    const known = variants.get(encoding);
    if (known) return known;
    const body = encode(text, encoding);
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    variants.set(encoding, { body, etag });
    return { body, etag };
  };
  return (request, reply) => {
    const encoding = chooseVariant(request, reply, (each) => variantOf(each).etag);
    return encoding === null ? reply : reply.type(type).send(variantOf(encoding).body);
  };
}

/**
 * The encoding in which a client takes a text, with the headers that say so; null for a client that has it, which is answered with 304.
 */
export function chooseVariant(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  etagOf: (encoding: Encoding) => string,
): Encoding | null {
  const encoding = encodingFor(headers['accept-encoding']);
  const etag = etagOf(encoding);
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  reply.header('etag', etag);
  if (isCurrent(headers['if-none-match'], etag)) {
    reply.code(304).send();
    return null;
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return encoding;
}

function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'br') return brotliCompressSync(text);
  return encoding === 'gzip' ? gzipSync(text) : Buffer.from(text);
}

/** The best encoding that the header names; one with the weight 0 is not acceptable. */
function encodingFor(header: string | string[] | undefined): Encoding {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || Number(weight.split('=')[1]) > 0)
    .map(([name]) => name);
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}

const isCurrent = (header: string | undefined, etag: string): boolean =>
  (header ?? '')
    .split(',')
    .map((item) => item.trim().replace(/^W\//, ''))
    .some((item) => item === '*' || item === etag);
