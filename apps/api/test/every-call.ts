import { readFileSync } from 'node:fs';
import { type Operation, operationRegistry, type Services } from '@postrider/core/base/kernel';
import { fastify } from 'fastify';
import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { contractsFolder } from '../src/contract/make-contracts.ts';
import { schema } from '../src/graphql/schema.ts';
import { openRestDoor } from '../src/rest/rest.routes.ts';
import { appRouter } from '../src/trpc/root.router.ts';
import { examplesOf, type Json, resolved } from './openapi-walk.ts';

/** One way to call an operation: a path, a procedure, or a root field. Derived from the doors, so that new ones are included. */
export interface Call {
  /** such as `REST GET /contacts/:id`, `tRPC contacts.get`, `GraphQL query contact` */
  name: string;
  door: 'REST' | 'tRPC' | 'GraphQL';
  operation: Operation;
  /** `mutation` and `subscription` for GraphQL fields that are no query, `other` for the rest */
  root: 'query' | 'mutation' | 'subscription' | 'other';
  /** REST only */
  method: string;
  /** the path parameter that names the project itself */
  projectParam: string | null;
  requestOf(input: Json): { method: string; url: string; payload?: object };
}

const document: Json = JSON.parse(readFileSync(new URL('openapi.json', contractsFolder), 'utf8'));

/** Stand-in for a record that does not exist. */
export const unknownId = '01a1fbbb-6049-7208-955a-65aac1f35b72';

