import type { Operator } from '@postrider/core/segments/contract';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './filter-builder.module.css';
import { FilterName } from './filter-name.tsx';
import {
  type FieldKind,
  type FilterDraft,
  fieldKinds,
  hasName,
  operatorsOf,
  withKind,
} from './filter-tree.rules.ts';
import { FilterValue } from './filter-value.tsx';
import { kindNames, operatorName } from './words.ts';

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
      <select
        className={styles.control}
        aria-label="Filter by"
        value={filter.kind}
        onChange={({ target }) => onChange(withKind(filter, target.value as FieldKind))}
      >
        {fieldKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindNames[kind]}
          </option>
        ))}
      </select>
      {hasName(filter.kind) && <FilterName filter={filter} onChange={onChange} />}
      <select
        className={styles.control}
        aria-label="Operator"
        value={filter.operator}
        onChange={({ target }) => onChange({ ...filter, operator: target.value as Operator })}
      >
        {operatorsOf(filter.kind).map((operator) => (
          <option key={operator} value={operator}>
            {operatorName(filter.kind, operator)}
          </option>
        ))}
      </select>
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
