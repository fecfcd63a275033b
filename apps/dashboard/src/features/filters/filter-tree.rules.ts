import {
  activities as activitySpellings,
  type EmailActivity,
  type Filter,
  type FilterTree,
  type FieldKind as GrammarKind,
  type logics,
  needsUnit,
  needsValue,
  type Operator,
  operatorsOf as operatorsOfKind,
  readField,
  type Unit,
} from '@postrider/core/segments/contract';

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
export const valueTypes = ['text', 'number', 'boolean', 'date', 'nothing'] as const;
export type ValueType = (typeof valueTypes)[number];

/** One filter while it is edited, with its value as typed. */
export interface FilterDraft {
  key: number;
  kind: FieldKind;
  name: string;
  operator: Operator;
  value: string;
  type: ValueType;
  unit: Unit;
}

export interface GroupDraft {
  key: number;
  filters: FilterDraft[];
  conditions: TreeDraft | null;
}

export interface TreeDraft {
  logic: Logic;
  groups: GroupDraft[];
}

let lastKey = 0;
/** Identifies a row while it is edited. */
function newKey(): number {
  lastKey += 1;
  return lastKey;
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
export const newGroup = (): GroupDraft => ({ key: newKey(), filters: [newFilter()], conditions: null });
export const newTree = (): TreeDraft => ({ logic: 'AND', groups: [newGroup()] });

type ValueInput = 'none' | 'age' | ValueType;

/** The kind of control for the value of a filter. */
export function valueInputOf({ kind, operator, type }: FilterDraft): ValueInput {
  if (!needsValue(operator)) return 'none';
  if (needsUnit(operator)) return 'age';
  if (kind === 'email') return 'text';
  if (kind === 'subscribed') return 'boolean';
  if (kind === 'createdAt' || kind === 'updatedAt') return 'date';
  return operator === 'contains' || operator === 'notContains' ? 'text' : type;
}

/** Whether the user can choose the type of the value. */
export const hasType = (filter: FilterDraft): boolean =>
  filter.kind === 'data' && !['none', 'age'].includes(valueInputOf(filter)) && !isSubstring(filter.operator);

const isSubstring = (operator: Operator): boolean => operator === 'contains' || operator === 'notContains';

/** The filter with another kind of field; its operator, name and value are reset where they no longer apply. */
export function withKind(filter: FilterDraft, kind: FieldKind): FilterDraft {
  const operators = operatorsOf(kind);
  const operator = operators.includes(filter.operator) ? filter.operator : (operators[0] ?? 'equals');
  const name = kind === 'activity' ? 'opened' : '';
  return { ...filter, kind, name, operator, value: kind === 'subscribed' ? 'true' : '', type: 'text' };
}

const prefixes = { data: 'data.', event: 'event.', activity: 'email.', segment: 'segment.' } as const;

const fieldOf = ({ kind, name }: FilterDraft): string =>
  Object.hasOwn(prefixes, kind) ? `${prefixes[kind as keyof typeof prefixes]}${name}` : kind;

function sentValue(filter: FilterDraft): unknown {
  switch (valueInputOf(filter)) {
    case 'nothing':
      return null;
    case 'boolean':
      return filter.value === 'true';
    case 'number':
    case 'age':
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
  return filter;
}

/** The filter tree of a draft, as the API accepts it. */
export const toTree = ({ logic, groups }: TreeDraft): FilterTree => ({
  logic,
  groups: groups.map(({ filters, conditions }) => ({
    filters: filters.map(toFilter),
    ...(conditions && { conditions: toTree(conditions) }),
  })),
});

/** Whether all fields are filled in, so that the matches can be counted. */
export const isComplete = ({ groups }: TreeDraft): boolean =>
  groups.length > 0 &&
  groups.every(
    ({ filters, conditions }) =>
      filters.length + (conditions ? 1 : 0) > 0 &&
      filters.every(isFilled) &&
      (conditions === null || isComplete(conditions)),
  );

/** What is missing in a tree, as messages by the names that the API gives its fields. */
export function missingIn({ groups }: TreeDraft, path: string): Record<string, string> {
  const missing: Record<string, string> = {};
  for (const [index, { filters, conditions }] of groups.entries()) {
    const group = `${path}.groups.${index}`;
    for (const [position, filter] of filters.entries()) {
      if (isFilled(filter)) continue;
      const field = `${group}.filters.${position}`;
      if (hasName(filter.kind) && filter.name.trim() === '')
        missing[`${field}.field`] = nameMissing[filter.kind] ?? 'Enter a name';
      else missing[`${field}.value`] = 'Enter a value';
    }
    if (conditions) Object.assign(missing, missingIn(conditions, `${group}.conditions`));
  }
  return missing;
}

const nameMissing: Partial<Record<FieldKind, string>> = {
  data: 'Enter a field name',
  event: 'Enter the name of an event',
  segment: 'Select a segment',
};

function isFilled(filter: FilterDraft): boolean {
  if (hasName(filter.kind) && filter.name.trim() === '') return false;
  const input = valueInputOf(filter);
  if (input === 'age' || input === 'number')
    return filter.value.trim() !== '' && Number.isFinite(Number(filter.value));
  return input !== 'date' || filter.value !== '';
}

function typeOf(value: unknown): ValueType {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text';
}

function fromFilter({ field, operator, value, unit = 'days' }: Filter): FilterDraft {
  return {
    key: newKey(),
    ...attributeOf(field),
    operator,
    value:
      value === null || value === undefined
        ? ''
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value),
    type: typeOf(value),
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

/** The draft for editing a filter tree. */
export const fromTree = ({ logic, groups }: FilterTree): TreeDraft => ({
  logic,
  groups: groups.map(({ filters, conditions }) => ({
    key: newKey(),
    filters: filters.map(fromFilter),
    conditions: conditions ? fromTree(conditions) : null,
  })),
});

/** Narrows a condition from the API, where it is typed as any JSON. */
export const isTree = (value: unknown): value is FilterTree =>
  typeof value === 'object' &&
  value !== null &&
  'logic' in value &&
  'groups' in value &&
  Array.isArray(value.groups);
