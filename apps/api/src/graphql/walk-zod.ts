import { typeNameOf } from '@postrider/core/base/kernel';
import type { z } from 'zod';
import { enumOf } from './enums.ts';
import { isIdName, nestedName } from './field-name.ts';
import { type FieldShape, type ScalarName, type Side, shapeOf } from './zod-shape.ts';

export type TypeOf<Ref> = Ref | ReturnType<typeof enumOf> | ScalarName | TypeOf<Ref>[];

/** One field of a GraphQL type, as its schema has it. */
export interface WalkedField<Ref> {
  field: string;
  type: TypeOf<Ref>;
  nullable: boolean;
  /** of a list: whether its items may be null */
  nullableItems: boolean | undefined;
  description: string | undefined;
}

interface Maker<Ref> {
  side: Side;
  /** ends the names of nested types */
  suffix: '' | 'Input';
  /** makes the type of this name; its fields are read when the schema is built */
  make(name: string, fields: () => WalkedField<Ref>[]): Ref;
}

/** Turns zod objects into GraphQL types, each name once. The maker creates the type. */
export function walkZod<Ref>({ side, suffix, make }: Maker<Ref>) {
  const made = new Map<string, { schema: z.ZodObject; ref: Ref }>();

  /** @param name for a schema without a name */
  function typeOf(schema: z.ZodType, name = typeNameOf(schema)): Ref {
    if (name === undefined) throw new Error('a type needs a name: register its schema with typeNames');
    return objectOf(objectSchema(schema, name), name);
  }

  function objectOf(schema: z.ZodObject, name: string): Ref {
    const existing = made.get(name);
    // A schema and its copies with other descriptions share their shape.
    if (existing?.schema.shape === schema.shape) return existing.ref;
    if (existing) throw new Error(`two types are named ${name}`);
    const ref = make(name, () => fieldsOf(schema, name));
    made.set(name, { schema, ref });
    return ref;
  }

  function fieldsOf(schema: z.ZodType, parent: string): WalkedField<Ref>[] {
    return Object.entries(objectSchema(schema, parent).shape).map(([field, each]) => {
      const { shape, nullable, description } = shapeOf(each as z.ZodType, side);
      const nullableItems = shape.kind === 'list' ? shape.item.nullable : undefined;
      return { field, type: fieldType(shape, parent, field), nullable, nullableItems, description };
    });
  }

  function fieldType(shape: FieldShape['shape'], parent: string, field: string, isItem = false): TypeOf<Ref> {
    switch (shape.kind) {
      case 'scalar':
        return shape.name === 'String' && isIdName(field) ? 'ID' : shape.name;
      case 'enum':
        return enumOf(shape.name ?? nestedName(parent, field, isItem), shape.values);
      case 'list':
        return [fieldType(shape.item.shape, parent, field, true)];
      case 'object':
        return objectOf(
          shape.schema,
          typeNameOf(shape.schema) ?? `${nestedName(parent, field, isItem)}${suffix}`,
        );
    }
  }

  function objectSchema(schema: z.ZodType, name: string): z.ZodObject {
    const { shape } = shapeOf(schema, side);
    if (shape.kind !== 'object') throw new Error(`${name} is not an object`);
    return shape.schema;
  }

  return { typeOf, fieldsOf };
}
