import styles from './filter-builder.module.css';
import { FilterChoicesContext, useFilterChoices, useLoadFilterChoices } from './filter-choices.ts';
import { type FilterDraft, fromTree, isTree, type TreeDraft, valueInputOf } from './filter-tree.rules.ts';
import { activityNames, kindNames, operatorName, unitNames } from './words.ts';

/** A filter tree to be read. @param condition what the API has */
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
          {index > 0 && <p className={styles.joint}>{node.logic === 'AND' ? 'and also' : 'or'}</p>}
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
      {kindNames[kind] ?? kind} {of !== null && <strong>{of}</strong>} {operatorName(kind, operator)}{' '}
      {valueInWords(filter)}
    </>
  );
}

function valueInWords(filter: FilterDraft): string {
  const { value, unit } = filter;
  switch (valueInputOf(filter)) {
    case 'none':
      return '';
    case 'nothing':
      return 'nothing';
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
