import {
  activities as activitySpellings,
  type EmailActivity,
  emailProperties,
  type Filter,
  type FilterTree,
  figureOperators,
  formOf,
  type FieldKind as GrammarKind,
  idOperators,
  isCount,
  isReferring,
  isStepActivity,
  linkOperators,
  type logics,
  type OccurrenceTimes,
  type OccurrenceWindow,
  type Operator,
  operatorsOf as operatorsOfKind,
  readField,
  readFilterTree,
  type Unit,
  type WhereCondition,
} from '@postrider/core/audience/segments/contract';
import { listOperators, type ValueOperator } from '@postrider/core/base/lib/contract';
import { listItems } from './list-items.rules.ts';

/** Filter trees (behaviour B2.5) as drafts that a form can edit. */

export type Logic = (typeof logics)[number];

/**
 * The kinds of fields to filter by. From `data` on they also need a name: a key, a topic, an event, an activity, a segment; a path of the context of an
 * execution, or of the output of a step; and, in a condition on occurrences, a property.
 */
export const fieldKinds = [
  'email',
  'subscribed',
  'createdAt',
  'updatedAt',
  'data',
  'topic',
  'event',
  'activity',
  'segment',
  'context',
  'step',
  'property',
] as const satisfies (Exclude<GrammarKind, 'date'> | 'createdAt' | 'updatedAt' | 'property')[];
export type FieldKind = (typeof fieldKinds)[number];

export function operatorsOf(kind: FieldKind): readonly Operator[] {
  if (kind === 'property') return operatorsOfKind.data;
  return operatorsOfKind[kind === 'createdAt' || kind === 'updatedAt' ? 'date' : kind];
}

/** Kinds whose values are any JSON, so that their type can be chosen. */
const valueKinds: readonly FieldKind[] = ['data', 'context', 'step', 'property'];
export const isValueKind = (kind: FieldKind): boolean => valueKinds.includes(kind);
/** Kinds that occur. */
export const isOccurrence = (kind: FieldKind): boolean => kind === 'event' || kind === 'activity';

/** One spelling of each activity. The API accepts two; this picks the last one, the past tense. */
const spellings = Object.fromEntries(
  Object.entries(activitySpellings).map(([spelling, activity]) => [activity, spelling]),
) as Readonly<Record<EmailActivity, string>>;
export const activities = Object.values(spellings);

export const hasName = (kind: FieldKind): boolean => kind === 'property' || Object.hasOwn(prefixes, kind);

/** The type of a value of contact data, where `1` and `"1"` are different values. */
export const valueTypes = ['text', 'number', 'boolean', 'date', 'list', 'nothing'] as const;
export type ValueType = (typeof valueTypes)[number];

/** One condition while it is edited, with its value as typed. */
export interface FilterDraft {
  key: string;
  kind: FieldKind;
  name: string;
  operator: Operator;
  value: string;
  /** the values of an operator that takes a list, with their types */
  list?: readonly (string | number | boolean)[];
  type: ValueType;
  unit: Unit;
  /** of a property: of what it is */
  of?: 'event' | 'activity';
  /** what an occurrence must meet to count: conditions of the kind `property` */
  where?: FilterDraft[];
  /** when occurrences count */
  window?: WindowDraft;
  /** how often it must occur */
  times?: TimesDraft;
  /** a figure over the occurrences: of which property, and how it is compared */
  figure?: { property: string; compare: ValueOperator };
  /** what the first or the last occurrence is compared with */
  edge?: Pick<Filter, 'property' | 'compare' | 'value' | 'unit'>;
}

export const windowKinds = ['always', 'last', 'olderThan', 'between', 'dates'] as const;

/** A window as typed. */
export interface WindowDraft {
  kind: (typeof windowKinds)[number];
  last: string;
  olderThan: string;
  unit: Unit;
  from: string;
  to: string;
}

export interface TimesDraft {
  min: string;
  max: string;
}

export const noWindow: WindowDraft = {
  kind: 'always',
  last: '',
  olderThan: '',
  unit: 'days',
  from: '',
  to: '',
};

/** Operators that need more than the builder has inputs for: it keeps those of a filter that was made elsewhere. */
const notOffered: readonly Operator[] = ['first', 'last'];

