import type { ApiDocument, DocumentedOperation, Media, Schema } from './document.ts';

/** The value that a page shows: the first example, or one made from the schema. */
export function exampleOf(document: ApiDocument, media: Media): unknown {
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(media.examples ?? {});
  if (first && 'value' in first) return first.value;
  return media.schema ? exampleOfSchema(document, media.schema) : undefined;
}

export function exampleOfSchema(
  document: ApiDocument,
  given: Schema,
  within: readonly string[] = [],
): unknown {
  const { name, schema } = document.schemaOf(given);
  if (schema.examples?.length) return schema.examples[0];
  if (name !== null && within.includes(name)) return null;
  const inside = name === null ? within : [...within, name];
  if (schema.enum) return schema.enum[0];
  const [branch] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
  if (branch) return exampleOfSchema(document, branch, inside);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([field, value]) => [
          field,
          exampleOfSchema(document, value, inside),
        ]),
      );
    case 'array':
      return schema.items ? [exampleOfSchema(document, schema.items, inside)] : [];
    case 'string':
      return texts[schema.format ?? ''] ?? '…';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

const texts: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T09:30:00.000Z',
  uuid: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
  email: 'customer@example.com',
  uri: 'https://example.com/',
};

/** The reply of success with its example. */
export function successOf({ replies }: DocumentedOperation): [string, string, Media] | null {
  for (const [status, { content = {} }] of replies) {
    const [media] = Object.entries(content);
    if (/^[23]/.test(status) && media) return [status, media[0], media[1]];
  }
  return null;
}
