import { type Resolve, type Schema, type Side, schemaChanges } from './schema-changes.ts';

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: Schema[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

/** The changes from one OpenAPI document to the other that break a client, as sentences that begin with method and path. */
export function openapiChanges(before: OpenApi, after: OpenApi): string[] {
  const resolvers = { before: resolverOf(before), after: resolverOf(after) };
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const next = after.paths[path]?.[method];
      const changes = next === undefined ? ['was removed'] : operationChanges(operation, next, resolvers);
      return changes.map((change) => `${method.toUpperCase()} ${path} ${change}`);
    }),
  );
}

interface Resolvers {
  before: Resolve;
  after: Resolve;
}

function operationChanges(before: Operation, after: Operation, resolvers: Resolvers): string[] {
  return [
    ...credentialChanges(before, after),
    ...parameterChanges(before, after, resolvers),
    ...contentChanges(before.requestBody?.content, after.requestBody?.content, 'input', resolvers).map(
      (change) => `request: ${change}`,
    ),
    ...Object.entries(before.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content }]) => {
        const next = after.responses[status];
        const changes = next
          ? contentChanges(content, next.content, 'output', resolvers)
          : ['it was removed'];
        return changes.map((change) => `response ${status}: ${change}`);
      }),
  ];
}

function credentialChanges(before: Operation, after: Operation): string[] {
  const ways = ({ security = [] }: Operation) => security.map((way) => Object.keys(way).sort().join(' and '));
  const now = ways(after);
  if (now.length === 0) return [];
  if (ways(before).length === 0) return ['now needs a credential'];
  return ways(before)
    .filter((way) => !now.includes(way))
    .map((way) => `no longer accepts ${way}`);
}

function parameterChanges(before: Operation, after: Operation, resolvers: Resolvers): string[] {
  const byName = ({ parameters = [] }: Operation, resolve: Resolve) =>
    new Map(parameters.map(resolve).map((each) => [`${each['in']} parameter ${each['name']}`, each]));
  const [old, now] = [byName(before, resolvers.before), byName(after, resolvers.after)];
  const changes = [...old].flatMap(([name, parameter]) => {
    const next = now.get(name);
    if (next === undefined) return [`${name} was removed`];
    const [from, to] = [parameter['schema'], next['schema']] as [Schema, Schema];
    return schemaChanges(from, to, { side: 'input', ...resolvers }).map((change) => `${name}: ${change}`);
  });
  const demanded = [...now].filter(([name, { required }]) => required && !old.get(name)?.['required']);
  return [...changes, ...demanded.map(([name]) => `${name} is now required`)];
}

function contentChanges(
  before: Operation['responses'][string]['content'],
  after: Operation['responses'][string]['content'],
  side: Side,
  resolvers: Resolvers,
): string[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema = {} }]) => {
    const next = after?.[type];
    if (next === undefined) return [`${type} was removed`];
    return schemaChanges(schema, next.schema ?? {}, { side, ...resolvers });
  });
}

/** Follows a reference such as `#/components/schemas/Contact` within its document. */
function resolverOf(document: OpenApi): Resolve {
  return function resolve(schema): Schema {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const found = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Schema | undefined)?.[key], document);
    if (found === undefined) throw new Error(`${$ref} is not in the document`);
    return resolve(found as Schema);
  };
}