const isFigure = (operator: Operator): boolean => (figureOperators as readonly Operator[]).includes(operator);
const isEdge = (operator: Operator): boolean => notOffered.includes(operator);

/** What can be asked of occurrences with an operator. */
export const hasTimes = ({ operator }: FilterDraft): boolean => operator === 'occurred';
export const hasFigure = ({ operator }: FilterDraft): boolean => isFigure(operator);
export const hasWindow = ({ kind, name, operator }: FilterDraft): boolean =>
  (isCount(operator) || isFigure(operator)) &&
  (kind === 'event' || (kind === 'activity' && !timeless.includes(name)));
export const hasWhere = ({ kind, operator }: FilterDraft): boolean => isOccurrence(kind) && !isEdge(operator);

const timeless: readonly string[] = ['unsubscribed', 'cancelled'];

/** Conditions and nested groups, all or any of which must match. */
export interface TreeDraft {
  key: string;
  logic: Logic;
  items: (FilterDraft | TreeDraft)[];
}

export const isGroup = (item: FilterDraft | TreeDraft): item is TreeDraft => 'items' in item;

const visit = Math.random().toString(36).slice(2);
let lastKey = 0;
/** Identifies a row while it is edited. A restored draft has rows of an earlier visit. */
function newKey(): string {
  lastKey += 1;
  return `${visit}-${lastKey}`;
}

export const newFilter = (): FilterDraft => ({
  key: newKey(),
  kind: 'data',
  name: '',
  operator: 'equals',
  value: '',
  type: 'text',
  unit: 'days',
});
export const newCondition = (of: 'event' | 'activity' = 'event'): FilterDraft => ({
  ...newFilter(),
  kind: 'property',
  of,
});
export const newTree = (logic: Logic = 'AND'): TreeDraft => ({ key: newKey(), logic, items: [newFilter()] });

type ValueInput = 'none' | 'age' | 'days' | 'values' | ValueType;

/** The kind of control for the value of a filter. */
export function valueInputOf({ kind, operator, type }: FilterDraft): ValueInput {
  if (isFigure(operator)) return 'number';
  const form = formOf[operator];
  if (form === 'items') return 'list';
  if (form === 'list') return 'values';
  if (form !== 'any' && form !== 'text') return form;
  if (kind === 'email') return 'text';
  if (kind === 'subscribed' || kind === 'topic') return 'boolean';
  if (kind === 'createdAt' || kind === 'updatedAt') return 'date';
  return isSubstring(operator) || type === 'list' ? 'text' : type;
}

/** Whether the user can choose the type of the value: for a field whose type is not known, or whose filter has another one. */
export const hasType = (filter: FilterDraft, known: ValueType | undefined): boolean =>
  isValueKind(filter.kind) &&
  filter.name !== '' &&
  !isIdProperty(filter) &&
  known !== filter.type &&
  !['none', 'age', 'days', 'list'].includes(valueInputOf(filter)) &&
  !isSubstring(filter.operator);

const substring: readonly Operator[] = ['contains', 'notContains', 'startsWith', 'endsWith'];
const isSubstring = (operator: Operator): boolean => substring.includes(operator);

const comparing: readonly Operator[] = [
  'equals',
  'notEquals',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
];
const membership: readonly Operator[] = ['isAnyOf', 'isNoneOf'];
const presence: readonly Operator[] = ['exists', 'notExists', 'isEmpty', 'isNotEmpty'];
const moments: readonly Operator[] = [
  'within',
  'withinNext',
  'olderThan',
  'laterThan',
  'onDay',
  'anniversaryWithinNext',
];
const ofType: Partial<Record<ValueType, readonly Operator[]>> = {
  text: ['equals', 'notEquals', ...membership, ...substring, ...presence],
  number: [...comparing, ...membership, ...presence],
  boolean: ['equals', 'notEquals', ...presence],
  date: [...comparing, ...moments, ...presence],
  list: [...listOperators, ...presence],
};

