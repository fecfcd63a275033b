import { emailClass } from '../../base/kernel/enums.ts';
import { instantOf } from '../../base/lib/dates.rules.ts';
import {
  type Unit,
  units,
  type ValueOperator,
  type ValueProblem,
  valueFormOf,
  valueOperators,
  valueProblems,
} from '../../base/lib/value-operators.rules.ts';
import { topicKeyForm } from '../topics/topics.rules.ts';
import {
  edgeOperators,
  emailProperties,
  type FieldRef,
  type Filter,
  figureComparisons,
  figureOperators,
  idOperators,
  isReferring,
  linkOperators,
  longestKey,
  type OccurrenceTimes,
  type OccurrenceWindow,
  type Operator,
  operatorsOf,
  timelessActivities,
  type WhereCondition,
} from './filters.rules.ts';

/** The parts of a filter on occurrences (behaviour B2.5): `where`, `window`, `times`, `property`, `compare`. */

export const maxConditions = 10;
export const maxTimes = 10_000;

type Fields = Record<string, unknown>;
type Path = (string | number)[];

/** Collects problems, each with its path in the filter. */
export type Complain = (path: Path, code: string, message: string, input: unknown) => void;

const among = <Word extends string>(words: readonly Word[], word: unknown): word is Word =>
  (words as readonly unknown[]).includes(word);

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
const isMissing = (value: unknown): boolean => isAbsent(value) || value === '';

export const occurrenceKeys = ['where', 'window', 'times', 'property', 'compare'] as const;
type OccurrenceKey = (typeof occurrenceKeys)[number];

/** The keys that a filter of an operator may have. */
function keysOf(ref: FieldRef, operator: Operator): readonly OccurrenceKey[] {
  if (ref.kind !== 'event' && ref.kind !== 'activity') return [];
  const hasTime = ref.kind === 'event' || !timelessActivities.has(ref.activity);
  const window: OccurrenceKey[] = hasTime ? ['window'] : [];
  if (operator === 'occurred') return ['where', 'times', ...window];
  if (operator === 'notOccurred') return ['where', ...window];
  if (among(figureOperators, operator)) return ['where', 'window', 'property', 'compare'];
  if (among(edgeOperators, operator))
    return ref.kind === 'event' ? ['where', 'window', 'property', 'compare'] : ['where', 'window', 'compare'];
  return ['where'];
}

/** Whether a filter costs more than a look at one value. */
export const isHeavy = (filter: Filter): boolean =>
  filter.where !== undefined ||
  filter.window !== undefined ||
  filter.times !== undefined ||
  filter.compare !== undefined;

/**
 * Reads what a filter says of occurrences into it. A key that does not apply to its operator would be a restriction that has no effect, so
 * it is refused.
 */
export function readOccurrence(
  ref: FieldRef,
  filter: Filter,
  given: Fields,
  complain: Complain,
  namesUnknown: boolean,
): void {
  const allowed = keysOf(ref, filter.operator);
  for (const key of occurrenceKeys)
    if (!isAbsent(given[key]) && !allowed.includes(key))
      complain(
        [key],
        'unsupported_field',
        `Does not apply to ${filter.operator} of ${filter.field}`,
        given[key],
      );
  const unknown = unknownNames(namesUnknown, complain);
  if (allowed.includes('where') && !isAbsent(given['where'])) {
    const where = readWhere(ref, given['where'], complain, unknown);
    if (where) filter.where = where;
  }
  if (allowed.includes('window') && !isAbsent(given['window'])) {
    const window = readWindow(given['window'], complain, unknown);
    if (window) filter.window = window;
  }
  if (allowed.includes('times') && !isAbsent(given['times'])) {
    const times = readTimes(given['times'], complain, unknown);
    if (times) filter.times = times;
  }
  if (allowed.includes('compare')) readComparison(ref, filter, given, complain);
}

/**
 * Reads the `where` of an event on its own, as triggers and waits have it.
 *
 * @returns null if it has a problem, of which `complain` was told
 */
export function readEventWhere(given: unknown, complain: Complain): WhereCondition[] | null {
  let isRead = true;
  const told: Complain = (...problem) => {
    isRead = false;
    complain(...problem);
  };
  const where = readWhere({ kind: 'event', name: '' }, given, told, unknownNames(false, told));
  return isRead ? where : null;
}

type Unknown = (given: Fields, known: readonly string[], path: Path) => void;

/** Names that begin with `_` are not looked at, as everywhere (behaviour B1.1). */
const unknownNames =
  (namesUnknown: boolean, complain: Complain): Unknown =>
  (given, known, path) => {
    if (!namesUnknown) return;
    for (const name of Object.keys(given))
      if (!known.includes(name) && !name.startsWith('_'))
        complain([...path, name], 'unsupported_field', 'Unknown field', given[name]);
  };

