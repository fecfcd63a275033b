import { formJudgedLater, typeNameOf } from '@postrider/core/base/kernel';
import { z } from 'zod';

export type ScalarName = 'ID' | 'String' | 'Int' | 'Float' | 'Boolean' | 'DateTime' | 'EmailAddress' | 'JSON';

/** A zod schema in terms of GraphQL. */
export type Shape =
  | { kind: 'scalar'; name: ScalarName }
  | { kind: 'enum'; values: readonly string[]; name?: string | undefined }
  | { kind: 'list'; item: FieldShape }
  | { kind: 'object'; schema: z.ZodObject };

export interface FieldShape {
  shape: Shape;
  nullable: boolean;
  description?: string | undefined;
}

export type Side = 'input' | 'output';
type Def = z.core.$ZodTypeDef & Record<string, unknown>;

const wrappers = new Set(['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'readonly', 'catch']);
const leavesOut = new Set(['optional', 'nullable', 'default', 'prefault', 'catch']);

/**
 * Reads a schema as a caller sends it (`input`) or receives it (`output`). A schema without a counterpart in GraphQL
 * (unions of different kinds, free-form records) becomes JSON, which the operation still validates.
 */
export function shapeOf(schema: z.ZodType, side: Side): FieldShape {
  let nullable = false;
  let required = false;
  let description: string | undefined;
  let name: string | undefined;
  let current: z.ZodType = schema;
  let meta: Record<string, unknown> = {};
  for (;;) {
    current = formJudgedLater(current) ?? current;
    meta = { ...z.globalRegistry.get(current), ...meta };
    description ??= typeof meta.description === 'string' ? meta.description : undefined;
    name ??= typeNameOf(current);
    const def = defOf(current);
    if (wrappers.has(def.type)) {
      // A default is always present in an output, and `nonoptional` overrules an inner `optional`.
      if (def.type === 'nonoptional') required = true;
      else if (leavesOut.has(def.type) && !(required && def.type === 'optional'))
        nullable ||= side === 'input' || def.type === 'optional' || def.type === 'nullable';
      current = def.innerType as z.ZodType;
    } else if (def.type === 'pipe') {
      current = sideOfPipe(def, side);
    } else {
      const shape = leafOf(current, meta, side);
      return {
        shape: shape.kind === 'enum' && name !== undefined ? { ...shape, name } : shape,
        nullable: nullable || takesNull(current),
        description,
      };
    }
  }
}

/** A schema that accepts any value accepts null. */
function takesNull(schema: z.ZodType): boolean {
  const def = defOf(schema);
  if (def.type === 'union') return (def['options'] as z.ZodType[]).some(takesNull);
  return def.type === 'unknown' || def.type === 'any' || def.type === 'null' || wrapsNull(def);
}

const wrapsNull = (def: Def): boolean =>
  wrappers.has(def.type) && (leavesOut.has(def.type) || takesNull(def['innerType'] as z.ZodType));

const defOf = (schema: z.ZodType): Def => schema._zod.def as Def;

/** The half of a pipe on this side; if that is a transform, which has no schema, the other half. */
function sideOfPipe(def: Def, side: Side): z.ZodType {
  const [near, far] = side === 'input' ? [def.in, def.out] : [def.out, def.in];
  return (defOf(near as z.ZodType).type === 'transform' ? far : near) as z.ZodType;
}

const scalar = (name: ScalarName): Shape => ({ kind: 'scalar', name });

function leafOf(schema: z.ZodType, meta: Record<string, unknown>, side: Side): Shape {
  const def = defOf(schema);
  const named = shapeOfMeta(meta, side);
  if (named) return named;
  switch (def.type) {
    case 'string':
      return scalar(def.format === 'datetime' ? 'DateTime' : 'String');
    case 'number':
      return scalar(def.format === undefined ? 'Float' : 'Int');
    case 'boolean':
      return scalar('Boolean');
    case 'date':
      return scalar('DateTime');
    case 'enum':
      return enumShape(Object.values(def.entries as Record<string, string>));
    case 'literal':
      return literalShape(def.values as readonly unknown[]);
    case 'array':
      return { kind: 'list', item: shapeOf(def.element as z.ZodType, side) };
    case 'object':
      return { kind: 'object', schema: schema as z.ZodObject };
    case 'union':
      return unionShape((def.options as z.ZodType[]).map((option) => shapeOf(option, side).shape));
    default:
      return scalar('JSON');
  }
}

/** JSON Schema metadata of a schema, where it is more precise than its parts. */
function shapeOfMeta({ type, format, enum: values }: Record<string, unknown>, side: Side): Shape | null {
  if (Array.isArray(values)) return enumShape(values as string[]);
  if (format === 'date-time') return scalar('DateTime');
  // As input it stays a string, so that documents with variables of type String remain valid.
  if (format === 'email' && side === 'output') return scalar('EmailAddress');
  if (type === 'boolean') return scalar('Boolean');
  if (type === 'string') return scalar('String');
  return null;
}

const nameable = /^[A-Za-z_][A-Za-z0-9_]*$/;

const enumShape = (values: readonly string[]): Shape =>
  values.every((value) => nameable.test(value)) ? { kind: 'enum', values } : scalar('String');

function literalShape(values: readonly unknown[]): Shape {
  if (values.every((value) => typeof value === 'boolean')) return scalar('Boolean');
  if (values.every((value) => typeof value === 'string')) return enumShape(values);
  return scalar('JSON');
}

function unionShape(options: readonly Shape[]): Shape {
  const enums = options.filter((option) => option.kind === 'enum');
  if (enums.length === options.length) return enumShape(enums.flatMap(({ values }) => values));
  const [first] = options;
  const alike = first && options.every((option) => JSON.stringify(option) === JSON.stringify(first));
  return alike && first.kind === 'scalar' ? first : scalar('JSON');
}
