import { distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import type { FieldError } from './errors.ts';
import { acceptedBy, fieldsReadBy, formJudgedLater } from './fields.ts';
import { innerSchemas } from './inner-schemas.ts';

/**
 * What a schema describes at one place of the input, reduced to names: an object's fields, a list's elements, the forms of a union,
 * or `open` where anything is accepted. Values are zod's matter.
 */
type Node =
  | { kind: 'open' }
  | { kind: 'list'; element: () => readonly Node[] }
  | { kind: 'object'; fields: ReadonlyMap<string, () => readonly Node[]> }
  | { kind: 'variants'; by: string; nodesOf: (value: unknown) => readonly Node[] };

type Schema = z.core.$ZodType;

const known = new WeakMap<Schema, readonly Node[]>();

/** The forms that a schema accepts; several for a union, none for what has no fields. Children are made by their first use, as forms may be recursive. */
function nodesOf(schema: Schema): readonly Node[] {
  const made = known.get(schema);
  if (made) return made;
  const nodes = makeNodes(schema);
  known.set(schema, nodes);
  return nodes;
}

function makeNodes(schema: Schema): readonly Node[] {
  if (formJudgedLater(schema)) return [{ kind: 'open' }];
  const fields = fieldsReadBy(schema as z.ZodType);
  if (fields !== undefined) return nodesOf(fields);
  const nodes = structureOf(schema as z.core.$ZodTypes);
  if (!nodes.some(({ kind }) => kind === 'open')) return nodes;
  // Read by hand: the form that the API reference shows says what it accepts.
  const form = acceptedBy(schema as z.ZodType);
  return form === undefined ? nodes : nodesOf(form);
}

function structureOf(schema: z.core.$ZodTypes): readonly Node[] {
  const { def } = schema._zod;
  const variants = def.type === 'union' ? variantsOf(schema as z.core.$ZodUnion) : null;
  if (variants) return variants;
  const inner = innerSchemas(schema);
  if (inner) return inner.flatMap(nodesOf);
  switch (def.type) {
    case 'object': {
      const rest = def.catchall?._zod.def.type;
      if (rest !== undefined && rest !== 'never') return [{ kind: 'open' }];
      const fields = Object.entries(def.shape).map(([name, field]) => [name, () => nodesOf(field)] as const);
      return [{ kind: 'object', fields: new Map(fields) }];
    }
    case 'array':
      return [{ kind: 'list', element: () => nodesOf(def.element) }];
    case 'record':
    case 'map':
    case 'tuple':
    case 'any':
    case 'unknown':
    case 'custom':
      return [{ kind: 'open' }];
    default:
      return [];
  }
}

/** The options of a discriminated union by the value that selects one: the fields of another option are unknown. */
function variantsOf(schema: z.core.$ZodUnion): readonly Node[] | undefined {
  const { options, ...def } = schema._zod.def;
  const by = 'discriminator' in def ? def.discriminator : undefined;
  if (typeof by !== 'string') return undefined;
  const optionOf = (value: unknown) =>
    options.find((option) => option._zod.propValues?.[by]?.has(value as z.core.util.Primitive));
  return [
    {
      kind: 'variants',
      by,
      nodesOf(value) {
        const option = optionOf(value);
        return option === undefined ? [{ kind: 'open' }] : nodesOf(option);
      },
    },
  ];
}

/** How a schema names its fields at one object: of several forms, the fields of all. */
function expand(nodes: readonly Node[], value: object): readonly Node[] {
  if (!nodes.some(({ kind }) => kind === 'variants')) return nodes;
  return nodes.flatMap((node) =>
    node.kind === 'variants' ? node.nodesOf((value as Record<string, unknown>)[node.by]) : [node],
  );
}

const none: readonly Node[] = [];

/** Each form once: two forms of a level that nest the same tree would otherwise be four below it, and so on. */
function below(nodes: readonly Node[], childrenOf: (node: Node) => readonly Node[]): readonly Node[] {
  const [only, other] = nodes;
  if (only === undefined) return none;
  return other === undefined ? childrenOf(only) : [...new Set(nodes.flatMap(childrenOf))];
}

const elementsOf = (nodes: readonly Node[]): readonly Node[] =>
  below(nodes, (node) => (node.kind === 'list' ? node.element() : none));

const fieldOf = (nodes: readonly Node[], name: string): readonly Node[] =>
  below(nodes, (node) => (node.kind === 'object' ? (node.fields.get(name)?.() ?? none) : none));

const names = (nodes: readonly Node[], name: string): boolean =>
  nodes.some((node) => node.kind === 'object' && node.fields.has(name));

/**
 * The fields of an input that its schema does not describe, at every level (behaviour B1.1). Costs time in proportion to the input,
 * whose depth the caller has limited. Names that begin with `_` are not looked at, and neither are fields of `returned`: clients
 * may send back a record as they got it.
 *
 * @param returned schema of the record that the endpoint returns
 * @param limit how many are listed at most
 */
export function unknownFieldsOf(
  schema: z.ZodType,
  input: unknown,
  returned: z.ZodType | undefined,
  limit: number,
): FieldError[] {
  const errors: FieldError[] = [];
  const path: (string | number)[] = [];

  const within = (key: string | number, value: unknown, nodes: readonly Node[], echo: readonly Node[]) => {
    path.push(key);
    walk(value, nodes, echo);
    path.pop();
  };

  const walk = (value: unknown, accepted: readonly Node[], echoed: readonly Node[]): void => {
    if (!hasFields(value)) return;
    const nodes = expand(accepted, value);
    if (nodes.length === 0 || nodes.some(({ kind }) => kind === 'open')) return;
    const echo = expand(echoed, value);
    if (Array.isArray(value)) {
      const [elements, echoedElements] = [elementsOf(nodes), elementsOf(echo)];
      for (let index = 0; index < value.length && errors.length < limit; index += 1) {
        within(index, value[index], elements, echoedElements);
      }
      return;
    }
    // A list was expected: its type is the problem, not its fields.
    if (!nodes.some(({ kind }) => kind === 'object')) return;
    for (const name of Object.keys(value)) {
      const item = (value as Record<string, unknown>)[name];
      if (errors.length >= limit) return;
      if (name.startsWith('_')) continue;
      if (names(nodes, name)) {
        if (hasFields(item)) within(name, item, fieldOf(nodes, name), fieldOf(echo, name));
      } else if (!names(echo, name)) errors.push(unknownField([...path, name], namesOf(nodes)));
    }
  };

  walk(input, nodesOf(schema), returned ? nodesOf(returned) : []);
  return errors;
}

/** A value with fields or elements; most are not. */
const hasFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date);

const namesOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => (node.kind === 'object' ? [...node.fields.keys()] : []));

/** One unknown field, with the known one that was probably meant. */
export function unknownField(path: readonly (string | number)[], fields: readonly string[]): FieldError {
  const meant = meantBy(String(path.at(-1)), fields);
  return {
    field: path.join('.'),
    message: meant === undefined ? 'Unknown field' : `Unknown field; did you mean "${meant}"?`,
    code: 'unsupported_field',
  };
}

/** Longest name that is compared: ours are shorter. */
const longestName = 60;
const mostLetters = 2;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** The field that was probably meant: the same but for case, `_` and `-`; one that other services call so; or one with at most two other letters. */
function meantBy(name: string, fields: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined;
  const given = plain(name);
  const same = fields.find((field) => plain(field) === given);
  if (same !== undefined) return same;
  const foreign = foreignNames.get(given);
  const known = fields.find((field) => foreign?.includes(field));
  if (known !== undefined) return known;
  let nearest: string | undefined;
  let least = mostLetters + 1;
  for (const field of fields) {
    const letters = distance(given, plain(field));
    // Two letters make any short name out of any other.
    if (letters < least && letters * 2 <= field.length && field.length > 2)
      [nearest, least] = [field, letters];
  }
  return nearest;
}

/** Names that other services use for fields of ours, without case, `_` and `-`. */
const foreignNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    categories: ['tags'],
    content: ['body'],
    customargs: ['metadata'],
    deliverat: ['scheduledAt', 'scheduledFor'],
    dynamictemplatedata: ['data'],
    emailaddress: ['email', 'to'],
    fromemail: ['from'],
    html: ['body'],
    htmlbody: ['body'],
    mail: ['email'],
    plain: ['text'],
    properties: ['data'],
    recipient: ['to', 'email'],
    recipients: ['to', 'emails'],
    reply: ['replyTo'],
    replyto: ['reply'],
    scheduledat: ['scheduledFor'],
    scheduledfor: ['scheduledAt'],
    sendat: ['scheduledAt', 'scheduledFor'],
    templateid: ['template'],
    textbody: ['text'],
    toaddress: ['to', 'email'],
    toemail: ['to', 'email'],
    unsubscribed: ['subscribed'],
    variables: ['data'],
  }),
);
