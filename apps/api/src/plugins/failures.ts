import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Failure, failureOf, isUnexpected } from '../errors/failure.ts';

/** How a door formats a failure. */
export type FailureBody = (failure: Failure, requestId: string) => unknown;

/** A failure in the form of another service: its status may be another one. */
export interface ForeignFailure {
  status: number;
  body: unknown;
}

/** Answers everything thrown under `app` as another service would. @param scheme of authentication, which a 401 names */
export function answerFailuresAs(
  app: FastifyInstance,
  log: Logger,
  scheme: string | null,
  foreign: (failure: Failure, requestId: string) => ForeignFailure,
): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error);
    request.trace?.failed(failure);
    if (isUnexpected(error)) logUnexpected(log, error, request.id);
    const { status, body } = foreign(failure, request.id);
    addFailureHeaders(reply, failure);
    reply.removeHeader('www-authenticate');
    if (status === 401 && scheme !== null) reply.header('www-authenticate', scheme);
    if (reply.hasHeader('connection') && reply.raw.shouldKeepAlive) readRest(request, reply);
    void reply.code(status).type('application/json; charset=utf-8').send(body);
  });
}

/** Answers everything thrown under `app` in the door's format, and logs the cause of a 500. */
export function answerFailures(app: FastifyInstance, log: Logger, bodyOf: FailureBody): void {
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, log, bodyOf));
}

export function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
  bodyOf: FailureBody,
): void {
  const failure = failureOf(error);
  request.trace?.failed(failure);
  if (isUnexpected(error)) logUnexpected(log, error, request.id);
  addFailureHeaders(reply, failure);
  if (reply.hasHeader('connection') && reply.raw.shouldKeepAlive) readRest(request, reply);
  void reply.code(failure.status).type('application/json; charset=utf-8').send(bodyOf(failure, request.id));
}

/**
 * Fastify closes the connection after a body that it refused. The system then resets it if more of the body arrives, and a client that is
 * still sending often loses the reply (RFC 9112, 9.6). The rest is discarded instead, within the time limit of a request.
 */
function readRest(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  request.raw.resume();
}

/** A 401 names the scheme (behaviour B5.1), a 429 and a 503 that is known to pass the time to wait (B8.1, B7.2, B11.11). */
export function addFailureHeaders(reply: FastifyReply, { status, details }: Failure): void {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if ((status === 429 || status === 503) && typeof details?.retryAfter === 'number') {
    reply.header('retry-after', String(Math.max(1, Math.ceil(details.retryAfter))));
  }
}

export function logUnexpected(log: Logger, error: unknown, requestId: string): void {
  log.error({ err: error, requestId }, 'unexpected failure');
}
