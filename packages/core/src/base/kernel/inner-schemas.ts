import type { z } from 'zod';

/** The schemas that another one stands for, all of which describe the same place: the forms of a union, what is optional; null for one that has a form of its own. */
export function innerSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'union':
      return def.options;
    case 'intersection':
      return [def.left, def.right];
    case 'pipe':
      // A preprocessing step has no form of its own.
      return [def.in._zod.def.type === 'transform' ? def.out : def.in];
    case 'lazy':
      return [def.getter()];
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'success':
    case 'promise':
      return [def.innerType];
    default:
      return null;
  }
}
