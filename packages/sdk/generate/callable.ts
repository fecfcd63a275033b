import { readFile } from 'node:fs/promises';

/** A JSON schema, read as plain data. */
export type Schema = Record<string, unknown>;

interface Media {
  schema?: Schema;
}

interface DocumentedOperation {
  operationId: string;
  description: string;
  security?: Record<string, unknown>[];
  parameters?: { $ref?: string; in?: string; name?: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> } & Record<string, unknown>;
}

/** An operation that a key may call. */
export interface CallableOperation extends DocumentedOperation {
  method: string;
  path: string;
}

export interface Callable {
  document: OpenApiDocument;
  operations: CallableOperation[];
}

const contract = new URL('../../../apps/api/contracts/openapi.json', import.meta.url);

/** The committed contract, reduced to what a client with a key may call: without refusals, header parameters and examples. */
export async function readCallable(): Promise<Callable> {
  return callable(JSON.parse(await readFile(contract, 'utf8')) as OpenApiDocument);
}

/** @param document an OpenAPI document; it is changed */
export function callable(document: OpenApiDocument): Callable {
  const operations: CallableOperation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (isCallable(operation))
        operations.push(reduce({ ...operation, method: method.toUpperCase(), path }));
    }
  }
  document.paths = {};
  for (const operation of operations) {
    const { method, path, ...described } = operation;
    document.paths[path] = { ...document.paths[path], [method.toLowerCase()]: described };
  }
  document.components = { schemas: document.components.schemas };
  return { document, operations };
}

/** What an operation does, in one sentence without its full stop: the first paragraph of its description. */
export const sentenceOf = ({ description }: { description: string }): string =>
  (description.split('\n\n')[0] ?? '').replace(/\.$/, '');

/** Follows a reference to a component. */
export function resolved({ document }: Callable, schema: Schema = {}): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  return document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {};
}

/** Operations that accept a key. `GET /config` needs none, and is for every client. */
const isCallable = ({ operationId, security = [] }: DocumentedOperation): boolean =>
  operationId === 'config.get' || security.some((way) => 'secretKey' in way || 'publicKey' in way);

function reduce(operation: CallableOperation): CallableOperation {
  if (!/^[a-z][a-zA-Z]*[.][a-zA-Z]+$/.test(operation.operationId))
    throw new Error(`the operation ${operation.operationId} needs a name of the form group.method`);
  const responses = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { description, content }]) => [status, { description, ...(content ? { content } : {}) }]);
  return {
    ...operation,
    parameters: (operation.parameters ?? []).filter(({ $ref, in: place }) => !$ref && place !== 'header'),
    responses: Object.fromEntries(responses),
  };
}
