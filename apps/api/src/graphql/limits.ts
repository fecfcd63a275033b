import { AppError } from '@postrider/core/base/kernel';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isIntrospectionType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { isList, listSize, ownCost, sizeArgumentOf } from './field-cost.ts';
import { nestingOf } from './nesting.ts';
import type { GraphqlRequest } from './requests.ts';

/** Limits of one GraphQL request (behaviour B4.21). */
export const graphqlLimits = {
  depth: 12,
  aliases: 100,
  operations: 10,
  documentBytes: 100 * 1024,
  /** nesting of brackets of any kind, before the document is parsed */
  nesting: 200,
  /** fragments that spread fragments */
  fragments: 100,
  /** every field costs 1, an expensive operation more, times the size of the lists around it */
  cost: 10_000,
  /** what a subscription may cost for each event */
  eventCost: 500,
} as const;

interface Measure {
  depth: number;
  aliases: number;
  cost: number;
  rootFields: number;
  /** null without a subscription */
  eventCost: number | null;
}

/** The totals of a request. */
export interface RequestCost {
  /** root fields of the operations, which the rate limit counts */
  rootFields: number;
  requested: number;
  limit: number;
  subscribes: boolean;
}

const tooComplex = (message: string, details?: Record<string, unknown>): AppError =>
  new AppError('QUERY_TOO_COMPLEX', message, {
    suggestion: 'Request less data, or split it into several requests',
    ...(details ? { details } : {}),
  });

/**
 * Refuses a request that would cost too much, before it is validated or run.
 *
 * @throws AppError QUERY_TOO_COMPLEX
 */
export function assertAffordable(schema: GraphQLSchema, requests: readonly GraphqlRequest[]): RequestCost {
  const { depth, aliases, operations, documentBytes, nesting, cost } = graphqlLimits;
  if (requests.length > operations) throw tooComplex(`At most ${operations} operations in a batch`);
  const bytes = requests.reduce((sum, { query }) => sum + Buffer.byteLength(query), 0);
  if (bytes > documentBytes) throw tooComplex(`The document can have at most ${documentBytes} bytes`);
  if (requests.some(({ query }) => nestingOf(query) > nesting))
    throw tooComplex(`Brackets can be nested at most ${nesting} levels deep`);
  const measured = requests.map(({ query, variables }) => measure(schema, query, recordOf(variables)));
  if (measured.some((each) => each.depth > depth))
    throw tooComplex(`Fields can be nested at most ${depth} levels deep`);
  const sum = (key: 'aliases' | 'cost' | 'rootFields'): number =>
    measured.reduce((total, each) => total + each[key], 0);
  if (sum('aliases') > aliases) throw tooComplex(`At most ${aliases} aliases`);
  const requested = sum('cost');
  if (requested > cost)
    throw tooComplex(`This request has a cost of ${requested}. At most ${cost} is allowed`, {
      requested,
      limit: cost,
    });
  const subscriptions = measured.flatMap((each) => each.eventCost ?? []);
  assertAffordableEvents(Math.max(0, ...subscriptions));
  return { rootFields: sum('rootFields'), requested, limit: cost, subscribes: subscriptions.length > 0 };
}

/** A subscription runs its selection again for each event, long after the request was counted. */
function assertAffordableEvents(cost: number): void {
  const limit = graphqlLimits.eventCost;
  if (cost <= limit) return;
  throw tooComplex(`Each event of this subscription has a cost of ${cost}. At most ${limit} is allowed`, {
    cost,
    limit,
  });
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const nothing: Measure = { depth: 0, aliases: 0, cost: 0, rootFields: 0, eventCost: null };

function measure(schema: GraphQLSchema, query: string, variables: Record<string, unknown>): Measure {
  const document = parseOrNull(query);
  if (!document) return nothing;
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const walker = createWalker(schema, fragments, variables);
  return operations
    .map((operation) => {
      const type = schema.getRootType(operation.operation) ?? undefined;
      const measured = walker(operation.selectionSet, { type });
      return operation.operation === 'subscription' ? { ...measured, eventCost: measured.cost } : measured;
    })
    .reduce(add, nothing);
}

/** A document that does not parse costs nothing here: it is refused as malformed later. */
function parseOrNull(query: string) {
  try {
    return parse(query);
  } catch {
    return null;
  }
}

const add = (a: Measure, b: Measure): Measure => ({
  depth: Math.max(a.depth, b.depth),
  aliases: a.aliases + b.aliases,
  cost: a.cost + b.cost,
  rootFields: a.rootFields + b.rootFields,
  eventCost:
    a.eventCost === null && b.eventCost === null ? null : Math.max(a.eventCost ?? 0, b.eventCost ?? 0),
});

interface Place {
  type: GraphQLNamedType | undefined;
  /** the parent field determines the size of its list */
  sized?: boolean;
}

type Walk = (selections: SelectionSetNode, place: Place) => Measure;

/**
 * A fragment is measured once per kind of place, however often it is spread: otherwise nested spreads grow
 * exponentially.
 */
function createWalker(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Record<string, unknown>,
): Walk {
  const known = new Map<string, Measure>();
  let open = 0;

  const ofFragment = (name: string, sized: boolean): Measure => {
    const key = `${sized ? 'sized ' : ''}${name}`;
    const measured = known.get(key);
    if (measured) return measured;
    const fragment = fragments.get(name);
    if (!fragment) return nothing;
    if (open >= graphqlLimits.fragments)
      throw tooComplex(`Fragments can be nested at most ${graphqlLimits.fragments} levels deep`);
    // Used while the fragment itself is measured: validation refuses one that contains itself.
    known.set(key, nothing);
    open += 1;
    const type = schema.getType(fragment.typeCondition.name.value);
    const result = walk(fragment.selectionSet, { type, sized });
    open -= 1;
    known.set(key, result);
    return result;
  };

  const ofField = (field: FieldNode, { type: parent, sized = false }: Place): Measure => {
    // Introspection reads the schema in memory: its lists do not multiply the cost.
    const isRecord = isObjectType(parent) && !isIntrospectionType(parent);
    const definition = isRecord ? parent.getFields()[field.name.value] : undefined;
    const type = definition ? getNamedType(definition.type) : undefined;
    const inner = field.selectionSet
      ? walk(field.selectionSet, {
          type: isCompositeType(type) ? type : undefined,
          // The size of `edges` of a connection and `data` of a page is that of the parent field.
          sized: sizeArgumentOf(definition) !== undefined && !isList(definition),
        })
      : nothing;
    return {
      // Introspection has its own rule, which refuses recursion.
      depth: field.name.value.startsWith('__') ? 0 : inner.depth + 1,
      aliases: inner.aliases + (field.alias ? 1 : 0),
      cost: ownCost(definition) + inner.cost * listSize(field, definition, variables, sized),
      rootFields: 1,
      eventCost: null,
    };
  };

  const walk: Walk = (selections, place) =>
    selections.selections
      .map((selection) => {
        if (selection.kind === Kind.FIELD) return ofField(selection, place);
        if (selection.kind === Kind.FRAGMENT_SPREAD)
          return ofFragment(selection.name.value, place.sized ?? false);
        const condition = selection.typeCondition?.name.value;
        return walk(
          selection.selectionSet,
          condition === undefined ? place : { ...place, type: schema.getType(condition) },
        );
      })
      .reduce(add, nothing);

  return walk;
}
