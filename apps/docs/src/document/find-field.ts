import type { ApiDocument, DocumentedOperation, Schema } from './document.ts';

/**
 * Whether an operation has a field in its parameters, body or replies; `path` is a dot path such as `attachments.contentType`. Lists
 * and unions are looked through, and so is the envelope of a reply.
 */
export function hasField(document: ApiDocument, operation: DocumentedOperation, path: string): boolean {
  const parts = path.split('.');
  const { parameters, body, replies } = operation;
  if (parameters.some(({ name }) => name === path)) return true;
  if (body?.media.schema && reaches(document, body.media.schema, parts)) return true;
  return replies.some(([status, { content = {} }]) =>
    Object.values(content).some(({ schema }) => {
      if (!schema || !status.startsWith('2')) return false;
      const isEnvelope = document.schemaOf(schema).schema.properties?.['success'] !== undefined;
      return reaches(document, schema, isEnvelope ? ['data', ...parts] : parts);
    }),
  );
}

export function reaches(document: ApiDocument, given: Schema, parts: readonly string[]): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return true;
  const { schema } = document.schemaOf(given);
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (branches.some((branch) => reaches(document, branch, parts))) return true;
  if (schema.items) return reaches(document, schema.items, /^\d+$/.test(part) ? rest : parts);
  const field = schema.properties?.[part];
  if (field) return reaches(document, field, rest);
  // Maps of values that the caller names.
  return schema.properties === undefined && typeof schema.additionalProperties === 'object' && part !== '';
}
