import { z } from 'zod';
import { accepting } from '../../base/kernel/schemas.ts';
import { nameText } from '../../base/lib/names.rules.ts';
import { type ValueOperator, valueFormOf, valueProblems } from '../../base/lib/value-operators.rules.ts';
import { filterTreeForm, workflowTreeForm } from './filter-forms.schema.ts';
import {
  edgeOperators,
  type FieldRef,
  type Filter,
  type FilterGroup,
  type FilterTree,
  figureOperators,
  formOf,
  isOfExecution,
  logics,
  needsUnit,
  needsValue,
  type Operator,
  operators,
  operatorsOfField,
  readField,
  type Unit,
  wordsOf,
} from './filters.rules.ts';
import { isHeavy, occurrenceKeys, readOccurrence } from './occurrences.schema.ts';

export type { Filter, FilterTree } from './filters.rules.ts';

/** Levels of a tree. */
export const maxFilterDepth = 10;
const maxFilters = 200;
/** Values of all lists of a tree. */
const maxValues = 5_000;
/** Filters with `where`, `window`, `times` or `compare`. */
export const maxHeavyFilters = 20;
const maxIssues = 1_000;

export interface FilterIssue {
  path: (string | number)[];
  code: string;
  message: string;
  input: unknown;
}

type Path = (string | number)[];
type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

const isValueOperator = (operator: Operator): operator is ValueOperator =>
  Object.hasOwn(valueFormOf, operator);

/** The value of other operators is that of their `compare`. */
const isSelfCompared = (operator: Operator): boolean =>
  !(figureOperators as readonly string[]).includes(operator) &&
  !(edgeOperators as readonly string[]).includes(operator);

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const nodeFields = ['logic', 'groups'];
const groupFields = ['filters', 'conditions'];
const filterFields = ['field', 'operator', 'value', 'unit', ...occurrenceKeys];

export interface TreeOptions {
  /** whether unknown fields are problems: those of a body are named by its door, those of JSON in a text are not */
  namesUnknown?: boolean;
  /** whether fields of executions may be named (`context.…`, `step.…`), as in trees of workflows */
  ofExecution?: boolean;
}

/** Parses a tree and collects its problems, each with its path. */
class TreeReader {
  readonly issues: FilterIssue[] = [];
  #filters = 0;
  #values = 0;
  #heavy = 0;
  readonly #namesUnknown: boolean;
  readonly #ofExecution: boolean;

  constructor({ namesUnknown = false, ofExecution = false }: TreeOptions) {
    this.#namesUnknown = namesUnknown;
    this.#ofExecution = ofExecution;
  }