/** The operators that make sense for the type of a field; the one in use is always among them. */
export function operatorsFor(filter: FilterDraft, known: ValueType | undefined): readonly Operator[] {
  const all = operatorsOfName(filter).filter((each) => !notOffered.includes(each));
  const fitting = isValueKind(filter.kind) && known ? (ofType[known] ?? all) : all;
  return fitting.includes(filter.operator) ? fitting : [...fitting, filter.operator];
}

/** Of a step, what became of its email is no value; properties of emails are ids, texts and links. */
function operatorsOfName({ kind, name, of }: FilterDraft): readonly Operator[] {
  if (kind === 'step')
    return operatorsOf(kind).filter((each) => isCount(each) === isStepActivity(pathOfStep(name)));
  if (kind === 'property' && of === 'activity') return name === 'link' ? linkOperators : idOperators;
  if (kind === 'activity' && timeless.includes(name))
    return operatorsOf(kind).filter(
      (each) => isCount(each) || each === 'triggered' || each === 'notTriggered',
    );
  return operatorsOf(kind);
}

/** The path behind the key of a step: `opened` of `welcome.opened`. */
export const pathOfStep = (name: string): string => name.slice(name.indexOf('.') + 1);
export const keyOfStep = (name: string): string => name.slice(0, Math.max(0, name.indexOf('.')));

/** A property of an email, which has values of its own. */
export const isIdProperty = ({ kind, of }: FilterDraft): boolean => kind === 'property' && of === 'activity';
export { emailProperties, isReferring };

/**
 * The filter with another field, given as in the API: `data.plan`, `event.order.paid`. Its operator and value are kept
 * where they still apply.
 */
export function withField(filter: FilterDraft, field: string, known: ValueType | undefined): FilterDraft {
  const { where, window, times: _, figure: __, edge: ___, ...same } = filter;
  const next: FilterDraft = { ...same, ...attributeOf(field) };
  // What is asked of the data of one event can be asked of another.
  if (where && filter.kind === next.kind) next.where = where;
  if (window && hasWindow(next)) next.window = window;
  next.type = isValueKind(next.kind) ? (known ?? 'text') : 'text';
  const fitting = isValueKind(next.kind) && known ? (ofType[known] ?? []) : operatorsOfName(next);
  if (!fitting.includes(next.operator)) next.operator = fitting[0] ?? 'equals';
  const input = valueInputOf(next);
  if (input !== valueInputOf(filter) || next.kind !== filter.kind || next.name !== filter.name) {
    next.value = '';
    next.list = [];
  }
  if (input === 'boolean' && next.value === '') next.value = 'true';
  return next;
}

/** The filter with another operator; a value of another kind is dropped. */
export function withOperator(filter: FilterDraft, operator: Operator): FilterDraft {
  const { window, times, figure, edge: _, ...same } = filter;
  const next: FilterDraft = { ...same, operator };
  if (window && hasWindow(next)) next.window = window;
  if (times && hasTimes(next)) next.times = times;
  if (isFigure(operator)) next.figure = figure ?? { property: '', compare: 'greaterThan' };
  const [before, after] = [valueInputOf(filter), valueInputOf(next)];
  if (before === after || before === 'none') return next;
  return { ...next, value: after === 'boolean' ? 'true' : after === 'none' ? filter.value : '' };
}

const prefixes = {
  data: 'data.',
  topic: 'topic.',
  event: 'event.',
  activity: 'email.',
  segment: 'segment.',
  context: 'context.',
  step: 'step.',
} as const;

/** The field as in the API; empty while a name is missing. A property is its name. */
export function fieldOf({ kind, name }: FilterDraft): string {
  if (kind === 'property') return name;
  return Object.hasOwn(prefixes, kind) ? `${prefixes[kind as keyof typeof prefixes]}${name}` : kind;
}

function sentValue(filter: FilterDraft): unknown {
  switch (valueInputOf(filter)) {
    case 'nothing':
      return null;
    case 'boolean':
      return filter.value === 'true';
    case 'list':
      return listItems(filter.value);
    case 'values':
      return filter.list ?? [];
    case 'number':
    case 'age':
    case 'days':
      return filter.value.trim() === '' ? undefined : Number(filter.value);
    default:
      return filter.value;
  }
}

