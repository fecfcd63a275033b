/** The operators on values and what each of them compares with (behaviour B2.5). Pure: forms and the API reference use it too. */

import { instantOf } from './dates.rules.ts';

export const units = ['days', 'hours', 'minutes'] as const;
export type Unit = (typeof units)[number];

export const equality = ['equals', 'notEquals'] as const;
export const membership = ['isAnyOf', 'isNoneOf'] as const;
export const substring = ['contains', 'notContains', 'startsWith', 'endsWith'] as const;
export const comparisons = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'] as const;
export const presence = ['exists', 'notExists'] as const;
export const emptiness = ['isEmpty', 'isNotEmpty'] as const;
/** Windows that begin or end now. */
export const dateWindows = ['within', 'olderThan', 'withinNext', 'laterThan'] as const;
/** Whole days, counted from today. */
export const calendarDays = ['onDay', 'anniversaryWithinNext'] as const;
/** Of the items of a list. */
export const listOperators = ['hasAnyOf', 'hasAllOf', 'hasNoneOf'] as const;

export const valueOperators = [
  ...equality,
  ...membership,
  ...substring,
  ...comparisons,
  ...presence,
  ...emptiness,
  ...dateWindows,
  ...calendarDays,
  ...listOperators,
] as const;
export type ValueOperator = (typeof valueOperators)[number];
export type Comparison = (typeof comparisons)[number];
export type ListOperator = (typeof listOperators)[number];

/**
 * What an operator compares with: nothing, any JSON value, a text, a list of values, items of a list, a number of units, or a whole
 * number of days.
 */
export type ValueForm = 'none' | 'any' | 'text' | 'list' | 'items' | 'age' | 'days';

export const valueFormOf: Readonly<Record<ValueOperator, ValueForm>> = {
  equals: 'any',
  notEquals: 'any',
  isAnyOf: 'list',
  isNoneOf: 'list',
  contains: 'any',
  notContains: 'any',
  startsWith: 'text',
  endsWith: 'text',
  greaterThan: 'any',
  lessThan: 'any',
  greaterThanOrEqual: 'any',
  lessThanOrEqual: 'any',
  exists: 'none',
  notExists: 'none',
  isEmpty: 'none',
  isNotEmpty: 'none',
  within: 'age',
  olderThan: 'age',
  withinNext: 'age',
  laterThan: 'age',
  onDay: 'days',
  anniversaryWithinNext: 'days',
  hasAnyOf: 'items',
  hasAllOf: 'items',
  hasNoneOf: 'items',
};

/** The days that `onDay` and `anniversaryWithinNext` take, counted from today. */
export const dayLimits = {
  onDay: { min: -3_650, max: 3_650 },
  anniversaryWithinNext: { min: 0, max: 366 },
} as const satisfies Record<(typeof calendarDays)[number], { min: number; max: number }>;

/** Values in the list of `isAnyOf` and `isNoneOf`. */
export const maxListValues = 500;
/** Characters (UTF-16 units) of one text that values are compared with. */
export const maxValueLength = 1_000;
/** Items that an operator of lists compares with, and characters of each. */
export const maxListValue = 100;

/** Whether a value is what operators of lists compare with: 1 to 100 texts of 1 to 100 characters. */
export const isListOperand = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxListValue &&
  value.every(
    (item) =>
      typeof item === 'string' &&
      item !== '' &&
      item.length <= 2 * maxListValue &&
      [...item].length <= maxListValue,
  );

export interface ValueProblem {
  path: (string | number)[];
  code: string;
  message: string;
  input: unknown;
}

/** What is compared with, as given. */
export interface GivenValue {
  value?: unknown;
  unit?: unknown;
}

const problem = (
  path: ValueProblem['path'],
  code: string,
  message: string,
  input: unknown,
): ValueProblem => ({
  path,
  code,
  message,
  input,
});

/**
 * What is wrong with the `value` and `unit` of a comparison, each with its path. null is a value, a missing key is not.
 *
 * @param isInstant whether the field is an instant (`createdAt`), so that only dates can be compared with it
 */
export function valueProblems(operator: ValueOperator, given: GivenValue, isInstant = false): ValueProblem[] {
  const form = valueFormOf[operator];
  if (form === 'none') return [];
  const { value } = given;
  const problems =
    value === undefined
      ? [problem(['value'], 'required', 'Required', value)]
      : formProblems(operator, form, value);
  if (form === 'age') problems.push(...unitProblems(given.unit));
  if (problems.length === 0 && form === 'any' && isInstant && instantOf(value) === null)
    problems.push(problem(['value'], 'invalid_date', 'Not a date', value));
  return problems;
}

function formProblems(operator: ValueOperator, form: ValueForm, value: unknown): ValueProblem[] {
  switch (form) {
    case 'text':
      if (typeof value !== 'string') return [problem(['value'], 'invalid_type', 'Must be a string', value)];
      return value === ''
        ? [problem(['value'], 'required', 'Required', value)]
        : textProblems(['value'], value);
    case 'list':
      return listProblems(value);
    case 'items':
      return isListOperand(value)
        ? []
        : [problem(['value'], 'invalid_type', 'Must be 1 to 100 strings of 1 to 100 characters', value)];
    case 'age':
      if (typeof value !== 'number') return [problem(['value'], 'invalid_type', 'Must be a number', value)];
      if (!Number.isFinite(value)) return notFinite(['value'], value);
      return value < 0 ? [problem(['value'], 'too_small', 'At least 0', value)] : [];
    case 'days':
      return dayProblems(dayLimits[operator as keyof typeof dayLimits], value);
    default:
      return textProblems(['value'], value);
  }
}

function dayProblems({ min, max }: { min: number; max: number }, value: unknown): ValueProblem[] {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return [problem(['value'], 'invalid_type', 'Must be a whole number of days', value)];
  if (value < min) return [problem(['value'], 'too_small', `At least ${min}`, value)];
  return value > max ? [problem(['value'], 'too_big', `At most ${max}`, value)] : [];
}

function listProblems(value: unknown): ValueProblem[] {
  if (!Array.isArray(value)) return [problem(['value'], 'invalid_type', 'Must be an array', value)];
  if (value.length === 0) return [problem(['value'], 'too_small', 'At least one value', value)];
  if (value.length > maxListValues)
    return [problem(['value'], 'too_big', `At most ${maxListValues} values`, undefined)];
  return value.flatMap((each: unknown, index) =>
    ['string', 'number', 'boolean'].includes(typeof each)
      ? textProblems(['value', index], each)
      : [problem(['value', index], 'invalid_type', 'Must be a string, a number or a boolean', each)],
  );
}

/** JSON.parse reads 1e400 as Infinity, which JSON cannot represent. */
function textProblems(path: ValueProblem['path'], value: unknown): ValueProblem[] {
  if (typeof value === 'number' && !Number.isFinite(value)) return notFinite(path, value);
  return typeof value === 'string' && value.length > maxValueLength
    ? [problem(path, 'too_big', `At most ${maxValueLength} characters`, undefined)]
    : [];
}

const notFinite = (path: ValueProblem['path'], value: unknown): ValueProblem[] => [
  problem(path, 'invalid_type', 'Must be a finite number', value),
];

function unitProblems(unit: unknown): ValueProblem[] {
  if (unit === undefined || unit === null || unit === '')
    return [problem(['unit'], 'required', 'Required', unit)];
  if (typeof unit !== 'string') return [problem(['unit'], 'invalid_type', 'Must be a string', unit)];
  return units.includes(unit as Unit) ? [] : [problem(['unit'], 'invalid_enum_value', 'Invalid value', unit)];
}
