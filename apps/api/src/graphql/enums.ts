import type { EnumRef } from '@pothos/core';
import { builder, type SchemaTypes } from './builder.ts';

type Ref = EnumRef<SchemaTypes, string, string>;

const made = new Map<string, { values: string; ref: Ref }>();

/** The enum of this name, which is the name of the schema or of the first field of its type. */
export function enumOf(name: string, values: readonly string[]): Ref {
  const existing = made.get(name);
  const key = [...values].sort().join(' ');
  if (existing?.values === key) return existing.ref;
  if (existing) throw new Error(`two enums are named ${name}: give one a name of its own with namedEnum`);
  const ref = builder.enumType(name, { values }) as Ref;
  made.set(name, { values: key, ref });
  return ref;
}
