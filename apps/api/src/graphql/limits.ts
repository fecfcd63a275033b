import { AppError } from '@postrider/core/kernel';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';

/** Limits of one GraphQL request (behaviour B4.21). */
export const graphqlLimits = {
  depth: 12,
  aliases: 100,
  operations: 10,
  documentBytes: 100 * 1024,
  /** every field costs 1, times the size of the lists that it stands in */
  cost: 10_000,
} as const;

export interface GraphqlRequest {
  query: string;
  variables: unknown;
}

interface Measure {
  depth: number;
  aliases: number;
  cost: number;
}

const tooComplex = (message: string): AppError =>
  new AppError('QUERY_TOO_COMPLEX', message, { suggestion: 'Ask for less at once, or in several requests' });

/**
 * Refuses what would cost too much, before anything of it is validated or run.
 *
 * @throws AppError QUERY_TOO_COMPLEX
 */
export function assertAffordable(schema: GraphQLSchema, requests: readonly GraphqlRequest[]): void {
  const { depth, aliases, operations, documentBytes, cost } = graphqlLimits;
  if (requests.length > operations) throw tooComplex(`At most ${operations} operations in a batch`);
  const bytes = requests.reduce((sum, { query }) => sum + Buffer.byteLength(query), 0);
  if (bytes > documentBytes) throw tooComplex(`The document may have at most ${documentBytes} bytes`);
  const measured = requests.map(({ query, variables }) => measure(schema, query, recordOf(variables)));
  if (measured.some((each) => each.depth > depth))
    throw tooComplex(`Fields may be nested at most ${depth} deep`);
  const sum = (key: keyof Measure): number => measured.reduce((total, each) => total + each[key], 0);
  if (sum('aliases') > aliases) throw tooComplex(`At most ${aliases} aliases`);
  if (sum('cost') > cost) throw tooComplex(`This request costs ${sum('cost')}, at most ${cost} is allowed`);
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const nothing: Measure = { depth: 0, aliases: 0, cost: 0 };

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
    .map((operation) => walker(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined))
    .reduce(add, nothing);
}

/** What does not parse costs nothing here: it is refused as malformed when it is run. */
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
});

type Walk = (selections: SelectionSetNode, type: GraphQLNamedType | undefined) => Measure;

/** A fragment is measured once, however often it is spread: spreads of spreads grow without bound otherwise. */
function createWalker(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Record<string, unknown>,
): Walk {
  const known = new Map<string, Measure>();

  const ofFragment = (name: string): Measure => {
    const measured = known.get(name);
    if (measured) return measured;
    const fragment = fragments.get(name);
    if (!fragment) return nothing;
    // Stands in while the fragment itself is measured: one that reaches itself is refused by validation.
    known.set(name, nothing);
    const result = walk(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    known.set(name, result);
    return result;
  };

  const ofField = (field: FieldNode, parent: GraphQLNamedType | undefined): Measure => {
    const definition = isObjectType(parent) ? parent.getFields()[field.name.value] : undefined;
    const type = definition ? getNamedType(definition.type) : undefined;
    const inner = field.selectionSet
      ? walk(field.selectionSet, isCompositeType(type) ? type : undefined)
      : nothing;
    const sizes = definition?.args.some(({ name }) => name === 'first' || name === 'pageSize') ?? false;
    return {
      depth: inner.depth + 1,
      aliases: inner.aliases + (field.alias ? 1 : 0),
      cost: 1 + inner.cost * (sizes ? listSize(field, variables) : 1),
    };
  };

  const walk: Walk = (selections, type) =>
    selections.selections
      .map((selection) => {
        if (selection.kind === Kind.FIELD) return ofField(selection, type);
        if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
        const condition = selection.typeCondition?.name.value;
        return walk(selection.selectionSet, condition === undefined ? type : schema.getType(condition));
      })
      .reduce(add, nothing);

  return walk;
}

const defaultListSize = 20;
const maxListSize = 100;

/** How many records a list field may answer with; what is no number counts as the default, as the operation does. */
function listSize(field: FieldNode, variables: Record<string, unknown>): number {
  const value = field.arguments?.find(
    ({ name }) => name.value === 'first' || name.value === 'pageSize',
  )?.value;
  if (!value) return defaultListSize;
  const given =
    value.kind === Kind.VARIABLE
      ? Number(variables[value.name.value] ?? maxListSize)
      : value.kind === Kind.INT
        ? Number(value.value)
        : defaultListSize;
  return Number.isFinite(given) ? Math.min(maxListSize, Math.max(1, given)) : defaultListSize;
}
