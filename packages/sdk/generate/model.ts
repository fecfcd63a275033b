import { type Callable, type CallableOperation, type Schema, sentenceOf } from './callable.ts';
import { type Traits, traitsOf } from './traits.ts';

/** The contract as the types and methods of any language: what the emitters for Python and Go write. */

export type Type =
  | { kind: 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'any' | 'file' }
  | { kind: 'list' | 'map' | 'nullable'; of: Type }
  | { kind: 'union'; of: Type[] }
  | { kind: 'named'; name: string };

export interface Field {
  name: string;
  type: Type;
  required: boolean;
  description: string;
}

interface Declared {
  name: string;
  description: string;
}
export type Declaration = Declared &
  (
    | { kind: 'object'; fields: Field[]; isOpen: boolean }
    | { kind: 'enum'; values: string[]; names: string[] }
    | { kind: 'union'; of: Type[] }
    /** Its property `tag` tells which of the objects it is. */
    | { kind: 'tagged'; tag: string; cases: { value: string; name: string }[] }
    | { kind: 'alias'; type: Type }
  );

/** The input of a method: a component where the body is all of it, else fields of path, query and body together. */
export interface Input {
  name: string;
  /** Undefined where `name` is that of a component. */
  fields?: Field[];
  required: boolean;
}

export interface Method {
  operation: CallableOperation;
  group: string;
  name: string;
  sentence: string;
  traits: Traits;
  /** Undefined where nothing is given. */
  input?: Input;
  /** Undefined where nothing is answered; bytes where the answer is no JSON. */
  output?: Type | 'bytes';
  /** What a list is of. */
  item?: Type;
}

export interface Model {
  declarations: Declaration[];
  methods: Method[];
  /** Names of the components that occur in answers; all others are only given. */
  answered: ReadonlySet<string>;
}

export function modelOf(callable: Callable): Model {
  const components = callable.document.components.schemas;
  const methods = callable.operations.map((operation) => methodOf(operation, callable));
  const given = new Set<string>();
  const answered = new Set<string>();
  for (const { input, output } of methods) {
    if (input?.fields) for (const { type } of input.fields) follow(type, given);
    else if (input) follow({ kind: 'named', name: input.name }, given);
    if (output !== undefined && output !== 'bytes') follow(output, answered);
  }
  // Nobody asks for it, but `verifyWebhook` answers it.
  follow({ kind: 'named', name: 'WebhookEvent' }, answered);
  const declarations = [...new Set([...given, ...answered])].sort().map((name) => declarationOf(name));
  const taken = new Set(declarations.map(({ name }) => name));
  // What the calls that are written by hand answer with; the component has whatever name the contract gives it.
  if (!taken.has('SentEmail')) {
    declarations.push({
      kind: 'alias',
      name: 'SentEmail',
      description: 'One email of a send.',
      type: sentEmail(methods),
    });
  }
  for (const { input } of methods)
    if (input?.fields && taken.has(input.name)) throw new Error(`two types have the name ${input.name}`);
  return { declarations, methods, answered };

  function declarationOf(name: string): Declaration {
    const schema = components[name];
    if (schema === undefined) throw new Error(`the contract has no component ${name}`);
    return declared(name, schema);
  }
  function sentEmail(all: readonly Method[]): Type {
    const { output } = all.find(({ operation }) => operation.operationId === 'sending.send') ?? {};
    const item = output && output !== 'bytes' ? itemOf(output, callable, 'emails') : undefined;
    if (item === undefined) throw new Error('sending.send answers without emails');
    return item;
  }
  function follow(type: Type, into: Set<string>): void {
    if (type.kind === 'named') {
      if (into.has(type.name)) return;
      into.add(type.name);
      for (const each of typesIn(declarationOf(type.name))) follow(each, into);
    } else if (type.kind === 'union') for (const each of type.of) follow(each, into);
    else if ('of' in type) follow(type.of, into);
  }
}

function typesIn(declaration: Declaration): Type[] {
  if (declaration.kind === 'object') return declaration.fields.map(({ type }) => type);
  if (declaration.kind === 'union') return declaration.of;
  if (declaration.kind === 'alias') return [declaration.type];
  if (declaration.kind === 'tagged')
    return declaration.cases.map(({ name }) => ({ kind: 'named', name }) as const);
  return [];
}

function declared(name: string, schema: Schema): Declaration {
  const description = textOf(schema['description']);
  const { properties, additionalProperties, discriminator } = schema;
  const values = schema['enum'] as string[] | undefined;
  if (values)
    return { kind: 'enum', name, description, values, names: (schema['x-enum-varnames'] as string[]) ?? [] };
  if (discriminator) {
    const { propertyName, mapping } = discriminator as {
      propertyName: string;
      mapping: Record<string, string>;
    };
    const cases = Object.entries(mapping).map(([value, $ref]) => ({ value, name: nameOf($ref) }));
    return { kind: 'tagged', name, description, tag: propertyName, cases };
  }
  if (properties) {
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    return { kind: 'object', name, description, fields: fieldsOf(schema), isOpen };
  }
  const type = typeOf(schema);
  if (type.kind === 'union') return { kind: 'union', name, description, of: type.of };
  return { kind: 'alias', name, description, type };
}

