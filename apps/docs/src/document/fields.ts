import type { ApiDocument, Schema } from './document.ts';

/** A field as a page lists it. */
export interface Field {
  name: string;
  /** anchor on its page */
  id: string;
  type: string;
  required: boolean;
  deprecated: boolean;
  description: string;
  /** the only values that it takes */
  values: string[];
  preset: string | null;
  groups: FieldGroup[];
}

/** The fields of an object inside a field. */
export interface FieldGroup {
  title: string;
  fields: Field[];
  /** the anchor where this page has them already */
  listedAt: string | null;
}

/** Anchors of the objects that a page has listed, so that each is listed once and none within itself. */
export type Listed = Map<string, string>;

/** The fields of a schema; those of a union of objects are in a group for each. */
export function fieldsOf(document: ApiDocument, given: Schema, prefix: string, listed: Listed): Field[] {
  const { name, schema } = document.schemaOf(given);
  if (name !== null) listed.set(name, prefix === '' ? 'body' : prefix);
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([field, value]) =>
    fieldOf(document, { name: field, schema: value, required: required.has(field), prefix, listed }),
  );
}

interface Given {
  name: string;
  schema: Schema;
  required: boolean;
  prefix: string;
  listed: Listed;
}

export function fieldOf(
  document: ApiDocument,
  { name, schema: given, required, prefix, listed }: Given,
): Field {
  const { schema } = document.schemaOf(given);
  const id = prefix === '' ? name : `${prefix}.${name}`;
  return {
    name,
    id,
    type: typeOf(document, given),
    required,
    deprecated: schema.deprecated === true,
    description: schema.description ?? '',
    values: valuesOf(document, given),
    preset: schema.default === undefined ? null : JSON.stringify(schema.default),
    groups: groupsOf(document, given, id, listed),
  };
}

/** The objects inside a field: itself, the items of a list, the branches of a union. */
export function groupsOf(document: ApiDocument, given: Schema, id: string, listed: Listed): FieldGroup[] {
  const { name, schema } = document.schemaOf(given);
  const branches = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (branches) return branches.flatMap((branch) => groupsOf(document, branch, id, listed));
  if (schema.items) return groupsOf(document, schema.items, id, listed);
  if (!schema.properties) {
    return typeof schema.additionalProperties === 'object'
      ? groupsOf(document, schema.additionalProperties, id, listed)
      : [];
  }
  const title = name ?? 'Fields';
  const before = name === null ? undefined : listed.get(name);
  if (before !== undefined) return [{ title, fields: [], listedAt: before }];
  return [{ title, fields: fieldsOf(document, given, id, listed), listedAt: null }];
}

/** The type in words, such as `string (uuid) or null`. */
export function typeOf(document: ApiDocument, given: Schema): string {
  const { name, schema } = document.schemaOf(given);
  if (schema.enum) return 'string';
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return [...new Set(branches.map((branch) => typeOf(document, branch)))].join(' or ');
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return schema.properties ? (name ?? 'object') : 'any';
  const words = types.map((type) => {
    if (type === 'array') return `list of ${schema.items ? typeOf(document, schema.items) : 'any'}`;
    if (type === 'object') {
      if (schema.properties) return name ?? 'object';
      return typeof schema.additionalProperties === 'object' &&
        Object.keys(schema.additionalProperties).length > 0
        ? `map of ${typeOf(document, schema.additionalProperties)}`
        : 'map';
    }
    if (type === 'string') {
      if (schema.format === 'date-time') return 'date';
      if (schema.format !== undefined)
        return schema.format === 'binary' ? 'file' : `string (${schema.format})`;
    }
    return type;
  });
  return words.join(' or ');
}

function valuesOf(document: ApiDocument, given: Schema): string[] {
  const { schema } = document.schemaOf(given);
  if (schema.enum) return schema.enum.map(String);
  if (schema.items) return valuesOf(document, schema.items);
  return (schema.oneOf ?? schema.anyOf ?? []).flatMap((branch) => valuesOf(document, branch));
}