function toFilter(draft: FilterDraft): Filter {
  const filter: Filter = { field: fieldOf(draft), operator: draft.operator };
  const input = valueInputOf(draft);
  if (input !== 'none') filter.value = sentValue(draft);
  if (input === 'age') filter.unit = draft.unit;
  const { where = [], window, times, figure, edge } = draft;
  if (where.length > 0) filter.where = where.map(toCondition);
  if (window && window.kind !== 'always') filter.window = toWindow(window);
  if (times && (times.min !== '' || times.max !== '')) filter.times = toTimes(times);
  if (figure) Object.assign(filter, figure, { unit: draft.unit });
  return { ...filter, ...edge };
}

/** A condition on an occurrence, as the API accepts it. */
export function toCondition(draft: FilterDraft): WhereCondition {
  const { field: property, operator, ...compared } = toFilter(draft);
  return { property, operator: operator as ValueOperator, ...compared };
}

/** Whether a condition on an occurrence is filled in. */
export const isConditionFilled = (draft: FilterDraft): boolean => isFilled(draft);

/** The draft for editing a condition on an occurrence. @param of of what it is */
export const fromCondition = (
  { property, ...condition }: WhereCondition,
  of: 'event' | 'activity',
): FilterDraft => ({
  ...fromFilter({ field: property, ...condition }),
  kind: 'property',
  name: property,
  of,
});

function toWindow({ kind, last, olderThan, unit, from, to }: WindowDraft): OccurrenceWindow {
  if (kind === 'dates') return { ...(from !== '' && { from }), ...(to !== '' && { to }) };
  return {
    ...(kind !== 'olderThan' && { last: Number(last) }),
    ...(kind !== 'last' && { olderThan: Number(olderThan) }),
    unit,
  };
}

function fromWindow({ last, olderThan, unit = 'days', from = '', to = '' }: OccurrenceWindow): WindowDraft {
  const text = (amount: number | undefined) => (amount === undefined ? '' : String(amount));
  const kind =
    last === undefined
      ? olderThan === undefined
        ? 'dates'
        : 'olderThan'
      : olderThan === undefined
        ? 'last'
        : 'between';
  return { kind, last: text(last), olderThan: text(olderThan), unit, from, to };
}

const toTimes = ({ min, max }: TimesDraft): OccurrenceTimes => ({
  ...(min !== '' && { min: Number(min) }),
  ...(max !== '' && { max: Number(max) }),
});

const fromTimes = ({ min, max }: OccurrenceTimes): TimesDraft => ({
  min: min === undefined ? '' : String(min),
  max: max === undefined ? '' : String(max),
});

/**
 * The filter tree of a draft, as the API accepts it. There, the filters of a group must all match, together with at most
 * one nested tree.
 */
export const toTree = (tree: TreeDraft): FilterTree => {
  const parts = partsOf(tree);
  return { logic: tree.logic, groups: parts.map(({ filters, nested }) => groupOf(filters, nested)) };
};

const groupOf = (
  filters: readonly FilterDraft[],
  nested: TreeDraft | null,
): FilterTree['groups'][number] => ({
  filters: filters.map(toFilter),
  ...(nested && { conditions: toTree(nested) }),
});

/** How the items of a draft are divided into groups of the API. */
function partsOf({ logic, items }: TreeDraft): { filters: FilterDraft[]; nested: TreeDraft | null }[] {
  if (logic === 'OR') return items.map(partOf);
  const filters = items.filter((item): item is FilterDraft => !isGroup(item));
  const groups = items.filter(isGroup);
  if (groups.length <= 1) return [{ filters, nested: groups[0] ?? null }];
  return [...(filters.length > 0 ? [{ filters, nested: null }] : []), ...groups.map(partOf)];
}

function partOf(item: FilterDraft | TreeDraft): { filters: FilterDraft[]; nested: TreeDraft | null } {
  if (!isGroup(item)) return { filters: [item], nested: null };
  const [only, ...more] = item.logic === 'AND' ? partsOf(item) : [];
  return only && more.length === 0 ? only : { filters: [], nested: item };
}