function fieldsOf({ properties, required }: Schema): Field[] {
  const names = new Set(required as string[] | undefined);
  return Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    required: names.has(name),
    description: textOf(schema['description']),
  }));
}

function typeOf(schema: Schema): Type {
  const { $ref, type, items, additionalProperties, format } = schema;
  if (typeof $ref === 'string') return { kind: 'named', name: nameOf($ref) };
  const branches = (schema['oneOf'] ?? schema['anyOf']) as Schema[] | undefined;
  if (branches) return unionOf(branches.map(typeOfBranch));
  if (Array.isArray(type)) return unionOf(type.map((each) => typeOfBranch({ ...schema, type: each })));
  switch (type) {
    case 'string':
      return { kind: format === 'binary' ? 'file' : format === 'date-time' ? 'time' : 'text' };
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: type };
    case 'array':
      return { kind: 'list', of: typeOf((items ?? {}) as Schema) };
    case 'object':
      return {
        kind: 'map',
        of: typeof additionalProperties === 'object' ? typeOf(additionalProperties as Schema) : any,
      };
    case undefined:
      return any;
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

const any: Type = { kind: 'any' };

const typeOfBranch = (schema: Schema): Type | undefined =>
  schema['type'] === 'null' ? undefined : typeOf(schema);

/** @param branches undefined stands for null */
function unionOf(branches: (Type | undefined)[]): Type {
  const types = branches.filter((each) => each !== undefined);
  const [first = any] = types;
  const type: Type = types.length > 1 ? { kind: 'union', of: types } : first;
  return types.length < branches.length ? { kind: 'nullable', of: type } : type;
}

function methodOf(operation: CallableOperation, callable: Callable): Method {
  const [group = '', name = ''] = operation.operationId.split('.');
  const traits = traitsOf(operation, callable);
  const input = inputOf(operation, callable);
  const output = outputOf(operation, callable, traits);
  const item = traits.list && output && output !== 'bytes' ? itemOf(output, callable) : undefined;
  return {
    operation,
    group,
    name,
    sentence: sentenceOf(operation),
    traits,
    ...(input && { input }),
    ...(output && { output }),
    ...(item && { item }),
  };
}

function inputOf(operation: CallableOperation, { document }: Callable): Input | undefined {
  const { operationId, parameters = [], requestBody } = operation;
  const [media] = Object.values(requestBody?.content ?? {});
  const $ref = media?.schema?.['$ref'];
  if (media && typeof $ref !== 'string') throw new Error(`the body of ${operationId} has no name`);
  const body = typeof $ref === 'string' ? nameOf($ref) : undefined;
  const inBody = fieldsOf((body && document.components.schemas[body]) || {});
  if (parameters.length === 0)
    return body === undefined ? undefined : { name: body, required: inBody.some(({ required }) => required) };
  const given = parameters.map(({ name = '', required = false, schema = {} }) => ({
    name,
    type: typeOf(schema),
    required,
    description: textOf(schema['description']),
  }));
  const fields = [...given, ...inBody];
  const names = fields.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error(`two fields of ${operationId} have one name`);
  return {
    name: `${pascal(operationId)}Params`,
    fields,
    required: fields.some(({ required }) => required),
  };
}

function outputOf(
  { responses }: CallableOperation,
  { document }: Callable,
  traits: Traits,
): Type | 'bytes' | undefined {
  if (traits.raw) return 'bytes';
  const [media] = Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}));
  if (media?.schema === undefined) return undefined;
  const type = typeOf(media.schema);
  if (!traits.envelope || type.kind !== 'named') return type;
  return fieldsOf(document.components.schemas[type.name] ?? {}).find(({ name }) => name === 'data')?.type;
}

/** What the list in a field of an answer is of. */
function itemOf(output: Type, { document }: Callable, field = 'data'): Type | undefined {
  if (output.kind !== 'named') return undefined;
  const list = fieldsOf(document.components.schemas[output.name] ?? {}).find(({ name }) => name === field);
  return list?.type.kind === 'list' ? list.type.of : undefined;
}

/** `contacts.listFields` is `ContactsListFields`. */
export const pascal = (name: string): string =>
  name.replace(/(^|[._])(.)/g, (_, _before, letter: string) => letter.toUpperCase());

const nameOf = ($ref: string): string => $ref.replace('#/components/schemas/', '');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
