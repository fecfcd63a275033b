import { type FieldNode, type GraphQLField, isListType, isNonNullType, Kind } from 'graphql';

/** Arguments that determine the size of a list: its default, and the maximum of the operation. */
const sizeArguments: Record<string, { fallback: number; max: number }> = {
  first: { fallback: 20, max: 100 },
  pageSize: { fallback: 20, max: 100 },
  limit: { fallback: 100, max: 500 },
  ids: { fallback: 100, max: 100 },
};

/** The assumed size of a list without such an argument. */
const unsizedList = 20;

/** Operations that cost much more than one query, with their cost relative to a plain field. */
const operationCosts: Record<string, number> = {
  'sending.previewEmail': 500,
  'sending.previewContent': 500,
  'sending.getEmailSource': 500,
  'segments.count': 200,
  'segments.contactsOfEach': 50,
  'templates.usageOfMany': 20,
  'segments.ofEach': 5,
  'campaigns.test': 500,
  'campaigns.audience': 200,
  'campaigns.previewAudience': 200,
  'campaigns.preflight': 500,
  'campaigns.preflightDraft': 500,
  'campaigns.listCalendar': 200,
  'workflows.simulate': 2_000,
  'segments.compute': 500,
  'segments.refresh': 200,
  'contacts.verifyAddress': 200,
  'domains.verify': 200,
  'domains.health': 200,
};

type Definition = GraphQLField<unknown, unknown> | undefined;

/** The cost of a field by itself. */
export function ownCost(definition: Definition): number {
  const operation = definition?.extensions['operation'];
  return typeof operation === 'string' ? (operationCosts[operation] ?? 1) : 1;
}

/** The name of the argument that determines the size of a field's list, if any. */
export const sizeArgumentOf = (definition: Definition): string | undefined =>
  definition?.args.find(({ name }) => name in sizeArguments)?.name;

export function isList(definition: Definition): boolean {
  if (!definition) return false;
  return isListType(isNonNullType(definition.type) ? definition.type.ofType : definition.type);
}

/**
 * The maximum number of records that a list field may return. A value that is not a number counts as the default, as
 * in the operation; `sized`: the parent field determines the size.
 */
export function listSize(
  field: FieldNode,
  definition: Definition,
  variables: Record<string, unknown>,
  sized: boolean,
): number {
  const argument = sizeArgumentOf(definition);
  const size = argument === undefined ? undefined : sizeArguments[argument];
  if (!size) return isList(definition) && !sized ? unsizedList : 1;
  const value = field.arguments?.find(({ name }) => name.value === argument)?.value;
  if (!value) return size.fallback;
  const given =
    value.kind === Kind.VARIABLE
      ? numberOf(variables[value.name.value] ?? size.max)
      : value.kind === Kind.INT
        ? Number(value.value)
        : value.kind === Kind.LIST
          ? value.values.length
          : size.fallback;
  return Number.isFinite(given) ? Math.min(size.max, Math.max(1, given)) : size.fallback;
}

/** The length of a list. Not a number for a value of any other type: an object may not even convert to text. */
const numberOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.length
    : typeof value === 'number' || typeof value === 'string'
      ? Number(value)
      : Number.NaN;
