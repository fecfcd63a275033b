import type { GraphQLObjectType } from 'graphql';
import { makeContracts } from '../src/contract/make-contracts.ts';
import { schema } from '../src/graphql/schema.ts';
import { appRouter } from '../src/trpc/root.router.ts';

/** The names of all operations of a door. */
export async function mountedOperations(): Promise<Record<'rest' | 'trpc' | 'graphql', Set<string>>> {
  const contracts = await makeContracts();
  const openapi = JSON.parse(contracts.find(({ file }) => file === 'openapi.json')?.text ?? '{}') as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const rest = Object.values(openapi.paths).flatMap((path) =>
    Object.values(path).map((each) => each.operationId),
  );
  const procedures = Object.values(appRouter._def.procedures) as unknown as {
    _def: { meta?: { operation: string } };
  }[];
  const fields = Object.values(schema.getTypeMap())
    .filter((type): type is GraphQLObjectType => 'getInterfaces' in type && 'getFields' in type)
    .flatMap((type) => Object.values(type.getFields()));
  return {
    rest: new Set(rest),
    trpc: new Set(procedures.flatMap(({ _def }) => (_def.meta ? [_def.meta.operation] : []))),
    graphql: new Set(
      fields.flatMap(({ extensions }) =>
        typeof extensions['operation'] === 'string' ? [extensions['operation']] : [],
      ),
    ),
  };
}
