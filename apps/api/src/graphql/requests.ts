import { readDocuments } from '@postrider/core/base/documents';
import { AppError, badRequest, type Context } from '@postrider/core/base/kernel';
import { Kind, parse } from 'graphql';
import { nestingOf } from './nesting.ts';

/** A GraphQL request whose document is known. */
export interface GraphqlRequest {
  query: string;
  variables: unknown;
  operationName?: unknown;
}

type Params = Record<string, unknown>;

/**
 * The requests of a body. `documentId` names a persisted document in place of `query` (behaviour B4.21); Apollo's
 * `extensions.persistedQuery` does the same.
 *
 * @throws AppError INVALID_REQUEST_BODY without a document; FORBIDDEN for a document where only persisted ones are
 *   accepted; RESOURCE_NOT_FOUND for an unknown id
 */
export async function readRequests(ctx: Context, body: unknown): Promise<GraphqlRequest[]> {
  const given = (Array.isArray(body) ? body : [body]) as (Params | null | undefined)[];
  if (given.length === 0)
    throw new AppError('INVALID_REQUEST_BODY', 'A batch must contain at least one operation');
  const ids = given.map(documentIdOf);
  const textOf = ids.some((id) => id !== null)
    ? await readDocuments(
        ctx,
        ids.flatMap((id) => id ?? []),
      )
    : null;
  return given.map((params, index) => {
    const id = ids[index];
    const query = id && textOf ? textOf(id) : documentOf(ctx, params);
    return { query, variables: params?.['variables'], operationName: params?.['operationName'] };
  });
}

/** With a document, Apollo's hash is only its checksum. */
function documentIdOf(params: Params | null | undefined): string | null {
  if (typeof params?.['documentId'] === 'string') return params['documentId'];
  if (!params || typeof params['query'] === 'string') return null;
  const { persistedQuery } = (params['extensions'] ?? {}) as { persistedQuery?: { sha256Hash?: unknown } };
  const hash = persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? `sha256:${hash}` : null;
}

function documentOf({ services }: Context, params: Params | null | undefined): string {
  const query = params?.['query'];
  if (typeof query !== 'string')
    throw new AppError('INVALID_REQUEST_BODY', 'The request body must contain a GraphQL document as "query"');
  if (services.config.GRAPHQL_PERSISTED_ONLY)
    throw new AppError('FORBIDDEN', 'Only persisted documents are accepted here', {
      suggestion: 'Store the document with POST /graphql/persisted and send its id as "documentId"',
    });
  return query;
}

/**
 * The request of a query string. Its `variables` and `extensions` are JSON.
 *
 * @throws AppError BAD_REQUEST for other JSON, and for a document with anything but queries
 */
export async function readGetRequest(ctx: Context, params: Params): Promise<GraphqlRequest> {
  const [request] = await readRequests(ctx, {
    ...params,
    variables: jsonOf(params, 'variables'),
    extensions: jsonOf(params, 'extensions'),
  });
  if (!request) throw new Error('a request has no document');
  return request;
}

/** Levels of JSON in a query string. */
const maxNesting = 200;

function jsonOf(params: Params, name: string): unknown {
  const text = params[name];
  if (text === undefined || text === '') return undefined;
  if (nestingOf(String(text)) > maxNesting)
    throw badRequest(`"${name}" can be nested at most ${maxNesting} levels deep`);
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    throw badRequest(`"${name}" must be a JSON object`, { cause });
  }
}

/** @throws AppError BAD_REQUEST for a mutation or subscription. One that does not parse is refused later. */
export function assertOnlyQueries(query: string): void {
  if (operationsOf(query).every((operation) => operation === 'query')) return;
  throw badRequest('GET is for queries only', { suggestion: 'Send mutations and subscriptions with POST' });
}

function operationsOf(query: string): string[] {
  try {
    return parse(query).definitions.flatMap((each) =>
      each.kind === Kind.OPERATION_DEFINITION ? each.operation : [],
    );
  } catch {
    return [];
  }
}
