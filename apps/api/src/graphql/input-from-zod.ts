import type { InputFieldMap, InputObjectRef, InputRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { nameEnum } from './enums.ts';
import { isIdName, nestedName } from './field-name.ts';
import { type FieldShape, type ScalarName, shapeOf } from './zod-shape.ts';

type InputType = InputRef | ScalarName | InputType[];

/** The part of Pothos' field builders that fields made from data need; their own types want each field written out. */
type FieldMaker = (options: {
  type: unknown;
  required: unknown;
  description?: string;
}) => InputFieldMap[string];

type AnyInput = InputObjectRef<SchemaTypes, object>;

const made = new Map<string, { schema: z.ZodObject; ref: AnyInput }>();

/**
 * The GraphQL input of an operation: enums, lists, nested objects and nullability as its schema has them. The values are
 * checked by the operation itself, so that every door refuses the same.
 */
export function inputFromZod(schema: z.ZodType, name: string): AnyInput {
  const { shape } = shapeOf(schema, 'input');
  if (shape.kind !== 'object') throw new Error(`the input ${name} is no object`);
  return inputObject(shape.schema, name);
}

function inputObject(schema: z.ZodObject, name: string): AnyInput {
  const existing = made.get(name);
  if (existing?.schema === schema) return existing.ref;
  if (existing) throw new Error(`two inputs are named ${name}`);
  const ref = builder.inputRef<object>(name);
  made.set(name, { schema, ref });
  ref.implement({ fields: (t) => inputFields(schema, name, t.field.bind(t) as unknown as FieldMaker) });
  return ref;
}

/** The fields of an operation's input as arguments of a query, without those that the query names itself. */
export function argsFromZod(
  schema: z.ZodType,
  name: string,
  arg: unknown,
  leaveOut: readonly string[] = [],
): InputFieldMap {
  const { shape } = shapeOf(schema, 'input');
  if (shape.kind !== 'object') throw new Error(`the arguments of ${name} are no object`);
  return inputFields(shape.schema, name, arg as FieldMaker, leaveOut);
}

function inputFields(
  schema: z.ZodObject,
  parent: string,
  make: FieldMaker,
  leaveOut: readonly string[] = [],
): InputFieldMap {
  const fields: InputFieldMap = {};
  for (const [field, each] of Object.entries(schema.shape)) {
    if (leaveOut.includes(field)) continue;
    const { shape, nullable, description } = shapeOf(each as z.ZodType, 'input');
    fields[field] = make({
      type: typeOf({ shape, nullable }, parent, field),
      required: requirementOf({ shape, nullable }),
      ...(description === undefined ? {} : { description }),
    });
  }
  return fields;
}

function typeOf({ shape }: FieldShape, parent: string, field: string, isItem = false): InputType {
  switch (shape.kind) {
    case 'scalar':
      return shape.name === 'String' && isIdName(field) ? 'ID' : shape.name;
    case 'enum':
      return nameEnum(nestedName(parent, field, isItem), shape.values);
    case 'list':
      return [typeOf(shape.item, parent, field, true)];
    case 'object':
      return inputObject(shape.schema, `${nestedName(parent, field, isItem)}Input`);
  }
}

/** Pothos words the nullability of a list and of its items apart. */
const requirementOf = ({ shape, nullable }: FieldShape): boolean | { list: boolean; items: boolean } =>
  shape.kind === 'list' ? { list: !nullable, items: !shape.item.nullable } : !nullable;
