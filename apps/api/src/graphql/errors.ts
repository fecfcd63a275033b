import { AppError } from '@postrider/core/base/kernel';
import type { GraphQLError } from 'graphql';
import { type Failure, failureOf } from '../errors/failure.ts';

/** The fields of an error besides its message (behaviour B4.21). */
export const extensionsOf = ({ code, status, errors, details, suggestion }: Failure, requestId: string) => ({
  code,
  statusCode: status,
  requestId,
  ...(errors ? { errors } : {}),
  ...(details ? { details } : {}),
  suggestion,
});

/** The cost of a request, as every response reports it (behaviour B4.21). */
export const costExtension = ({ requested, limit }: Cost) => ({ cost: { requested, limit } });

interface Cost {
  requested: number;
  limit: number;
}

/** The body of a request that was refused as a whole. */
export const graphqlBody = (failure: Failure, requestId: string) => ({
  errors: [{ message: failure.message, extensions: extensionsOf(failure, requestId) }],
  ...(isCost(failure.details) ? { extensions: costExtension(failure.details) } : {}),
});

const isCost = (details: Record<string, unknown> | undefined): details is Record<string, unknown> & Cost =>
  typeof details?.['requested'] === 'number' && typeof details['limit'] === 'number';

/**
 * The failure behind an error of a response. Errors of GraphQL itself have no cause: a document that does not parse
 * is a malformed body; a document or variables that do not match the schema are a 422 in REST.
 */
export function failureOfGraphql(error: GraphQLError): Failure {
  const cause = rootCause(error);
  if (cause !== null) return failureOf(cause);
  // An error with a path was found in the server's own result, so the caller did not cause it.
  if (error.path) return failureOf(error);
  if (error.message.startsWith('Syntax Error'))
    return failureOf(new AppError('INVALID_REQUEST_BODY', error.message));
  return failureOf(new AppError('VALIDATION_ERROR', error.message));
}

/** Errors of GraphQL and Yoga wrap one another; any other error was thrown by the product. */
function rootCause(error: GraphQLError): Error | null {
  let current: Error | undefined | null = error.originalError;
  while (current && 'originalError' in current) {
    const inner: Error | undefined = (current as GraphQLError).originalError;
    if (!inner) return null;
    current = inner;
  }
  return current ?? null;
}
