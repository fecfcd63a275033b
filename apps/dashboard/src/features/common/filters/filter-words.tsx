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
  isOccurrence,
  isReferring,
  isTree,
  type TreeDraft,
  valueInputOf,
  type WindowDraft,
} from './filter-tree.rules.ts';
import { listItems } from './list-items.rules.ts';
import { RecordName } from './record-name.tsx';
import {
  nameOfWord,
  operatorName,
  operatorNames,
  propertyNames,
  unitNames,
  windowNames,
  withValue,
} from './words.ts';

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
export const TreeWords = ({ tree, begin = 'Contacts where' }: { tree: TreeDraft; begin?: string }) =>
  isComplete(tree) && (
    <p className={styles.words}>
      {begin} <GroupWords group={tree} />
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
      {filter.figure ? figureInWords(filter, filter.figure) : withValue(wordOf(filter), valueInWords(filter))}
      {partsInWords(filter)}
      {(filter.where ?? []).map((each, index) => (
        <span key={each.key}>
          {index === 0 ? ' with ' : ' and '}
          <WhereWords condition={each} />
        </span>
      ))}
    </>
  );
}

/** The operator in a sentence, in which the count follows. */
const wordOf = (filter: FilterDraft): string =>
  filter.operator === 'occurred' && isOccurrence(filter.kind)
    ? 'occurred'
    : operatorName(filter, filter.operator);

/** `has a total of amount that is greater than 100` */
const figureInWords = (
  { operator, value }: FilterDraft,
  { property, compare }: NonNullable<FilterDraft['figure']>,
): string => `${operatorNames[operator]} ${property} that ${withValue(operatorNames[compare], value)}`;

/** A condition on an occurrence; campaigns, workflows and templates by their names. */
function WhereWords({ condition }: { condition: FilterDraft }) {
  const { name, of, value, operator } = condition;
  const verb = `${propertyInWords(condition)} ${operatorName(condition, operator)}`;
  const isRecord = of === 'activity' && isReferring(name) && valueInputOf(condition) === 'text';
  if (!isRecord)
    return `${propertyInWords(condition)} ${withValue(operatorName(condition, operator), valueInWords(condition))}`;
  return (
    <>
      {verb} “<RecordName property={name} id={value} />”
    </>
  );
}

/** Which occurrences count, and how often. */
function partsInWords({ times, window }: FilterDraft): string {
  const parts = [
    ...(times?.min ? [`at least ${times.min} times`] : []),
    ...(times?.max ? [`at most ${times.max} times`] : []),
    ...(window && window.kind !== 'always' ? [windowInWords(window)] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' ')}`;
}

function windowInWords({ kind, last, olderThan, unit, from, to }: WindowDraft): string {
  if (kind === 'dates') return `${from && `from ${from} `}${to && `to ${to}`}`.trim();
  if (kind === 'between') return `between ${last} and ${olderThan} ${unitNames[unit]} ago`;
  return withValue(windowNames[kind], `${kind === 'last' ? last : olderThan} ${unitNames[unit]}`);
}

/** A property by its name, or of an email in words. */
const propertyInWords = ({ name, of }: FilterDraft): string =>
  of === 'activity' && Object.hasOwn(propertyNames, name)
    ? propertyNames[name as keyof typeof propertyNames].toLowerCase()
    : name;

/** Values of a list that are named; of the others, how many there are. */
const namedValues = 5;

function listInWords(items: readonly unknown[]): string {
  const named = items
    .slice(0, namedValues)
    .map((item) => (typeof item === 'string' ? `“${item}”` : String(item)));
  const more = items.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function valueInWords(filter: FilterDraft): string {
  const { value, unit } = filter;
  switch (valueInputOf(filter)) {
    case 'none':
      return '';
    case 'nothing':
      return 'no value';
    case 'age':
      return `${value} ${unitNames[unit]}`;
    case 'days':
      return `${value} ${unitNames.days}`;
    case 'list':
      return listInWords(listItems(value));
    case 'values':
      return listInWords(filter.list ?? []);
    case 'boolean':
      return value === 'true' ? 'yes' : 'no';
    case 'word':
      return `“${nameOfWord(value)}”`;
    case 'text':
      return `“${value}”`;
    default:
      return value;
  }
}
