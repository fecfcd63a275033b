import type { Services } from '@postrider/core/base/kernel';
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import { assertSameSite } from '../access/cross-site.ts';
import { sessionCaller } from '../access/session-caller.ts';
import { type Failure, failureOf, isUnexpected } from '../errors/failure.ts';
import { answerFailures, logUnexpected } from '../plugins/failures.ts';
import { type AppRouter, appRouter } from './root.router.ts';
import { causeOf, maxBatchSize, type TrpcContext } from './trpc.ts';

/** JSON-RPC's "internal error" and "parse error", which tRPC's clients expect beside the product's code. */
const rpcCodes = { internal: -32603, other: -32600 };

/** Failures before tRPC runs (another site, a body too large) have tRPC's format. */
const trpcBody = ({ status, code, message, errors, details, suggestion }: Failure, requestId: string) => ({
  error: {
    message,
    code: status === 500 ? rpcCodes.internal : rpcCodes.other,
    data: { code, httpStatus: status, requestId, errors, details, suggestion },
  },
});

export function openTrpcDoor(app: FastifyInstance, services: Services): void {
  const trpcOptions: FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] = {
    router: appRouter,
    // The input of a query may be too long for a URL: a filter with many rows, or the draft of an email.
    allowMethodOverride: true,
    maxBatchSize,
    createContext: ({ req, res, info }): TrpcContext => ({
      requestId: req.id,
      reply: res,
      caller: sessionCaller(services, req, res, {
        calls: info.calls.length,
        projectId: info.connectionParams?.['projectId'],
      }),
    }),
    onError({ error, req }) {
      if (isUnexpected(causeOf(error))) logUnexpected(services.log, error.cause ?? error, req.id);
    },
    responseMeta({ errors }) {
      const failures = errors.map((error) => failureOf(causeOf(error)));
      const headers = new Headers();
      if (failures.some(({ status }) => status === 401)) headers.set('www-authenticate', 'Bearer');
      const retryAfter = failures.map(({ details }) => details?.retryAfter).find(Number.isFinite);
      if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter));
      return { headers };
    },
  };
  void app.register(async (scope) => {
    answerFailures(scope, services.log, trpcBody);
    scope.addHook('onRequest', (request, _reply, done) => {
      assertSameSite(request.method, request.headers, services.config);
      done();
    });
    await scope.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions });
  });
}
