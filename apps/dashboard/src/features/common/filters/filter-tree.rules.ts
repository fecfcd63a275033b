import {
  activities as activitySpellings,
  type EmailActivity,
  type Filter,
  type FilterTree,
  formOf,
  type FieldKind as GrammarKind,
  type logics,
  type Operator,
  operatorsOf as operatorsOfKind,
  readField,
  readFilterTree,
  type Unit,
} from '@postrider/core/audience/segments/contract';
import { listOperators } from '@postrider/core/base/lib/contract';
import { listItems } from './list-items.rules.ts';

/** Filter trees (behaviour B2.5) as drafts that a form can edit. */

export type Logic = (typeof logics)[number];

/** The kinds of fields to filter by. The last four also need a name: a key, an event, an activity, a segment. */
export const fieldKinds = [
  'email',
  'subscribed',
  'createdAt',
  'updatedAt',
  'data',
  'event',
  'activity',
  'segment',
] as const satisfies (Exclude<GrammarKind, 'date'> | 'createdAt' | 'updatedAt')[];
export type FieldKind = (typeof fieldKinds)[number];

export const operatorsOf = (kind: FieldKind): readonly Operator[] =>
  operatorsOfKind[kind === 'createdAt' || kind === 'updatedAt' ? 'date' : kind];

/** One spelling of each activity. The API accepts two; this picks the last one, the past tense. */
const spellings = Object.fromEntries(
  Object.entries(activitySpellings).map(([spelling, activity]) => [activity, spelling]),
) as Readonly<Record<EmailActivity, string>>;
export const activities = Object.values(spellings);

export const hasName = (kind: FieldKind): boolean => Object.hasOwn(prefixes, kind);

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
  /** which occurrences count, and how often */
  occurrences?: Occurrences;
}

type Occurrences = Pick<Filter, 'where' | 'window' | 'times' | 'property' | 'compare'> &
  Partial<Pick<Filter, 'value' | 'unit'>>;

/** Operators that need more than the builder has inputs for: it keeps those of a filter that was made elsewhere. */
const notOffered: readonly Operator[] = [
  'occurred',
  'notOccurred',
  'total',
  'average',
  'smallest',
  'largest',
  'distinct',
  'first',
  'last',
];

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
export const newTree = (logic: Logic = 'AND'): TreeDraft => ({ key: newKey(), logic, items: [newFilter()] });

type ValueInput = 'none' | 'age' | 'days' | 'values' | ValueType;

/** The kind of control for the value of a filter. */
export function valueInputOf({ kind, operator, type }: FilterDraft): ValueInput {
  const form = formOf[operator];
  if (form === 'items') return 'list';
  if (form === 'list') return 'values';
  if (form !== 'any' && form !== 'text') return form;
  if (kind === 'email') return 'text';
  if (kind === 'subscribed') return 'boolean';
  if (kind === 'createdAt' || kind === 'updatedAt') return 'date';
  return isSubstring(operator) || type === 'list' ? 'text' : type;
}

/** Whether the user can choose the type of the value: for a field whose type is not known, or whose filter has another one. */
export const hasType = (filter: FilterDraft, known: ValueType | undefined): boolean =>
  filter.kind === 'data' &&
  filter.name !== '' &&
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
  const all = operatorsOf(filter.kind).filter((each) => !notOffered.includes(each));
  const fitting = filter.kind === 'data' && known ? (ofType[known] ?? all) : all;
  return fitting.includes(filter.operator) ? fitting : [...fitting, filter.operator];
}

/**
 * The filter with another field, given as in the API: `data.plan`, `event.order.paid`. Its operator and value are kept
 * where they still apply.
 */
export function withField(filter: FilterDraft, field: string, known: ValueType | undefined): FilterDraft {
  const { occurrences: _other, ...same } = filter;
  const next: FilterDraft = { ...same, ...attributeOf(field) };
  next.type = next.kind === 'data' ? (known ?? 'text') : 'text';
  const fitting = next.kind === 'data' && known ? (ofType[known] ?? []) : operatorsOf(next.kind);
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
  const { occurrences: _other, ...same } = filter;
  const next = { ...same, operator };
  const [before, after] = [valueInputOf(filter), valueInputOf(next)];
  if (before === after || before === 'none') return next;
  return { ...next, value: after === 'boolean' ? 'true' : after === 'none' ? filter.value : '' };
}

const prefixes = { data: 'data.', event: 'event.', activity: 'email.', segment: 'segment.' } as const;

/** The field as in the API; empty while a name is missing. */
export const fieldOf = ({ kind, name }: FilterDraft): string =>
  Object.hasOwn(prefixes, kind) ? `${prefixes[kind as keyof typeof prefixes]}${name}` : kind;

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
  return { ...filter, ...draft.occurrences };
}

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
    for (const [position, { key }] of filters.entries()) paths.set(key, `${group}.filters.${position}`);
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
    else missing[`${at}.value`] = 'Enter a value';
  }
  return missing;
}

const nameMissing: Partial<Record<FieldKind, string>> = {
  data: 'Select a field',
  event: 'Enter the name of an event',
  segment: 'Select a segment',
};

function isFilled(filter: FilterDraft): boolean {
  if (filter.occurrences?.compare !== undefined) return true;
  if (hasName(filter.kind) && filter.name.trim() === '') return false;
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
  // What the first or last occurrence is compared with has the form of any operator on values.
  const occurrences: Occurrences = given.compare === undefined ? given : { ...given, value, unit };
  return {
    ...(Object.keys(occurrences).length > 0 && { occurrences }),
    key: newKey(),
    ...attributeOf(field),
    operator,
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
    case 'event':
      return { kind: 'event', name: ref.name };
    case 'activity':
      return { kind: 'activity', name: spellings[ref.activity] };
    case 'segment':
      return { kind: 'segment', name: ref.id };
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