function readProperty(value: unknown, path: Path, complain: Complain): string | null {
  if (isMissing(value)) complain(path, 'required', 'Required', value);
  else if (typeof value !== 'string') complain(path, 'invalid_type', 'Must be a string', value);
  else if (value.length > longestKey)
    complain(path, 'too_big', `At most ${longestKey} characters`, undefined);
  else return value;
  return null;
}

function readOperator(
  value: unknown,
  allowed: readonly ValueOperator[],
  path: Path,
  complain: Complain,
): ValueOperator | null {
  if (isMissing(value)) complain(path, 'required', 'Required', value);
  else if (typeof value !== 'string') complain(path, 'invalid_type', 'Must be a string', value);
  else if (!among(valueOperators, value)) complain(path, 'invalid_enum_value', 'Invalid value', value);
  else if (!allowed.includes(value))
    complain(path, 'unsupported_operator', `The operator ${value} is not supported here`, value);
  else return value;
  return null;
}

/** The `value` and `unit` that an operator compares with. */
function readCompared(
  operator: ValueOperator,
  given: Fields,
  into: { value?: unknown; unit?: Unit },
  problems: readonly ValueProblem[],
  path: Path,
  complain: Complain,
): boolean {
  for (const { path: at, code, message, input } of problems) complain([...path, ...at], code, message, input);
  if (problems.length > 0) return false;
  const form = valueFormOf[operator];
  if (form !== 'none') into.value = given['value'];
  if (form === 'age') into.unit = given['unit'] as Unit;
  return true;
}

function readWhere(
  ref: FieldRef,
  given: unknown,
  complain: Complain,
  unknown: Unknown,
): WhereCondition[] | null {
  const at: Path = ['where'];
  if (!Array.isArray(given)) {
    complain(at, 'invalid_type', 'Must be an array', given);
    return null;
  }
  if (given.length === 0) complain(at, 'too_small', 'At least one condition', given);
  if (given.length > maxConditions) {
    complain(at, 'too_big', `At most ${maxConditions} conditions`, undefined);
    return null;
  }
  const read = given.map((each: unknown, index) => {
    const path = [...at, index];
    if (!isObject(each)) {
      complain(path, 'invalid_type', 'Must be {property, operator, value?, unit?}', each);
      return null;
    }
    unknown(each, ['property', 'operator', 'value', 'unit'], path);
    return ref.kind === 'activity'
      ? readEmailCondition(ref.activity === 'click', each, path, complain)
      : readEventCondition(each, path, complain);
  });
  const conditions = read.filter((each) => each !== null);
  return conditions.length === given.length && conditions.length > 0 ? conditions : null;
}

