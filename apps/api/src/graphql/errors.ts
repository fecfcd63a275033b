import { AppError } from '@postrider/core/kernel';
import type { GraphQLError } from 'graphql';
import { type Failure, failureOf } from '../errors/failure.ts';

/** What an error carries besides its message (behaviour B4.21). */
export const extensionsOf = ({ code, status, errors, details, suggestion }: Failure, requestId: string) => ({
  code,
  statusCode: status,
  requestId,
  ...(errors ? { errors } : {}),
  ...(details ? { details } : {}),
  suggestion,
});

/** What a request costs, as every answer reports it (behaviour B4.21). */
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
 * The failure behind an error of an answer. Errors that GraphQL itself found have no cause: a document that does not parse
 * is a malformed body; one that does not fit the schema, or variables that do not, is what 422 is in REST.
 */
export function failureOfGraphql(error: GraphQLError): Failure {
  const cause = rootCause(error);
  if (cause !== null) return failureOf(cause);
  // With a path it was found in an answer of ours, which the caller cannot have caused.
  if (error.path) return failureOf(error);
  if (error.message.startsWith('Syntax Error'))
    return failureOf(new AppError('INVALID_REQUEST_BODY', error.message));
  return failureOf(new AppError('VALIDATION_ERROR', error.message));
}

/** GraphQL's and Yoga's own errors wrap one another; what does not is thrown by our code. */
function rootCause(error: GraphQLError): Error | null {
  let current: Error | undefined | null = error.originalError;
  while (current && 'originalError' in current) {
    const inner: Error | undefined = (current as GraphQLError).originalError;
    if (!inner) return null;
    current = inner;
  }
  return current ?? null;
}
