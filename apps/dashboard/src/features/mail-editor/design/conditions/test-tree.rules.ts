import type { FilterTree } from '@postrider/core/audience/segments/contract';
import {
  rowsIn,
  type TestOperator,
  type TestRow,
  testOf,
  testOperators,
} from '@postrider/core/content/templates/contract';
import {
  type FilterDraft,
  fromTree,
  isComplete,
  isGroup,
  newTree,
  type TreeDraft,
  toTree,
  valueInputOf,
} from '../../../common/filters/filter-tree.rules.ts';
import { nameOfWord, operatorName, withValue } from '../../../common/filters/words.ts';

/** The rows of a test as the builder of filters edits them; null if the test is more than rows can say. */
export function treeIn(test: string): TreeDraft | null {
  if (test.trim() === '') return newTree();
  const read = rowsIn(test);
  if (read === null) return null;
  const { logic, rows } = read;
  const filters = rows.map((row) => ({ ...row }));
  const groups = logic === 'AND' ? [{ filters }] : filters.map((filter) => ({ filters: [filter] }));
  return fromTree({ logic, groups });
}

/** The test that means the same as rows; null while they are not complete, or if Liquid cannot say it. */
export function testIn(tree: TreeDraft): string | null {
  if (!isComplete(tree)) return null;
  const { logic, groups }: FilterTree = toTree(tree);
  const rows = groups.flatMap(({ filters }) => filters.flatMap((filter) => rowOf(filter) ?? []));
  return rows.length === tree.items.length ? testOf({ logic, rows }) : null;
}

function rowOf({ field, operator, value }: FilterTree['groups'][number]['filters'][number]): TestRow | null {
  if (!Object.hasOwn(testOperators, operator)) return null;
  const row = { field, operator: operator as TestOperator };
  if (value === undefined) return row;
  const isPlain =
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? { ...row, value } : null;
}

/** A test in words, for the document; what rows cannot say is shown as it is written. */
export function testInWords(test: string): string {
  const tree = test.trim() === '' ? null : treeIn(test);
  if (tree === null) return test.trim() || '…';
  const filters = tree.items.filter((item): item is FilterDraft => !isGroup(item));
  return filters.map(inWords).join(tree.logic === 'AND' ? ' and ' : ' or ');
}

const ofContacts: Readonly<Record<string, string>> = { email: 'email address', subscribed: 'subscribed' };

const inWords = (filter: FilterDraft): string =>
  `${ofContacts[filter.kind] ?? filter.name} ${withValue(operatorName(filter, filter.operator), valueInWords(filter))}`;

function valueInWords(filter: FilterDraft): string {
  switch (valueInputOf(filter)) {
    case 'none':
      return '';
    case 'boolean':
      return filter.value === 'true' ? 'yes' : 'no';
    case 'nothing':
      return 'nothing';
    case 'number':
      return filter.value;
    default:
      return `“${nameOfWord(filter.value)}”`;
  }
}
