import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@postrider/core/base/kernel';
import type { Envelope } from './envelope.ts';
import { failureOf, unknownRoute } from './failure.ts';

interface ClientError extends Error {
  code?: string;
  /** the bytes that were being read; not in Node's types */
  rawPacket?: unknown;
}

interface Answer {
  status: number;
  error: AppError;
}

/**
 * Answers what Node's HTTP server refuses before it is a request: headers that are too large or too slow, and bytes
 * that are not HTTP. The connection is closed, since the bytes that follow cannot be interpreted.
 */
export const answeringClientErrors =
  (bodyOf: Envelope) =>
  (error: ClientError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) socket.write(rawAnswer(answerOf(error), bodyOf));
    socket.destroy(error);
  };

function answerOf({ code, rawPacket }: ClientError): Answer {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return badRequest(408, 'The request took too long to arrive');
    case 'HPE_HEADER_OVERFLOW':
      return badRequest(431, 'The URL or the headers of the request are too large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return badRequest(413, 'The chunk extensions of the request are too large');
    case 'HPE_INVALID_METHOD':
      // A method that Node does not support, in an otherwise well-formed request, is an unknown route.
      if (Buffer.isBuffer(rawPacket) && requestLine.test(rawPacket.toString('latin1')))
        return { status: 404, error: unknownRoute() };
  }
  return badRequest(400, 'The request is not valid HTTP');
}

const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r\n/;

const badRequest = (status: number, message: string): Answer => ({
  status,
  error: new AppError('BAD_REQUEST', message),
});

function rawAnswer({ status, error }: Answer, bodyOf: Envelope): string {
  const requestId = randomUUID();
  const body = JSON.stringify(bodyOf({ ...failureOf(error), status }, requestId));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
