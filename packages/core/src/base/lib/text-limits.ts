import { z } from 'zod';

/** How long the text of a form field may be, under the names of the HTML attributes. */
export interface TextLimits {
  minLength?: number;
  maxLength?: number;
}

/**
 * The limits of one field of a schema, so that a form stops where the service would refuse.
 *
 * @throws Error for a field that the schema does not have, or that has no maximum
 */
export function textLimits<Schema extends z.ZodType>(
  schema: Schema,
  field: keyof z.input<Schema> & string,
): TextLimits {
  const object = chainOf(schema).at(-1);
  const text = object instanceof z.ZodObject ? (object.shape[field] as z.ZodType | undefined) : undefined;
  const limits = text && limitsOf(text);
  if (limits?.maxLength === undefined) throw new Error(`the field ${field} has no length limit`);
  return limits;
}

/** The limits of a schema of text. */
export function limitsOf(text: z.ZodType): TextLimits {
  const limits: TextLimits = {};
  for (const schema of chainOf(text)) {
    const { minLength, maxLength } = { ...ownLimits(schema), ...z.globalRegistry.get(schema) };
    if (typeof minLength === 'number') limits.minLength ??= minLength;
    if (typeof maxLength === 'number') limits.maxLength ??= maxLength;
  }
  return limits;
}

const ownLimits = (schema: z.ZodType): TextLimits =>
  schema instanceof z.ZodString
    ? {
        ...(schema.minLength === null ? {} : { minLength: schema.minLength }),
        ...(schema.maxLength === null ? {} : { maxLength: schema.maxLength }),
      }
    : {};

/** A schema, and what it wraps (optional, nullable, default, the input of a transform) from the outside in. */
function chainOf(schema: z.ZodType): z.ZodType[] {
  const { type, innerType, in: input, out: output } = schema._zod.def as unknown as ChainDef;
  if (type !== 'pipe') return innerType ? [schema, ...chainOf(innerType)] : [schema];
  const isPreprocess = input instanceof z.ZodTransform;
  const next = isPreprocess ? output : input;
  return next ? [schema, ...chainOf(next)] : [schema];
}

interface ChainDef {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
}