  /** Further problems would only make the reply longer. */
  get #isHopeless(): boolean {
    return this.issues.length >= maxIssues;
  }

  complain(path: Path, code: string, message: string, input: unknown): null {
    if (this.#isHopeless) return null;
    this.issues.push({ path, code, message, input });
    return null;
  }

  node(value: unknown, path: Path, depth: number): FilterTree | null {
    if (value === undefined || value === null) return this.complain(path, 'required', 'Required', value);
    if (!isObject(value)) return this.complain(path, 'invalid_type', 'Must be {logic, groups}', value);
    if (depth > maxFilterDepth)
      return this.complain(path, 'too_big', `At most ${maxFilterDepth} levels`, undefined);
    this.#onlyFields(value, nodeFields, path);
    const logic = this.#word(value['logic'], [...path, 'logic'], (word) => logics.includes(word as never));
    const groups = this.#groups(value['groups'], [...path, 'groups'], depth);
    return logic === null || groups === null ? null : { logic: logic as FilterTree['logic'], groups };
  }

  #groups(value: unknown, path: Path, depth: number): FilterGroup[] | null {
    if (value === undefined || value === null) return this.complain(path, 'required', 'Required', value);
    if (!Array.isArray(value)) return this.complain(path, 'invalid_type', 'Must be an array', value);
    if (value.length === 0) return this.complain(path, 'too_small', 'At least one group', value);
    const groups: FilterGroup[] = [];
    for (const [index, each] of value.entries()) {
      if (this.#filters > maxFilters || this.#isHopeless) break;
      const group = this.#group(each, [...path, index], depth);
      if (group) groups.push(group);
    }
    return groups;
  }

  #group(value: unknown, path: Path, depth: number): FilterGroup | null {
    if (!isObject(value)) return this.complain(path, 'invalid_type', 'Must be {filters}', value);
    this.#onlyFields(value, groupFields, path);
    const { filters: given = null, conditions = null } = value;
    if (given !== null && !Array.isArray(given))
      return this.complain([...path, 'filters'], 'invalid_type', 'Must be an array', given);
    const list: unknown[] = given ?? [];
    if (list.length === 0 && conditions === null)
      return this.complain(path, 'too_small', 'A group needs a filter or conditions', value);
    const filters: Filter[] = [];
    for (const [index, each] of list.entries()) {
      this.#filters += 1;
      if (this.#filters > maxFilters) break;
      const filter = this.#filter(each, [...path, 'filters', index]);
      if (filter) filters.push(filter);
    }
    if (conditions === null) return { filters };
    return { filters, conditions: this.node(conditions, [...path, 'conditions'], depth + 1) };
  }

  #filter(value: unknown, path: Path): Filter | null {
    if (!isObject(value)) return this.complain(path, 'invalid_type', 'Must be {field, operator}', value);
    this.#onlyFields(value, filterFields, path);
    const field = this.#field(value['field'], [...path, 'field']);
    const name = typeof value['field'] === 'string' ? composed(value['field']) : '';
    const operator = this.#word(value['operator'], [...path, 'operator'], (word) => operators.has(word));
    if (operator === null) return null;
    if (field && !(operatorsOfField(field) as readonly string[]).includes(operator))
      return this.complain(
        [...path, 'operator'],
        'unsupported_operator',
        `The operator ${operator} is not supported for ${name}`,
        operator,
      );
    const filter: Filter = { field: name, operator: operator as Operator };
    if (isSelfCompared(filter.operator)) {
      if (needsValue(filter.operator) && !this.#value(field, filter, value, path)) return null;
    }
    if (!field) return null;
    readOccurrence(
      field,
      filter,
      value,
      (at, ...rest) => this.complain([...path, ...at], ...rest),
      this.#namesUnknown,
    );
    for (const { value: list } of filter.where ?? []) this.#countValues(list);
    if (filter.compare !== undefined) this.#countValues(filter.value);
    if (isHeavy(filter)) this.#heavy += 1;
    return filter;
  }

  #countValues(list: unknown): void {
    if (Array.isArray(list)) this.#values += list.length;
  }

  /** Names that begin with `_` are not looked at, as everywhere (behaviour B1.1). */
  #onlyFields(value: Fields, known: readonly string[], path: Path): void {
    if (!this.#namesUnknown) return;
    for (const name of Object.keys(value))
      if (!known.includes(name) && !name.startsWith('_'))
        this.complain([...path, name], 'unsupported_field', 'Unknown field', value[name]);
  }

  #field(value: unknown, path: Path): FieldRef | null {
    if (isMissing(value)) return this.complain(path, 'required', 'Required', value);
    if (typeof value !== 'string') return this.complain(path, 'invalid_type', 'Must be a string', value);
    const known = readField(value);
    const ref =
      typeof known !== 'string' && isOfExecution(known) && !this.#ofExecution ? 'unsupported_field' : known;
    if (typeof ref === 'string')
      return this.complain(
        path,
        ref,
        value.endsWith('.') ? 'Enter a field name' : `${value} is not a filter field`,
        value,
      );
    if (ref.kind === 'segment' && !uuidForm.test(ref.id))
      return this.complain(path, 'unknown_segment', 'No such segment in this project', value);
    return ref;
  }

  /** Gives the filter its value. @returns whether the operator accepts it */
  #value(field: FieldRef | null, filter: Filter, given: Fields, path: Path): boolean {
    const { operator } = filter;
    // Occurrences within a period have a value of the form of `within`.
    const like: ValueOperator = isValueOperator(operator) ? operator : 'within';
    const problems = valueProblems(like, given, field?.kind === 'date');
    for (const { path: at, code, message, input } of problems)
      this.complain([...path, ...at], code, message, input);
    if (problems.length > 0) return false;
    const words = field && wordsOf(field.kind);
    if (words && !words.some((word) => word === given['value'])) {
      this.complain(
        [...path, 'value'],
        'invalid_enum_value',
        `Must be one of ${words.join(', ')}`,
        given['value'],
      );
      return false;
    }
    filter.value = given['value'];
    if (needsUnit(operator)) filter.unit = given['unit'] as Unit;
    const form = formOf[operator];
    if (Array.isArray(filter.value) && (form === 'list' || form === 'items'))
      this.#values += filter.value.length;
    return true;
  }

  #word(value: unknown, path: Path, isKnown: (word: string) => boolean): string | null {
    if (isMissing(value)) return this.complain(path, 'required', 'Required', value);
    if (typeof value !== 'string') return this.complain(path, 'invalid_type', 'Must be a string', value);
    return isKnown(value) ? value : this.complain(path, 'invalid_enum_value', 'Invalid value', value);
  }

  /** Reported once, for the whole tree. */
  tooMany(): void {
    if (this.#filters > maxFilters)
      this.complain([], 'too_big', `At most ${maxFilters} filters in total`, undefined);
    if (this.#heavy > maxHeavyFilters)
      this.complain(
        [],
        'too_big',
        `At most ${maxHeavyFilters} filters with where, window, times or compare`,
        undefined,
      );
    if (this.#values > maxValues)
      this.complain([], 'too_big', `At most ${maxValues} values of lists in total`, undefined);
  }
}

/**
 * Parses a caller's tree. What an operator does not need (`unit` of `equals`) is dropped.
 */
export function readFilterTree(
  value: unknown,
  options: TreeOptions = {},
): { tree: FilterTree; issues: [] } | { tree: null; issues: FilterIssue[] } {
  const reader = new TreeReader(options);
  const tree = reader.node(value, [], 1);
  reader.tooMany();
  return tree && reader.issues.length === 0 ? { tree, issues: [] } : { tree: null, issues: reader.issues };
}

const treeReadBy = (options: TreeOptions) =>
  z.unknown().transform((value, ctx): FilterTree => {
    const { tree, issues } = readFilterTree(value, options);
    if (tree) return tree;
    for (const { path, code, message, input } of issues)
      ctx.issues.push({ code: 'custom', params: { code }, path, message, input });
    return z.NEVER;
  });

/** A filter tree of a request (behaviour B2.5); absent and null give `required`, so wrap it where it is optional. */
export const filterTree = accepting(treeReadBy({}), filterTreeForm);

/** A filter tree of a workflow, which may also name fields of the execution. */
export const workflowFilterTree = accepting(treeReadBy({ ofExecution: true }), workflowTreeForm);

/** A stored filter tree in a reply. */
export const storedFilterTree = accepting(z.unknown(), filterTreeForm.nullable());

/** As keys and event names are stored. Blanks at its ends stay, since earlier versions have stored keys with them. */
const composed = (field: string): string => (field.trim() === field ? nameText(field) : field);