/** The path of each condition and group in the API's messages, by key: `condition.groups.0.filters.1`. */
export function pathsIn(tree: TreeDraft, path: string): Map<string, string> {
  const paths = new Map([[tree.key, path]]);
  for (const [index, { filters, nested }] of partsOf(tree).entries()) {
    const group = `${path}.groups.${index}`;
    for (const [position, { key, where = [] }] of filters.entries()) {
      const at = `${group}.filters.${position}`;
      paths.set(key, at);
      for (const [index, condition] of where.entries()) paths.set(condition.key, `${at}.where.${index}`);
    }
    if (!nested) continue;
    for (const [key, each] of pathsIn(nested, `${group}.conditions`)) paths.set(key, each);
  }
  return paths;
}

const filtersIn = ({ items }: TreeDraft): FilterDraft[] =>
  items.flatMap((item) => (isGroup(item) ? filtersIn(item) : item));

/** The number of conditions. */
export const countIn = (tree: TreeDraft): number => filtersIn(tree).length;

/** Whether all fields are filled in, so that the matches can be counted. */
export const isComplete = (tree: TreeDraft): boolean =>
  tree.items.length > 0 && tree.items.every((item) => (isGroup(item) ? isComplete(item) : isFilled(item)));

/** What is missing in a tree, as messages by the names that the API gives its fields. */
export function missingIn(tree: TreeDraft, path: string): Record<string, string> {
  const missing: Record<string, string> = {};
  const paths = pathsIn(tree, path);
  for (const filter of filtersIn(tree)) {
    if (isFilled(filter)) continue;
    const at = paths.get(filter.key);
    if (hasName(filter.kind) && filter.name.trim() === '')
      missing[`${at}.field`] = nameMissing[filter.kind] ?? 'Enter a name';
    else if (!isWindowFilled(filter.window)) missing[`${at}.window`] = 'Enter when it counts';
    else if (!areTimesFilled(filter)) missing[`${at}.times`] = 'Enter whole numbers';
    else if (filter.figure?.property === '') missing[`${at}.property`] = 'Enter a property';
    else if (!isValueFilled(filter)) missing[`${at}.value`] = 'Enter a value';
    for (const condition of filter.where ?? []) {
      if (isFilled(condition)) continue;
      const part = condition.name.trim() === '' ? 'property' : 'value';
      missing[`${paths.get(condition.key)}.${part}`] =
        part === 'value' ? 'Enter a value' : 'Enter a property';
    }
  }
  return missing;
}

const nameMissing: Partial<Record<FieldKind, string>> = {
  data: 'Select a field',
  topic: 'Select a topic',
  event: 'Enter the name of an event',
  segment: 'Select a segment',
};

const isAmount = (text: string): boolean => text.trim() !== '' && Number(text) >= 0;
const isWhole = (text: string): boolean => text === '' || (isAmount(text) && Number.isInteger(Number(text)));

function isWindowFilled({ kind, last, olderThan, from, to } = noWindow): boolean {
  if (kind === 'always') return true;
  if (kind === 'dates') return from !== '' || to !== '';
  return (kind === 'olderThan' || isAmount(last)) && (kind === 'last' || isAmount(olderThan));
}

const areTimesFilled = ({ times }: FilterDraft): boolean =>
  !times || (isWhole(times.min) && isWhole(times.max));

function isFilled(filter: FilterDraft): boolean {
  if (filter.edge !== undefined) return true;
  if (hasName(filter.kind) && filter.name.trim() === '') return false;
  if (!isWindowFilled(filter.window) || !areTimesFilled(filter) || filter.figure?.property === '')
    return false;
  return isValueFilled(filter) && (filter.where ?? []).every(isFilled);
}

function isValueFilled(filter: FilterDraft): boolean {
  if (filter.edge !== undefined) return true;
  if (isIdProperty(filter) && filter.value === '' && (filter.list ?? []).length === 0) return false;
  const input = valueInputOf(filter);
  if (input === 'values') return areFilled(filter.list ?? [], filter.type);
  if (input === 'days' && !Number.isInteger(Number(filter.value))) return false;
  if (input === 'age' || input === 'number' || input === 'days')
    return filter.value.trim() !== '' && Number.isFinite(Number(filter.value));
  if (input === 'list') return listItems(filter.value).length > 0;
  return input !== 'date' || filter.value !== '';
}

