import type { Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';
import { gate } from '../access/gate.ts';
import { answerFailures } from '../plugins/failures.ts';
import { readJsonBodies } from '../plugins/json-body.ts';
import { graphqlBody } from './errors.ts';
import { sendGraphiql, wantsGraphiql } from './graphiql.ts';
import type { GraphqlDoor } from './graphql-door.ts';
import { graphqlPermission } from './permission.ts';

const config = { door: 'GRAPHQL' } as const;

/**
 * `POST /graphql`, and `GET` for queries, with a secret key; `GET` from a browser is GraphiQL. HTTP failures (key,
 * limits, body) are the same as in REST, in GraphQL's format. No cookie counts here, so that other sites cannot make
 * requests: a key has to be sent in a header.
 */
export function openGraphqlDoor(app: FastifyInstance, services: Services): void {
  let opened: Promise<GraphqlDoor> | undefined;
  const door = (): Promise<GraphqlDoor> => {
    opened ??= import('./graphql-door.ts').then(({ createGraphqlDoor }) => createGraphqlDoor(services));
    return opened;
  };
  const admit = gate(services, {
    credential: 'secret-key',
    permission: graphqlPermission,
    needsProject: true,
    // Queries also work on a disabled project; each mutation refuses by itself.
    changes: false,
  });
  // Subscriptions would otherwise keep their connections open until the end of the shutdown.
  app.addHook('preClose', () => services.live.close());
  void app.register(async (scope) => {
    readJsonBodies(scope, { arrays: true, keep: true });
    answerFailures(scope, services.log, graphqlBody);
    scope.post('/graphql', { onRequest: admit, config }, async (request, reply) =>
      (await door()).post(request, reply),
    );
    scope.get(
      '/graphql',
      {
        onRequest: async (request, reply) => (wantsGraphiql(request) ? undefined : admit(request, reply)),
        config,
      },
      async (request, reply) =>
        wantsGraphiql(request) ? sendGraphiql(reply) : (await door()).get(request, reply),
    );
  });
}
