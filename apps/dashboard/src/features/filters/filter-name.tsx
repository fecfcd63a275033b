import { type Option, Select } from '../../ui/select.tsx';
import { Suggest } from '../../ui/suggest.tsx';
import styles from './filter-builder.module.css';
import { useFilterChoices } from './filter-choices.ts';
import { activities, type FilterDraft } from './filter-tree.rules.ts';
import { activityNames } from './words.ts';

interface FilterNameProps {
  filter: FilterDraft;
  onChange: (filter: FilterDraft) => void;
}

/** The field, event, activity or segment to filter by. Fields and events may be named before they exist. */
export function FilterName({ filter, onChange }: FilterNameProps) {
  const { keys, events, segments } = useFilterChoices();
  const rename = (name: string) => onChange({ ...filter, name });
  if (filter.kind === 'activity') {
    const options = activities.map((value) => ({ value, label: activityNames[value] ?? value }));
    return <Choice label="Activity" value={filter.name} options={options} onChange={rename} />;
  }
  if (filter.kind === 'segment') {
    const known = segments.map(({ id, name }) => ({ value: id, label: name }));
    const isUnknown = filter.name !== '' && !known.some(({ value }) => value === filter.name);
    const options = [
      ...(filter.name === '' ? [{ value: '', label: 'Select a segment' }] : []),
      ...(isUnknown ? [{ value: filter.name, label: filter.name }] : []),
      ...known,
    ];
    return <Choice label="Segment" value={filter.name} options={options} onChange={rename} />;
  }
  if (filter.kind === 'event')
    return <Suggested label="Event" value={filter.name} suggestions={events} onChange={rename} />;
  return (
    <Suggested
      label="Field name"
      value={filter.name}
      suggestions={keys.map(({ name }) => name)}
      onChange={(name) => {
        const type = filter.value === '' ? keys.find((key) => key.name === name)?.type : undefined;
        onChange({ ...filter, name, ...(type && { type }), ...(type === 'boolean' && { value: 'true' }) });
      }}
    />
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
}

export const Choice = <Value extends string>({ label, ...select }: ChoiceProps<Value>) => (
  <Select {...select} small className={styles.control} aria-label={label} />
);

interface SuggestedProps {
  label: string;
  value: string;
  suggestions: string[];
  onChange: (value: string) => void;
}

/** A text input with suggestions. */
export const Suggested = ({ label, ...suggest }: SuggestedProps) => (
  <Suggest {...suggest} className={styles.text} aria-label={label} placeholder={label} />
);
