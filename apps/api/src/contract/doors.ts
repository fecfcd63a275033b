import { operationRegistry } from '@postrider/core/base/kernel';
import type { GraphQLObjectType } from 'graphql';
import { schema } from '../graphql/schema.ts';
import type { Endpoint } from '../rest/endpoint.ts';
import { appRouter } from '../trpc/root.router.ts';

/** What each door calls an operation, by the name of the operation. An operation may have several names at a door. */
export interface Doors {
  rest: Map<string, string[]>;
  trpc: Map<string, string[]>;
  graphql: Map<string, string[]>;
  sdk: Map<string, string[]>;
  mcp: Map<string, string[]>;
}

export function doorsOf(endpoints: readonly Endpoint[]): Doors {
  const mounted = endpoints.flatMap((endpoint) => {
    const operation =
      endpoint.operation ?? (operationRegistry.has(endpoint.name) ? endpoint.name : undefined);
    return operation === undefined ? [] : [{ ...endpoint, operation }];
  });
  const callable = mounted.filter(({ credential }) => /key|secret/.test(credential));
  return {
    rest: named(mounted.map(({ operation, method, path }) => [operation, `${method} ${path}`])),
    trpc: named(procedures()),
    graphql: named(fields()),
    sdk: named(callable.map(({ operation, name }) => [operation, name])),
    mcp: named(callable.filter(isTool).map(({ operation, name }) => [operation, name.replace('.', '_')])),
  };
}

/** Tools exchange JSON: no files, and no event of a visitor, for which a public key is needed. */
const isTool = ({ form, produces, credential }: Endpoint): boolean =>
  form === undefined && produces === 'application/json' && credential !== 'public-key';

function named(pairs: readonly (readonly [operation: string, name: string])[]): Map<string, string[]> {
  const groups = Map.groupBy(pairs, ([operation]) => operation);
  return new Map([...groups].map(([operation, found]) => [operation, found.map(([, name]) => name)]));
}

function procedures(): [string, string][] {
  const all = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { meta?: { operation: string } } }
  >;
  return Object.entries(all).flatMap(([name, { _def }]): [string, string][] =>
    _def.meta ? [[_def.meta.operation, name]] : [],
  );
}

function fields(): [string, string][] {
  return Object.values(schema.getTypeMap())
    .filter((type): type is GraphQLObjectType => 'getInterfaces' in type && 'getFields' in type)
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap(({ name, extensions: { operation } }): [string, string][] =>
        typeof operation === 'string'
          ? [[operation, /^(Query|Mutation)$/.test(type.name) ? name : `${type.name}.${name}`]]
          : [],
      ),
    );
}
