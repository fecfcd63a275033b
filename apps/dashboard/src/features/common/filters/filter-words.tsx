import styles from './filter-builder.module.css';
import {
  FilterChoicesContext,
  fieldInWords,
  useFilterChoices,
  useLoadFilterChoices,
} from './filter-choices.ts';
import {
  type FilterDraft,
  fromTree,
  isComplete,
  isGroup,
  isTree,
  type TreeDraft,
  valueInputOf,
} from './filter-tree.rules.ts';
import { operatorName, unitNames } from './words.ts';

/** A filter tree in words. @param condition as returned by the API */
export function FilterWords({ condition }: { condition: unknown }) {
  const choices = useLoadFilterChoices();
  if (!isTree(condition)) return null;
  return (
    <FilterChoicesContext value={choices}>
      <TreeWords tree={fromTree(condition)} />
    </FilterChoicesContext>
  );
}

/** A filter tree as a sentence; nothing while it is not complete. */
export const TreeWords = ({ tree }: { tree: TreeDraft }) =>
  isComplete(tree) && (
    <p className={styles.words}>
      Contacts where <GroupWords group={tree} />
    </p>
  );

const GroupWords = ({ group: { items, logic } }: { group: TreeDraft }) =>
  items.map((item, index) => (
    <span key={item.key}>
      {index > 0 && <span className={styles.joint}> {logic === 'AND' ? 'and' : 'or'} </span>}
      {isGroup(item) ? (
        <>
          (<GroupWords group={item} />)
        </>
      ) : (
        <OneFilter filter={item} />
      )}
    </span>
  ));

function OneFilter({ filter }: { filter: FilterDraft }) {
  const choices = useFilterChoices();
  return (
    <>
      <strong>{fieldInWords(filter, choices)}</strong>{' '}
      {withValue(operatorName(filter, filter.operator), valueInWords(filter))}
    </>
  );
}

/** Puts the value in place of the operator's ellipsis, or after the operator. */
const withValue = (operator: string, value: string): string =>
  operator.includes('…') ? operator.replace('…', value) : `${operator} ${value}`.trimEnd();

function valueInWords(filter: FilterDraft): string {
  const { value, unit } = filter;
  switch (valueInputOf(filter)) {
    case 'none':
      return '';
    case 'nothing':
      return 'no value';
    case 'age':
      return `${value} ${unitNames[unit]}`;
    case 'boolean':
      return value === 'true' ? 'yes' : 'no';
    case 'text':
      return `“${value}”`;
    default:
      return value;
  }
}