export function operationNamed(name: string): Operation {
  const operation = operationRegistry.get(name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  return operation;
}

/** The REST paths of the product, those without an operation included. */
export function restEndpoints(services: Services) {
  return openRestDoor(fastify(), services).endpoints;
}

export function everyCall(services: Services): Call[] {
  return [...restCalls(services), ...trpcCalls(), ...graphqlCalls()];
}

function restCalls(services: Services): Call[] {
  return restEndpoints(services).flatMap(({ method, path, operation, from }): Call[] => {
    if (operation === undefined) return [];
    return [
      {
        name: `REST ${method} ${path}`,
        door: 'REST',
        operation: operationNamed(operation),
        root: 'other',
        method,
        projectParam: /^\/(users\/@me\/)?projects\/:id|^\/domains\/project\/:projectId/.test(path)
          ? (/:(\w+)/.exec(path)?.[1] ?? null)
          : null,
        requestOf(input) {
          const rest: Json = { ...input };
          const url = path.replaceAll(/:(\w+)/g, (_all, name: string) => {
            const value = rest[name] ?? (/id$/i.test(name) ? unknownId : 'x');
            delete rest[name];
            return encodeURIComponent(asText(value).toWellFormed());
          });
          if (from === 'body') return { method, url, payload: rest };
          const query = new URLSearchParams();
          for (const [name, value] of Object.entries<Json>(rest))
            if (value !== null && value !== undefined) query.set(name, asText(value));
          return { method, url: query.size === 0 ? url : `${url}?${query}` };
        },
      },
    ];
  });
}

const asText = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Without subscriptions, like those of GraphQL: they have tests of their own, and call no operation but check its permission. */
function trpcCalls(): Call[] {
  const procedures = Object.entries(appRouter._def.procedures) as unknown as [
    string,
    { _def: { type: 'query' | 'mutation' | 'subscription'; meta?: { operation: string } } },
  ][];
  return procedures.flatMap(([path, { _def }]): Call[] => {
    if (_def.type === 'subscription') return [];
    if (!_def.meta) throw new Error(`${path} names no operation`);
    return [
      {
        name: `tRPC ${path}`,
        door: 'tRPC',
        operation: operationNamed(_def.meta.operation),
        root: _def.type,
        method: _def.type === 'query' ? 'GET' : 'POST',
        projectParam: null,
        requestOf: (input) =>
          _def.type === 'query'
            ? {
                method: 'GET',
                url: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input).toWellFormed())}`,
              }
            : { method: 'POST', url: `/trpc/${path}`, payload: input },
      },
    ];
  });
}

function graphqlCalls(): Call[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  return roots.flatMap(([root, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field): Call[] => {
      const name = field.extensions['operation'];
      if (typeof name !== 'string') return [];
      return [
        {
          name: `GraphQL ${root} ${field.name}`,
          door: 'GraphQL',
          operation: operationNamed(name),
          root,
          method: 'POST',
          projectParam: null,
          requestOf: (input) => ({
            method: 'POST',
            url: '/graphql',
            payload: graphqlRequest(root, field, input),
          }),
        },
      ];
    }),
  );
}

function graphqlRequest(root: string, field: GraphQLField<unknown, unknown>, input: Json): object {
  const variables: Json = {};
  const used = field.args.filter(({ name, type }) => {
    const value = valueFor(type, name === 'input' ? input : input[name]);
    if (value !== undefined) variables[name] = value;
    return value !== undefined;
  });
  const declared = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const given = used.map(({ name }) => `${name}: $${name}`).join(', ');
  const result = isLeafType(unwrapped(field.type)) ? '' : ` { ${selectionOf(field)} }`;
  const query = `${root}${declared ? ` (${declared})` : ''} { ${field.name}${given ? `(${given})` : ''}${result} }`;
  return { query, variables };
}

/** All fields of a record that are values, and those of the records of a list. */
function selectionOf(field: GraphQLField<unknown, unknown>): string {
  const type = unwrapped(field.type);
  const fields: Record<string, GraphQLField<unknown, unknown>> = 'getFields' in type ? type.getFields() : {};
  const plain = (of: typeof fields) =>
    Object.values(of).flatMap((each) =>
      isLeafType(unwrapped(each.type)) && each.args.length === 0 && !each.extensions['operation']
        ? [each.name]
        : [],
    );
  const edges = fields['edges'] && unwrapped(fields['edges'].type);
  const node = edges && 'getFields' in edges && edges.getFields()['node'];
  if (node) return `edges { node { ${selectionOf(node as GraphQLField<unknown, unknown>)} } }`;
  return ['__typename', ...plain(fields)].join(' ');
}

// biome-ignore lint/suspicious/noExplicitAny: the wrappers of GraphQL's types do not narrow
const unwrapped = (type: any): any => ('ofType' in type ? unwrapped(type.ofType) : type);

/** A value that the type accepts: the given one as far as it fits, otherwise the simplest for what is required. */
function valueFor(type: GraphQLInputType, given: Json): Json {
  if (isNonNullType(type)) return valueFor(type.ofType, given) ?? simplest(type.ofType);
  if (given === undefined || given === null) return undefined;
  if (isListType(type))
    return Array.isArray(given) ? given.map((item) => valueFor(type.ofType, item)) : undefined;
  if (isInputObjectType(type)) {
    if (typeof given !== 'object') return undefined;
    const fields = Object.values(type.getFields()).map((each): [string, Json] => [
      each.name,
      valueFor(each.type, given[each.name]),
    ]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  if (isEnumType(type)) return typeof given === 'string' && type.getValue(given) ? given : undefined;
  return given;
}

function simplest(type: GraphQLInputType): Json {
  if (isListType(type)) return [];
  if (isInputObjectType(type)) return valueFor(type, {});
  if (isEnumType(type)) return type.getValues()[0]?.name;
  const values: Record<string, Json> = { ID: unknownId, Int: 1, Float: 1, Boolean: true };
  return 'name' in type ? (values[type.name] ?? 'x') : {};
}

/** The examples with all fields. */
function withoutSmallest({ examples, ...media }: Json): Json {
  if (examples === undefined) return media;
  const { smallest: _smallest, ...whole } = examples;
  return { ...media, examples: whole };
}

/** A value for a parameter that has no example, because none is right for all: an id, or a date. */
function standInFor({ description = '', schema }: Json): Json {
  const { format } = resolved(document, schema);
  // An id, or an alias in its place.
  if (format === 'uuid' || description.startsWith('Id or alias of'))
    return '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90';
  return format === 'date-time' ? '2026-03-01T09:30:00.000Z' : undefined;
}

/** The inputs that the API reference shows for an operation; none for one without a path in REST. */
export function exampleInputs({ name }: Operation): Json[] {
  for (const methods of Object.values<Json>(document.paths))
    for (const each of Object.values<Json>(methods)) {
      if (each.operationId !== name) continue;
      const given: Json = {};
      for (const reference of each.parameters ?? []) {
        const parameter = resolved(document, reference);
        if (parameter.in !== 'header') given[parameter.name] = parameter.example ?? standInFor(parameter);
      }
      const content = each.requestBody?.content['application/json'];
      const bodies = content ? examplesOf(document, withoutSmallest(content)) : [{}];
      return bodies.map((body) => ({ ...given, ...body }));
    }
  return [];
}
