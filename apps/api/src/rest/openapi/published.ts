import type { Risk } from '@postrider/core/base/kernel';
import type { JsonSchema, Side } from './json-schema.ts';
import { NamedComponents, pascalOf } from './named-components.ts';
import { PlainSchemas } from './plain-schemas.ts';
import { referredTo, withParts } from './schema-walk.ts';

export interface Example {
  summary?: string;
  value: unknown;
}
export interface Media {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, Example | { $ref: string }>;
}
export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: JsonSchema;
  example?: unknown;
}
export type Content = Record<string, Media>;
export interface Reply {
  $ref?: string;
  description?: string;
  headers?: object;
  content?: Content;
}
export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  /** what it can do beyond the records that it names (behaviour B15.11); absent where it changes nothing */
  'x-risk'?: Risk;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Reply>;
}
export type Paths = Record<string, Record<string, DocumentedOperation>>;
interface Written {
  paths: Paths;
  components: Components;
}
interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Record<string, Reply>;
  [section: string]: object;
}

/**
 * The document as it is published: schemas that generators accept (`PlainSchemas`), in named components (`NamedComponents`), of which
 * those of request bodies alone are closed (S16): replies may grow.
 */
export function published<Document extends Written>(document: Document): Document {
  const { schemas, responses } = document.components;
  const plain = new PlainSchemas(schemas);
  const named = new NamedComponents();
  const inReplies = reachable(repliesOf(document), schemas);
  for (const [name, schema] of Object.entries(schemas))
    named.add(name, plain.plain(schema, inReplies.has(name) ? 'output' : 'input'));
  const bodyOf = (media: Media, name: string, side: Side): Media =>
    media.schema === undefined
      ? media
      : { ...media, schema: named.named(plain.body(media.schema, side), name) };
  const replyOf = (reply: Reply, name: string): Reply =>
    reply.content
      ? { ...reply, content: eachOf(reply.content, (media) => bodyOf(media, name, 'output')) }
      : reply;
  const operationOf = (operation: DocumentedOperation): DocumentedOperation => {
    const name = pascalOf(operation.operationId);
    const { parameters, requestBody } = operation;
    return {
      ...operation,
      ...(parameters && {
        parameters: parameters.map((each) =>
          each.schema
            ? {
                ...each,
                schema: named.named(plain.plain(each.schema, 'input'), `${name}${pascalOf(each.name ?? '')}`),
              }
            : each,
        ),
      }),
      ...(requestBody && {
        requestBody: {
          ...requestBody,
          content: eachOf(requestBody.content, (media) => bodyOf(media, `${name}Input`, 'input')),
        },
      }),
      responses: eachOf(operation.responses, (reply, status) =>
        replyOf(reply, status.startsWith('2') ? `${name}Reply` : `${name}Refusal`),
      ),
    };
  };
  const paths = eachOf(document.paths, (methods) => eachOf(methods, operationOf));
  const components = {
    ...document.components,
    responses: eachOf(responses, (reply, name) => replyOf(reply, `${name}Body`)),
  };
  return withUsedSchemas({ ...document, paths, components }, named.schemas);
}

/** The document with the components that it refers to, in the order of their names. */
function withUsedSchemas<Document extends Written>(
  document: Document,
  schemas: Record<string, JsonSchema>,
): Document {
  const [asked, replied] = [requestsOf(document), repliesOf(document)].map((part) =>
    reachable(part, schemas),
  );
  const used = Object.entries(schemas)
    .filter(([name]) => asked?.has(name) || replied?.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [name, replied?.has(name) ? schema : closed(schema)]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(used) } };
}

/** Requests have no other fields than those described (B1.1). */
function closed(schema: JsonSchema): JsonSchema {
  const copy = withParts(schema, closed);
  return copy.properties && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

const operationsOf = ({ paths }: Written): DocumentedOperation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

const requestsOf = (document: Written): unknown[] =>
  operationsOf(document).map(({ requestBody, parameters }) => ({ requestBody, parameters }));

const repliesOf = (document: Written): unknown[] => [
  ...operationsOf(document).map(({ responses }) => responses),
  document.components.responses,
];

/** The names of the schemas that a part of the document refers to, directly or by one another. */
export function reachable(part: unknown, schemas: Readonly<Record<string, JsonSchema>>): Set<string> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === 'object' && value !== null) {
      const name = referredTo(value as JsonSchema);
      if (name !== undefined && !found.has(name)) {
        found.add(name);
        look(schemas[name]);
      }
      Object.values(value).forEach(look);
    }
  };
  look(part);
  return found;
}

function eachOf<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