function readEventCondition(given: Fields, path: Path, complain: Complain): WhereCondition | null {
  const property = readProperty(given['property'], [...path, 'property'], complain);
  const operator = readOperator(given['operator'], valueOperators, [...path, 'operator'], complain);
  if (property === null || operator === null) return null;
  const condition: WhereCondition = { property, operator };
  const problems = valueProblems(operator, given);
  return readCompared(operator, given, condition, problems, path, complain) ? condition : null;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readEmailCondition(
  isClick: boolean,
  given: Fields,
  path: Path,
  complain: Complain,
): WhereCondition | null {
  const property = readProperty(given['property'], [...path, 'property'], complain);
  if (property === null) return null;
  if (!among(emailProperties, property) || (property === 'link' && !isClick)) {
    const known = emailProperties.filter((each) => each !== 'link' || isClick).join(', ');
    complain([...path, 'property'], 'invalid_enum_value', `Must be one of ${known}`, property);
    return null;
  }
  const allowed = property === 'link' ? linkOperators : idOperators;
  const operator = readOperator(given['operator'], allowed, [...path, 'operator'], complain);
  if (operator === null) return null;
  const condition: WhereCondition = { property, operator };
  const problems = valueProblems(operator, given);
  if (!readCompared(operator, given, condition, problems, path, complain)) return null;
  const values: unknown[] = Array.isArray(condition.value) ? condition.value : [condition.value];
  const wrong = values.map((value) => emailValueProblem(property, value));
  for (const [index, found] of wrong.entries())
    if (found)
      complain(
        [...path, 'value', ...(Array.isArray(condition.value) ? [index] : [])],
        found[0],
        found[1],
        values[index],
      );
  return wrong.some(Boolean) ? null : condition;
}

function emailValueProblem(property: string, value: unknown): [code: string, message: string] | null {
  if (typeof value !== 'string') return ['invalid_type', 'Must be a string'];
  if (isReferring(property))
    return uuidForm.test(value) ? null : ['unknown_reference', 'No such record in this project'];
  if (property === 'topic' && !topicKeyForm.test(value))
    return ['unknown_topic', 'No such topic in this project'];
  if (property === 'type' && !among(emailClass.options, value))
    return ['invalid_enum_value', `Must be one of ${emailClass.options.join(', ')}`];
  return null;
}

const sinceKeys = ['last', 'olderThan', 'unit'];
const dateKeys = ['from', 'to'];

function readWindow(given: unknown, complain: Complain, unknown: Unknown): OccurrenceWindow | null {
  const at: Path = ['window'];
  if (!isObject(given)) {
    complain(at, 'invalid_type', 'Must be {last?, olderThan?, unit} or {from?, to?}', given);
    return null;
  }
  unknown(given, [...sinceKeys, ...dateKeys], at);
  const has = (key: string) => !isAbsent(given[key]);
  const isOfDates = dateKeys.some(has);
  if (!isOfDates && !has('last') && !has('olderThan')) {
    complain(at, 'required', 'Needs last, olderThan, from or to', given);
    return null;
  }
  const mixed = isOfDates ? sinceKeys.filter(has) : [];
  for (const key of mixed)
    complain([...at, key], 'unsupported_field', 'Does not apply together with from or to', given[key]);
  if (mixed.length > 0) return null;
  return isOfDates ? readDates(given, at, complain) : readSince(given, at, complain);
}

function readDates(given: Fields, at: Path, complain: Complain): OccurrenceWindow | null {
  const window: OccurrenceWindow = {};
  for (const key of ['from', 'to'] as const) {
    const value = given[key];
    if (isAbsent(value)) continue;
    if (typeof value !== 'string' || instantOf(value) === null) {
      complain([...at, key], 'invalid_date', 'Not a date', value);
      return null;
    }
    window[key] = value;
  }
  return window;
}

function readSince(given: Fields, at: Path, complain: Complain): OccurrenceWindow | null {
  let isRead = true;
  const window: OccurrenceWindow = { unit: given['unit'] as Unit };
  for (const key of ['last', 'olderThan'] as const) {
    if (isAbsent(given[key])) continue;
    const problems = valueProblems('within', { value: given[key], unit: units[0] });
    for (const { code, message, input } of problems) complain([...at, key], code, message, input);
    if (problems.length > 0) isRead = false;
    window[key] = Number(given[key]);
  }
  for (const { path, code, message, input } of valueProblems('within', { value: 0, unit: given['unit'] })) {
    complain([...at, ...path], code, message, input);
    isRead = false;
  }
  if (!isRead) return null;
  if (window.last !== undefined && window.olderThan !== undefined && window.last <= window.olderThan) {
    complain([...at, 'last'], 'too_small', 'Must be more than olderThan', window.last);
    return null;
  }
  return window;
}

function readTimes(given: unknown, complain: Complain, unknown: Unknown): OccurrenceTimes | null {
  const at: Path = ['times'];
  if (!isObject(given)) {
    complain(at, 'invalid_type', 'Must be {min?, max?}', given);
    return null;
  }
  unknown(given, ['min', 'max'], at);
  const times: OccurrenceTimes = {};
  for (const key of ['min', 'max'] as const) {
    const value = given[key];
    if (isAbsent(value)) continue;
    if (typeof value !== 'number' || !Number.isInteger(value))
      complain([...at, key], 'invalid_type', 'Must be a whole number', value);
    else if (value < 0) complain([...at, key], 'too_small', 'At least 0', value);
    else if (value > maxTimes) complain([...at, key], 'too_big', `At most ${maxTimes}`, value);
    else times[key] = value;
  }
  const { min, max } = times;
  if (isAbsent(given['min']) && isAbsent(given['max'])) complain(at, 'required', 'Needs min or max', given);
  else if (min !== undefined && max !== undefined && min > max)
    complain([...at, 'min'], 'too_big', 'At most max', min);
  else if (min === 0 && isAbsent(given['max']))
    complain([...at, 'min'], 'too_small', 'At least 1 without max', min);
  return min === undefined && max === undefined ? null : times;
}

/** What operators of instants apply to the time of an occurrence. */
const timeOperators: readonly ValueOperator[] = operatorsOf.date;

/** A figure is compared with a number, the first and the last occurrence by any operator on values. */
function readComparison(ref: FieldRef, filter: Filter, given: Fields, complain: Complain): void {
  const isFigure = among(figureOperators, filter.operator);
  if (isFigure || !isAbsent(given['property'])) {
    const property = ref.kind === 'event' ? readProperty(given['property'], ['property'], complain) : null;
    if (property !== null) filter.property = property;
  }
  const isTime = filter.property === undefined;
  const allowed = isFigure ? figureComparisons : isTime ? timeOperators : valueOperators;
  const compare = readOperator(given['compare'], allowed, ['compare'], complain);
  if (compare === null) return;
  filter.compare = compare;
  const problems = isFigure ? figureProblems(given['value']) : valueProblems(compare, given, isTime);
  readCompared(compare, given, filter, problems, [], complain);
}

function figureProblems(value: unknown): ValueProblem[] {
  const path = ['value'];
  if (value === undefined) return [{ path, code: 'required', message: 'Required', input: value }];
  return typeof value === 'number' && Number.isFinite(value)
    ? []
    : [{ path, code: 'invalid_type', message: 'Must be a finite number', input: value }];
}
