import type { Operator } from '@postrider/core/segments/contract';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './filter-builder.module.css';
import { Choice, FilterName } from './filter-name.tsx';
import { type FilterDraft, fieldKinds, hasName, operatorsOf, withKind } from './filter-tree.rules.ts';
import { FilterValue } from './filter-value.tsx';
import { kindNames, operatorName } from './words.ts';

const kindOptions = fieldKinds.map((value) => ({ value, label: kindNames[value] }));

interface FilterRowProps {
  filter: FilterDraft;
  /** Identifies the filter for screen readers. */
  label: string;
  path: string;
  failures: Readonly<Record<string, string>>;
  onChange: (filter: FilterDraft) => void;
  onRemove?: () => void;
}

/** One filter: an attribute, an operator and a value. */
export function FilterRow({ filter, label, path, failures, onChange, onRemove }: FilterRowProps) {
  const problems = ['field', 'operator', 'value', 'unit']
    .map((part) => failures[`${path}.${part}`])
    .filter((message) => message !== undefined);
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">{label}</legend>
      <Choice
        label="Filter by"
        value={filter.kind}
        options={kindOptions}
        onChange={(kind) => onChange(withKind(filter, kind))}
      />
      {hasName(filter.kind) && <FilterName filter={filter} onChange={onChange} />}
      <Choice<Operator>
        label="Operator"
        value={filter.operator}
        options={operatorsOf(filter.kind).map((value) => ({
          value,
          label: operatorName(filter.kind, value),
        }))}
        onChange={(operator) => onChange({ ...filter, operator })}
      />
      <FilterValue filter={filter} onChange={onChange} />
      {onRemove && (
        <span className={styles.remove}>
          <Button kind="quiet" small onClick={onRemove} aria-label={`Remove ${label.toLowerCase()}`}>
            <Icon name="cross" size={12} />
          </Button>
        </span>
      )}
      {problems.length > 0 && <p className={styles.failure}>{problems.join('; ')}</p>}
    </fieldset>
  );
}
