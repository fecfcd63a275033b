import type { FieldMap, ObjectRef, OutputRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { nameEnum } from './enums.ts';
import { isIdName, nestedName } from './field-name.ts';
import { type FieldShape, shapeOf } from './zod-shape.ts';

type OutputType = OutputRef | string | OutputType[];

/** As in `input-from-zod`: the one call that fields made from data need. */
type FieldMaker = (options: {
  type: unknown;
  nullable: unknown;
  description?: string;
  resolve(parent: unknown): unknown;
}) => FieldMap[string];

const made = new Map<string, { schema: z.ZodObject; ref: ObjectRef<SchemaTypes, unknown> }>();

/** The GraphQL object of an operation's output. Relations are added to it with `builder.objectFields`. */
export function objectFromZod<S extends z.ZodType>(
  schema: S,
  name: string,
): ObjectRef<SchemaTypes, z.output<S>> {
  const { shape } = shapeOf(schema, 'output');
  if (shape.kind !== 'object') throw new Error(`the output ${name} is no object`);
  return outputObject(shape.schema, name) as ObjectRef<SchemaTypes, z.output<S>>;
}

function outputObject(schema: z.ZodObject, name: string): ObjectRef<SchemaTypes, unknown> {
  const existing = made.get(name);
  if (existing?.schema === schema) return existing.ref;
  if (existing) throw new Error(`two types are named ${name}`);
  const ref = builder.objectRef<unknown>(name);
  made.set(name, { schema, ref });
  ref.implement({ fields: (t) => outputFields(schema, name, t.field.bind(t) as unknown as FieldMaker) });
  return ref;
}

function outputFields(schema: z.ZodObject, parent: string, make: FieldMaker): FieldMap {
  const fields: FieldMap = {};
  for (const [field, each] of Object.entries(schema.shape)) {
    const { shape, nullable, description } = shapeOf(each as z.ZodType, 'output');
    fields[field] = make({
      type: typeOf({ shape, nullable }, parent, field),
      nullable: nullabilityOf({ shape, nullable }),
      ...(description === undefined ? {} : { description }),
      resolve: (record) => (record as Record<string, unknown>)[field],
    });
  }
  return fields;
}

function typeOf({ shape }: FieldShape, parent: string, field: string, isItem = false): OutputType {
  switch (shape.kind) {
    case 'scalar':
      return shape.name === 'String' && isIdName(field) ? 'ID' : shape.name;
    case 'enum':
      return nameEnum(nestedName(parent, field, isItem), shape.values);
    case 'list':
      return [typeOf(shape.item, parent, field, true)];
    case 'object':
      return outputObject(shape.schema, nestedName(parent, field, isItem));
  }
}

const nullabilityOf = ({ shape, nullable }: FieldShape): boolean | { list: boolean; items: boolean } =>
  shape.kind === 'list' ? { list: nullable, items: shape.item.nullable } : nullable;