/** Text that is no number stays text in a list of numbers. */
const areFilled = (items: readonly unknown[], type: ValueType): boolean =>
  items.length > 0 && (type !== 'number' || items.every((item) => typeof item !== 'string'));

/** The values of a list as it was typed, one per line. */
export const valuesIn = (text: string, type: ValueType): (string | number | boolean)[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      if (type === 'number' && Number.isFinite(Number(line))) return Number(line);
      return type === 'boolean' ? line.trim() === 'true' : line.trim();
    });

function typeOf(value: unknown): ValueType {
  if (Array.isArray(value)) return 'list';
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text';
}

function textOf(operator: Operator, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (formOf[operator] === 'items' && Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function fromFilter({ field, operator, value, unit = 'days', ...given }: Filter): FilterDraft {
  const { where, window, times, property = '', compare } = given;
  const attribute = attributeOf(field);
  const of = attribute.kind === 'activity' ? 'activity' : 'event';
  return {
    key: newKey(),
    ...attribute,
    operator,
    ...(where && { where: where.map((each) => fromCondition(each, of)) }),
    ...(window && { window: fromWindow(window) }),
    ...(times && { times: fromTimes(times) }),
    ...(compare !== undefined && isFigure(operator) && { figure: { property, compare } }),
    // What the first or last occurrence is compared with has the form of any operator on values.
    ...(compare !== undefined &&
      isEdge(operator) && { edge: { ...(property !== '' && { property }), compare, value, unit } }),
    ...(formOf[operator] === 'list' && Array.isArray(value)
      ? { value: '', list: value, type: typeOf(value[0]) }
      : { value: textOf(operator, value), type: typeOf(value) }),
    unit,
  };
}

function attributeOf(field: string): Pick<FilterDraft, 'kind' | 'name'> {
  const ref = readField(field);
  if (typeof ref === 'string') return { kind: 'data', name: field };
  switch (ref.kind) {
    case 'date':
      return { kind: ref.column, name: '' };
    case 'data':
      return { kind: 'data', name: ref.key };
    case 'topic':
      return { kind: 'topic', name: ref.key };
    case 'event':
      return { kind: 'event', name: ref.name };
    case 'activity':
      return { kind: 'activity', name: spellings[ref.activity] };
    case 'segment':
      return { kind: 'segment', name: ref.id };
    case 'context':
      return { kind: 'context', name: ref.path };
    case 'step':
      return { kind: 'step', name: `${ref.key}.${ref.path}` };
    default:
      return { kind: ref.kind, name: '' };
  }
}

/** The draft for editing a filter tree: groups that hold one thing only are dissolved. */
export function fromTree({ logic, groups }: FilterTree): TreeDraft {
  const key = newKey();
  const parts = groups.map(itemsOf);
  const [only = []] = parts;
  const [item] = only;
  if (parts.length === 1 && only.length === 1 && item && isGroup(item)) return item;
  if (logic === 'AND' || parts.length === 1) return { key, logic: 'AND', items: parts.flat() };
  return { key, logic, items: parts.map((items) => oneOf({ key: newKey(), logic: 'AND', items })) };
}

const itemsOf = ({ filters, conditions }: FilterTree['groups'][number]): TreeDraft['items'] => [
  ...filters.map(fromFilter),
  ...(conditions ? [oneOf(fromTree(conditions))] : []),
];

/** A group, or its only item. */
function oneOf(group: TreeDraft): FilterDraft | TreeDraft {
  const [item, ...more] = group.items;
  return item && more.length === 0 ? item : group;
}

/** Narrows a condition from the API, where it is typed as any JSON. */
export const isTree = (value: unknown): value is FilterTree =>
  typeof value === 'object' &&
  value !== null &&
  'logic' in value &&
  'groups' in value &&
  Array.isArray(value.groups);

/** Reads the filter tree in an address, which people can edit; null if it is not a filter tree. */
export function parseTree(json: string): TreeDraft | null {
  const { tree } = readFilterTree(json === '' ? null : readJson(json));
  return tree && fromTree(tree);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so it is no tree.
    return null;
  }
}
