import { findReuse } from '@postrider/core/base/idempotency';
import {
  assertPermission,
  assertProjectEnabled,
  badRequest,
  type Context,
  type Operation,
  projectIdOf,
} from '@postrider/core/base/kernel';
import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { badIdempotencyKey, isIdempotencyKey } from '../access/idempotency.ts';
import type { RequestKeys } from './builder.ts';
import type { GraphqlRequest } from './requests.ts';

/** The argument of mutations that can be made safe to repeat (behaviour B8.4). */
export const keyArgument = 'idempotencyKey';

export const keyArgumentText =
  'Makes a retry safe: 1 to 255 printable ASCII characters, unique within the project for 24 hours. Without it, the header `Idempotency-Key` counts.';

const keyedMutations = new Set<string>();

/** Declares a mutation that takes the argument. */
export const declareKeyed = (field: string): void => void keyedMutations.add(field);

/**
 * The header of a request counts for its one mutation that takes a key and has none.
 *
 * @returns whether a mutation of the request has a key, by the header or an argument
 * @throws AppError BAD_REQUEST for a malformed header, and for one that would belong to no mutation, or to several
 */
export function assertKeyHeader(requests: readonly GraphqlRequest[], header: string | undefined): boolean {
  const mentioned = requests.some(({ query }) => query.includes(keyArgument));
  if (header === undefined && !mentioned) return false;
  if (header !== undefined && !isIdempotencyKey(header)) throw badIdempotencyKey();
  const mutations = requests.flatMap(keyedFieldsOf);
  const open = mutations.filter(({ hasKey }) => !hasKey).length;
  if (header !== undefined && open !== 1) {
    throw badRequest(
      open === 0
        ? 'No mutation of this request takes the header Idempotency-Key'
        : `The header Idempotency-Key would count for ${open} mutations of this request`,
      { suggestion: `Give each mutation the argument ${keyArgument} instead of the header` },
    );
  }
  return mutations.length > 0;
}

/** The mutations of a request that take a key and are run, once by their name in the response. */
function keyedFieldsOf({ query, variables, operationName }: GraphqlRequest): { hasKey: boolean }[] {
  const document = documentOf(query);
  const operations = document.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const operation =
    typeof operationName === 'string'
      ? operations.find(({ name }) => name?.value === operationName)
      : operations[0];
  if (operation?.operation !== OperationTypeNode.MUTATION) return [];
  const read = readerOf(operation, variables);
  const fragments = new Map(
    document.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const found = new Map<string, { hasKey: boolean }>();
  const spread = new Set<string>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (isLeftOut(selection, read)) continue;
      if (selection.kind === Kind.FIELD) note(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) visit(fragment);
      }
    }
  };
  const note = ({ name, alias, arguments: given = [] }: FieldNode): void => {
    if (!keyedMutations.has(name.value)) return;
    const argument = given.find((each) => each.name.value === keyArgument);
    const value = argument && read(argument.value);
    found.set((alias ?? name).value, { hasKey: value !== undefined && value !== null });
  };
  visit(operation.selectionSet);
  return [...found.values()];
}

/** One that does not parse is refused later. */
function documentOf(query: string) {
  try {
    return parse(query).definitions;
  } catch {
    return [];
  }
}

type Reader = (node: ValueNode) => unknown;

function readerOf({ variableDefinitions = [] }: OperationDefinitionNode, variables: unknown): Reader {
  const given = new Map(Object.entries((variables ?? {}) as Record<string, unknown>));
  const defaults = new Map(
    variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );
  const reader: Reader = (node) => {
    if (node.kind === Kind.NULL) return null;
    if (node.kind === Kind.VARIABLE) {
      const name = node.name.value;
      if (given.has(name)) return given.get(name);
      const byDefault = defaults.get(name);
      return byDefault && reader(byDefault);
    }
    return 'value' in node ? node.value : node;
  };
  return reader;
}

function isLeftOut({ directives = [] }: Pick<FieldNode, 'directives'>, read: Reader): boolean {
  return directives.some(({ name, arguments: [condition] = [] }) => {
    const value = condition && read(condition.value);
    return (name.value === 'skip' && value === true) || (name.value === 'include' && value === false);
  });
}

/**
 * The context of a mutation with a key. As in REST, a key that was used before is refused before the input is read.
 *
 * @throws AppError BAD_REQUEST for a malformed key; IDEMPOTENCY_KEY_REUSED
 */
export async function withKey(
  ctx: Context,
  operation: Operation,
  given: string | null | undefined,
  keys: RequestKeys | undefined,
): Promise<Context> {
  const idempotencyKey = given ?? keys?.header;
  if (idempotencyKey === undefined) return ctx;
  assertPermission(ctx.actor, operation.permission);
  assertProjectEnabled(ctx);
  if (!isIdempotencyKey(idempotencyKey)) throw badIdempotencyKey();
  const refusal = await findReuse(ctx, projectIdOf(ctx), idempotencyKey);
  if (refusal) throw refusal;
  return {
    ...ctx,
    request: {
      ...ctx.request,
      idempotencyKey,
      label: 'POST /graphql',
      successStatus: 200,
      bodyDigest: keys?.bodyDigest,
    },
  };
}
