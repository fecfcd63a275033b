import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: a walk over a JSON document
export type Json = any;

/** Follows a reference within the document. */
export function resolved(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const path: string[] = value.$ref.slice(2).split('/');
  return resolved(
    document,
    path.reduce((at: Json, key) => at?.[key], document),
  );
}

/** Every operation by its method and path. */
export const operationsOf = ({ paths }: Json): [string, Json][] =>
  Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

/** The bodies of an operation: those of its request and of each reply. */
export function contentsOf(document: Json, { requestBody, responses }: Json): [string, Json][] {
  const replies = Object.entries<Json>(responses).map(([status, each]): [string, Json] => [
    status,
    resolved(document, each).content ?? {},
  ]);
  return requestBody ? [['request', requestBody.content], ...replies] : replies;
}

export const examplesOf = (document: Json, { example, examples = {} }: Json): Json[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values<Json>(examples).map((each) => resolved(document, each).value),
];

/** What the examples of a body show together: the first has only what is needed. */
export const wholeExample = (examples: Json[]): Json =>
  examples.some((each) => typeof each !== 'object' || each === null || Array.isArray(each))
    ? examples[0]
    : Object.assign({}, ...examples);

/** Every field of every schema, with its location. */
export function fieldsOf(document: Json): [string, Json][] {
  const fields: [string, Json][] = [];
  const walk = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries<Json>(value)) {
      if (key === 'example' || key === 'examples') continue;
      if (key === 'properties')
        for (const [name, schema] of Object.entries<Json>(item)) fields.push([`${path}.${name}`, schema]);
      walk(item, key === 'properties' ? path : `${path}/${key}`);
    }
  };
  walk(document.components.schemas, 'schemas');
  for (const [name, operation] of operationsOf(document)) walk(operation, name);
  return fields;
}

export const isDescribed = (schema: Json): boolean => typeof schema?.description === 'string';

/** Fields of a schema that an example of it leaves out. */
export function missingFields(document: Json, schema: Json, example: Json, path = ''): string[] {
  const whole = resolved(document, schema);
  // A list with an example of its own shows its items there; the fields of the items have theirs where they are the body.
  if (Array.isArray(example) && schema.examples) return [];
  if (Array.isArray(example))
    return example.flatMap((item) =>
      whole.items ? missingFields(document, whole.items, item, `${path}[]`) : [],
    );
  if (typeof example !== 'object' || example === null || schema.examples || whole.examples) return [];
  return Object.entries<Json>(whole.properties ?? {}).flatMap(([name, each]) =>
    example[name] === undefined
      ? [`${path}.${name}`]
      : missingFields(document, each, example[name], `${path}.${name}`),
  );
}

export function ajvFor(document: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  // The default export of a CommonJS module.
  (addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
  ajv.addFormat('binary', true);
  ajv.addSchema({ $id: 'https://postrider.example/openapi', components: document.components });
  return ajv;
}

/** The schema with references into the document. */
export const withComponents = (schema: Json): Json =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"https://postrider.example/openapi#/components/'),
  );
