import {
  type Callable,
  type CallableOperation,
  resolved,
  type Schema,
  sentenceOf,
} from '@postrider/sdk/generate';
import type { Risk, Tool } from '../src/tool.ts';

/** For visitors by public key; a door of its own, past the distinction of reads and writes; and a file of any length. */
const leftOut = new Set(['events.track', 'graphql.execute', 'privacy.exportFile']);

/** One tool per operation that exchanges JSON, named and described as in the contract. */
export function toolsOf(callable: Callable): Tool[] {
  const { document, operations } = callable;
  return operations.filter(isTool).map((operation) => {
    const { operationId, method, path } = operation;
    return {
      name: operationId.replace('.', '_'),
      operation: operationId,
      risk: ((operation as { 'x-risk'?: Risk })['x-risk'] ?? null) satisfies Risk | null,
      destructive: isDestructive(operation),
      description: `${sentenceOf(operation)}. ${method} ${path}`,
      inputSchema: withDefinitions(inputOf(operation, callable), document.components.schemas),
    };
  });
}

const isTool = ({ operationId, requestBody, responses }: CallableOperation): boolean =>
  !leftOut.has(operationId) &&
  !('multipart/form-data' in (requestBody?.content ?? {})) &&
  Object.values(responses).every(({ content }) => content === undefined || 'application/json' in content);

const isDestructive = ({ operationId, method }: CallableOperation): boolean =>
  method === 'DELETE' || /[.](delete|bulkDelete|remove|cancel|erase)/.test(operationId);

/** Path, query and body in one object, as the methods of the SDK take it. */
function inputOf({ parameters = [], requestBody }: CallableOperation, callable: Callable): Schema {
  const body = resolved(callable, requestBody?.content['application/json']?.schema) as Partial<Body>;
  const named = parameters.map(({ name = '', schema = {}, ...rest }) => {
    const description = (rest as { description?: string }).description;
    return [name, description ? { description, ...schema } : schema] as const;
  });
  const demanded = parameters.filter(({ required }) => required).map(({ name = '' }) => name);
  const required = [...new Set([...demanded, ...(body.required ?? [])])];
  return {
    type: 'object',
    properties: { ...Object.fromEntries(named), ...body.properties },
    ...(required.length > 0 && { required }),
  };
}

interface Body {
  properties: Record<string, Schema>;
  required: string[];
}

/** Adds the schemas that are referred to, directly or by one another. */
function withDefinitions(schema: Schema, schemas: Record<string, Schema>): Tool['inputSchema'] {
  const definitions: Record<string, unknown> = {};
  const localized = localize(schema);
  return {
    ...(localized as Tool['inputSchema']),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };

  function localize(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(localize);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        if (key !== '$ref' || typeof part !== 'string') return [key, localize(part)];
        const name = part.replace('#/components/schemas/', '');
        if (!(name in definitions)) {
          definitions[name] = null;
          definitions[name] = localize(schemas[name]);
        }
        return [key, `#/$defs/${name}`];
      }),
    );
  }
}
