import styles from './filter-builder.module.css';
import { FilterChoicesContext, useFilterChoices, useLoadFilterChoices } from './filter-choices.ts';
import { type FilterDraft, fromTree, isTree, type TreeDraft, valueInputOf } from './filter-tree.rules.ts';
import { activityNames, kindNames, operatorName, unitNames } from './words.ts';

/** A filter tree in words. @param condition as returned by the API */
export function FilterWords({ condition }: { condition: unknown }) {
  const choices = useLoadFilterChoices();
  if (!isTree(condition)) return null;
  return (
    <FilterChoicesContext value={choices}>
      <NodeWords node={fromTree(condition)} />
    </FilterChoicesContext>
  );
}

function NodeWords({ node }: { node: TreeDraft }) {
  return (
    <div className={styles.words}>
      {node.groups.map(({ key, filters, conditions }, index) => (
        <div key={key}>
          {index > 0 && <p className={styles.joint}>{node.logic === 'AND' ? 'and' : 'or'}</p>}
          <ul>
            {filters.map((filter) => (
              <li key={filter.key}>
                <OneFilter filter={filter} />
              </li>
            ))}
          </ul>
          {conditions && <NodeWords node={conditions} />}
        </div>
      ))}
    </div>
  );
}

function OneFilter({ filter }: { filter: FilterDraft }) {
  const { segments } = useFilterChoices();
  const { kind, name, operator } = filter;
  const names = {
    data: name,
    event: name,
    activity: activityNames[name] ?? name,
    segment: segments.find(({ id }) => id === name)?.name ?? name,
  };
  const of = kind in names ? names[kind as keyof typeof names] : null;
  return (
    <>
      {kindNames[kind] ?? kind} {of !== null && <strong>{of}</strong>}{' '}
      {withValue(operatorName(kind, operator), valueInWords(filter))}
    </>
  );
}

/** Puts the value in place of the operator's ellipsis, or after the operator. */
const withValue = (operator: string, value: string): string =>
  operator.includes('…') ? operator.replace('…', value) : `${operator} ${value}`;

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
