import type { Context, Services } from '@postrider/core/base/kernel';
import { ownerOfStreams } from '@postrider/core/base/live';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { countFurther } from '../access/gate.ts';
import { digestOf, keyHeaderOf } from '../access/idempotency.ts';
import { rightOfKey } from '../access/renew.ts';
import { logUnexpected } from '../plugins/failures.ts';
import { observeStream } from '../plugins/observe-streams.ts';
import type { RequestTrace } from '../request-log/request-trace.ts';
import type { GraphqlContext } from './builder.ts';
import { costExtension, extensionsOf, failureOfGraphql } from './errors.ts';
import { assertKeyHeader } from './idempotency.ts';
import { assertAffordable, graphqlLimits, type RequestCost } from './limits.ts';
import { graphqlPermission } from './permission.ts';
import { assertOnlyQueries, type GraphqlRequest, readGetRequest, readRequests } from './requests.ts';
import { rootOperationsOf } from './root-operations.ts';
import { schema } from './schema.ts';

/** Yoga's extension for the status of a request that was not run; `spec`: 200 for clients that only support application/json. */
const refusedRequest = { status: 400, spec: true };

interface ServerContext extends GraphqlContext {
  reply: FastifyReply;
  cost: RequestCost;
  trace: RequestTrace | null;
}

/** Answers requests whose caller the gate has let in. */
export interface GraphqlDoor {
  post(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  get(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** The schema and what runs it. The module is loaded with the first request to the door: it takes some 40 MB. */
export function createGraphqlDoor(services: Services): GraphqlDoor {
  const yoga = createYoga<ServerContext>({
    schema,
    graphqlEndpoint: '/graphql',
    batching: { limit: graphqlLimits.operations },
    plugins: [wordErrors(services)],
    maskedErrors: false,
    logging: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
  });
  const admitted = async (
    request: FastifyRequest,
    reply: FastifyReply,
    requests: readonly GraphqlRequest[],
  ): Promise<ServerContext> => {
    if (request.trace) {
      request.trace.documents = requests;
      request.trace.namedOperations = () => requests.flatMap(({ query }) => rootOperationsOf(query));
    }
    const cost = assertAffordable(schema, requests);
    const { ctx } = contextOf(request);
    if (cost.subscribes) services.live.assertRoom(ownerOfStreams(ctx));
    const header = keyHeaderOf(request);
    const hasKeys = assertKeyHeader(requests, header);
    await countFurther(ctx, reply, cost.rootFields - 1);
    const keys = hasKeys && {
      keys: { header, bodyDigest: request.bodyBytes ? digestOf(request.bodyBytes) : undefined },
    };
    return {
      reply,
      cost,
      trace: request.trace,
      ...keys,
      ctx: cost.subscribes ? withRight(request, ctx) : ctx,
    };
  };
  return {
    async post(request, reply) {
      const requests = await readRequests(contextOf(request).ctx, request.body);
      const context = await admitted(request, reply, requests);
      request.body = Array.isArray(request.body) ? requests : requests[0];
      return answer(reply, await yoga.handleNodeRequestAndResponse(request, reply, context));
    },
    async get(request, reply) {
      const get = await readGetRequest(contextOf(request).ctx, request.query as Record<string, unknown>);
      reply.header('cache-control', 'no-store');
      assertOnlyQueries(get.query);
      const context = await admitted(request, reply, [get]);
      return answer(reply, await yoga.fetch(postOf(get, request.headers.accept), context));
    },
  };
}

/** Yoga reads the query string of a GET request itself, which may name a document in place of one. */
const postOf = (get: GraphqlRequest, accept = '*/*'): Request =>
  new Request('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(get),
  });

function contextOf(request: FastifyRequest): GraphqlContext {
  if (!request.ctx) throw new Error('this route has no gate');
  return { ctx: request.ctx };
}

/** What a subscription reads ends with the right of its key. */
function withRight({ headers }: FastifyRequest, ctx: Context): Context {
  if (ctx.actor.type !== 'key' || headers.authorization === undefined) return ctx;
  return { ...ctx, right: rightOfKey(ctx.services, headers.authorization, ctx.actor, graphqlPermission) };
}

async function answer(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type');
  if (type !== null) reply.type(type);
  if (type?.startsWith('text/event-stream')) {
    // Proxies must not collect the events of a stream, and each is sent as it happens.
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .code(response.status)
      .send(response.body);
  }
  return reply.code(response.status).send(await response.text());
}

/**
 * The events of a subscription, each as it is presented. A source that fails ends with its error as the last event. Ending the iteration
 * ends the source.
 */
function mapped(
  source: AsyncIterable<ExecutionResult>,
  present: (value: ExecutionResult) => ExecutionResult,
  reply: FastifyReply,
): AsyncIterableIterator<ExecutionResult> {
  const iterator = observeStream(source[Symbol.asyncIterator](), { door: 'graphql', answer: reply.raw });
  let failed = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (failed) return { done: true, value: undefined };
      try {
        const { done, value } = await iterator.next();
        return done ? { done, value } : { done: false, value: present(value) };
      } catch (error) {
        failed = true;
        return { done: false, value: present({ errors: [asGraphqlError(error)] }) };
      }
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
}

const asGraphqlError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('The stream has ended', { originalError: error as Error });

/** Gives every error the code that the same failure has in REST, hides unexpected texts, and reports the cost. */
function wordErrors({ log }: Services): Plugin<object, ServerContext> {
  return {
    onResultProcess({ result, serverContext: { ctx, cost, reply, trace }, setResult }) {
      const results = Array.isArray(result) ? result : [result];
      const extensions = costExtension(cost);
      const present = (each: ExecutionResult): ExecutionResult =>
        each.errors
          ? { ...each, errors: each.errors.map((error) => reword(error, ctx.request.id, trace)), extensions }
          : { ...each, extensions };
      const reworded = results.map((each) =>
        Symbol.asyncIterator in each ? mapped(each, present, reply) : present(each),
      );
      setResult((Array.isArray(result) ? reworded : reworded[0]) as Parameters<typeof setResult>[0]);
    },
  };

  function reword(error: GraphQLError, requestId: string, trace: RequestTrace | null): GraphQLError {
    const failure = failureOfGraphql(error);
    trace?.failed(failure);
    if (failure.status >= 500) logUnexpected(log, error.originalError ?? error, requestId);
    const { nodes, source, positions, path } = error;
    return new GraphQLError(failure.message, {
      nodes,
      source,
      positions,
      path,
      extensions: { ...extensionsOf(failure, requestId), ...(path ? {} : { http: refusedRequest }) },
    });
  }
}
