import type { z } from 'zod';
import { impossibleDataKey, reservedDataKeys } from '../lib/data-values.rules.ts';
import { AppError, badRequest, type FieldError } from './errors.ts';
import { formJudgedLater, requiredMessage } from './fields.ts';
import { findUnacceptable } from './unacceptable.rules.ts';
import { unknownFieldsOf } from './unknown-fields.ts';

type Issue = z.core.$ZodIssue;

/** Maximum number of issues in a reply: one per recipient of the largest send. */
const maxErrors = 1_000;

/**
 * Parses a caller's input. All doors use this, so the same mistake has the same field, code and message everywhere
 * (behaviour B7.1).
 *
 * @throws AppError VALIDATION_ERROR with one item per problem, or BAD_REQUEST for issues marked so (enum filters of queries)
 */
export const parseInput = <Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> =>
  parse(schema, raw, () => []);

/**
 * The same for what arrives from outside, where a field that the schema does not describe is a mistake too (behaviour B1.1): what
 * would be dropped in silence may have been the important one.
 *
 * @param returned schema of the record that the endpoint returns: its fields may be sent back
 */
export const parseRequest = <Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  returned?: z.ZodType,
): z.output<Schema> => parse(schema, raw, () => unknownFieldsOf(schema, raw, returned, maxErrors));

function parse<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  unknownFields: () => FieldError[],
): z.output<Schema> {
  const unacceptable = findUnacceptable(judgedNow(schema, raw), []) ?? findPrototypeKey(raw);
  if (unacceptable) throw invalidFields([unacceptable]);
  const unknown = unknownFields();
  const parsed = schema.safeParse(raw ?? {}, { reportInput: true });
  if (parsed.success && unknown.length === 0) return parsed.data;
  const issues = parsed.success ? [] : parsed.error.issues.flatMap(unfold);
  for (const issue of issues) {
    if (issue.code === 'custom' && issue.params?.['as'] === 'BAD_REQUEST') throw badRequest(issue.message);
  }
  throw invalidFields([...issues.map(toFieldError), ...unknown].slice(0, maxErrors));
}

/** An input without the elements of lists that the operation judges one by one. @see judgedLater */
function judgedNow(schema: z.ZodType, raw: unknown): unknown {
  const later = listsJudgedLater(schema);
  if (later.length === 0 || typeof raw !== 'object' || raw === null) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name,
      later.includes(name) && Array.isArray(value) ? [] : value,
    ]),
  );
}

const knownLater = new WeakMap<z.ZodType, readonly string[]>();

/** The fields of a schema whose elements the operation judges one by one. */
function listsJudgedLater(schema: z.ZodType): readonly string[] {
  const known = knownLater.get(schema);
  if (known) return known;
  const { def } = (schema as z.core.$ZodType as z.core.$ZodTypes)._zod;
  const fields = def.type === 'object' ? Object.entries(def.shape) : [];
  const later = fields.flatMap(([name, field]) => {
    const inner = (field as z.core.$ZodTypes)._zod.def;
    return inner.type === 'array' && formJudgedLater(inner.element) ? [name] : [];
  });
  knownLater.set(schema, later);
  return later;
}

function invalidFields(errors: FieldError[]): AppError {
  const [only] = errors;
  const details = errors.length === 1 && only?.code === 'template_syntax' ? { field: only.field } : undefined;
  return new AppError('VALIDATION_ERROR', 'Request validation failed', {
    errors,
    ...(details ? { details } : {}),
  });
}

/** Refused record keys carry nested issues; a union is reported as one issue. */
function unfold(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_key') return [issue];
  return issue.issues.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as Issue);
}

function toFieldError(issue: Issue): FieldError {
  const params: Record<string, unknown> = issue.code === 'custom' ? (issue.params ?? {}) : {};
  const path = Array.isArray(params['path']) ? params['path'] : issue.path;
  const code = codeOf(issue, params);
  const error: FieldError = { field: path.map(String).join('.'), message: issue.message, code };
  if (code === 'required') error.message = typeof params['code'] === 'string' ? issue.message : 'Required';
  if (code === 'invalid_type') error.received = typeName(issue.input);
  if ('received' in params) error.received = params['received'];
  return error;
}

function codeOf(issue: Issue, params: Record<string, unknown>): string {
  if (typeof params['code'] === 'string') return params['code'];
  const missing = issue.input === undefined || issue.input === null;
  if (missing && issue.code !== 'custom') return 'required';
  switch (issue.code) {
    case 'invalid_type':
      return 'invalid_type';
    case 'invalid_format':
      return issue.input === '' ? 'required' : 'invalid_string';
    case 'too_small':
      return 'too_small';
    case 'too_big':
      return 'too_big';
    case 'invalid_value':
      return issue.message === requiredMessage ? 'required' : 'invalid_enum_value';
    case 'invalid_union':
      return 'invalid_union';
    default:
      return 'custom';
  }
}

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Objects whose keys callers choose. */
const ownKeyed = ['data', 'headers', 'metadata'];

/**
 * Finds a key `__proto__` in an object whose keys callers choose, where JavaScript would treat it as the prototype, and it would be dropped
 * without a word (behaviour B2.1). Reserved keys of `data` are dropped anyway.
 */
function findPrototypeKey(raw: unknown): FieldError | null {
  if (typeof raw !== 'object' || raw === null) return null;
  for (const name of ownKeyed) {
    const value = (raw as Record<string, unknown>)[name];
    const found = typeof value === 'object' && value !== null ? findPrototypeKeyIn(value, [name]) : null;
    if (found) return found;
  }
  return null;
}

function findPrototypeKeyIn(value: object, path: readonly string[]): FieldError | null {
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (path.length === 1 && path[0] === 'data' && reservedDataKeys.has(key)) continue;
    if (key === impossibleDataKey)
      return {
        field: [...path, key].join('.'),
        message: `A key of ${path[0]} must not be __proto__`,
        code: 'custom',
      };
    const found = typeof item === 'object' && item !== null ? findPrototypeKeyIn(item, [...path, key]) : null;
    if (found) return found;
  }
  return null;
}
