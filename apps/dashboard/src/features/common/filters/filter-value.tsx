import { type Unit, units } from '@postrider/core/audience/segments/contract';
import { dayLimits } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactElement } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { isDay } from '../../../ui/calendar.rules.ts';
import { DatePicker } from '../../../ui/date-picker.tsx';
import { Select } from '../../../ui/select.tsx';
import { Suggest } from '../../../ui/suggest.tsx';
import styles from './filter-builder.module.css';
import {
  type FilterDraft,
  hasType,
  type ValueType,
  valueInputOf,
  valuesIn,
  valueTypes,
  wordsOfKind,
} from './filter-tree.rules.ts';
import { nameOfWord, typeNames, unitNames } from './words.ts';

interface FilterValueProps {
  filter: FilterDraft;
  /** The type of the field, if it is known. */
  known?: ValueType | undefined;
  onChange: (filter: FilterDraft) => void;
}

const typeOptions = valueTypes
  .filter((value) => value !== 'list')
  .map((value) => ({ value, label: typeNames[value] }));
const unitOptions = units.map((value) => ({ value, label: unitNames[value] }));
const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** Enter in a value does not submit the form around the conditions. */
const keepForm = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault();
};

/** The value to compare with, in a control that fits its type. */
export function FilterValue({ filter, known, onChange }: FilterValueProps) {
  return (
    <>
      {hasType(filter, known) && (
        <Select
          small
          className={styles.type}
          aria-label="Value type"
          value={filter.type}
          options={typeOptions}
          onChange={(type) =>
            onChange({ ...filter, type, value: type === 'boolean' ? 'true' : '', list: [] })
          }
        />
      )}
      <Value filter={filter} onChange={onChange} />
    </>
  );
}

/** Its type has a control for each input: one without would show nothing. */
function Value({ filter, onChange }: FilterValueProps): ReactElement | null {
  const set = (value: string) => onChange({ ...filter, value });
  switch (valueInputOf(filter)) {
    case 'none':
    case 'nothing':
      return null;
    case 'boolean':
      return (
        <Select
          small
          className={styles.control}
          aria-label="Value"
          value={filter.value === 'true' ? 'true' : 'false'}
          options={yesOrNo}
          onChange={set}
        />
      );
    case 'word':
      return (
        <Select
          small
          className={styles.control}
          aria-label="Value"
          value={filter.value}
          options={(wordsOfKind(filter.kind) ?? []).map((value) => ({ value, label: nameOfWord(value) }))}
          onChange={set}
        />
      );
    case 'number':
      return <NumberValue value={filter.value} onChange={set} />;
    case 'age':
      return (
        <>
          <NumberValue value={filter.value} onChange={set} min={0} />
          <Select<Unit>
            small
            className={styles.unit}
            aria-label="Unit"
            value={filter.unit}
            options={unitOptions}
            onChange={(unit) => onChange({ ...filter, unit })}
          />
        </>
      );
    case 'days':
      return <NumberValue value={filter.value} onChange={set} step={1} {...daysOf(filter.operator)} />;
    case 'values':
      return (
        <textarea
          key={filter.type}
          className={styles.text}
          rows={3}
          aria-label="Values, one per line"
          placeholder="One value per line"
          defaultValue={(filter.list ?? []).join('\n')}
          onChange={({ target }) => onChange({ ...filter, list: valuesIn(target.value, filter.type) })}
        />
      );
    case 'list':
      return (
        <input
          className={styles.text}
          type="text"
          aria-label="Items, separated by commas"
          placeholder="Items, separated by commas"
          value={filter.value}
          onChange={({ target }) => set(target.value)}
          onKeyDown={keepForm}
        />
      );
    case 'date':
      return <DateValue value={filter.value} onChange={set} />;
    case 'text':
      return filter.kind === 'data' ? (
        <KnownValue filter={filter} onChange={set} />
      ) : (
        <TextValue value={filter.value} suggestions={[]} onChange={set} />
      );
  }
}

interface TextValueProps {
  value: string;
  suggestions: string[];
  onChange: (value: string) => void;
}

const TextValue = (props: TextValueProps) => (
  <Suggest {...props} className={styles.text} aria-label="Value" placeholder="Value" onKeyDown={keepForm} />
);

/** The days that an operator counts, from today. */
const daysOf = (operator: string): { min?: number; max?: number } =>
  Object.hasOwn(dayLimits, operator) ? dayLimits[operator as keyof typeof dayLimits] : {};

interface NumberValueProps {
  value: string;
  onChange: (value: string) => void;
  min?: number;
  max?: number;
  step?: number | 'any';
}

const NumberValue = ({ value, onChange, step = 'any', ...limits }: NumberValueProps) => (
  <input
    className={styles.number}
    type="number"
    step={step}
    {...limits}
    aria-label="Number"
    placeholder="0"
    value={value}
    onChange={({ target }) => onChange(target.value)}
    onKeyDown={keepForm}
  />
);

/** A value set through the API can have a time of day, which a calendar would drop. */
const DateValue = ({ value, onChange }: { value: string; onChange: (value: string) => void }) =>
  value === '' || isDay(value) ? (
    <DatePicker label="Date" value={value} onChange={onChange} small className={styles.control} />
  ) : (
    <input
      className={styles.text}
      type="text"
      aria-label="Date"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={keepForm}
    />
  );

const pauseMs = 400;
const shownValues = 50;

/** A text input for a value of contact data, with existing values as suggestions. */
function KnownValue({ filter, onChange }: { filter: FilterDraft; onChange: (value: string) => void }) {
  const name = useDebounced(filter.name, pauseMs);
  const values = useQuery({
    ...useApi().contacts.listFieldValues.queryOptions({ field: `data.${name}`, limit: shownValues }),
    enabled: name !== '',
    staleTime: 60_000,
  });
  const texts = (values.data?.values ?? []).filter((value) => typeof value === 'string');
  return <TextValue value={filter.value} suggestions={texts} onChange={onChange} />;
}
