import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Icon } from '../../../ui/icon.tsx';
import styles from './filter-builder.module.css';
import { fieldGroups, fieldInWords, newFields, typeIn, useFilterChoices } from './filter-choices.ts';
import { useFailuresAt } from './filter-places.ts';
import { type FilterDraft, fieldOf, hasFigure, isOccurrence, withField } from './filter-tree.rules.ts';
import { FilterValue } from './filter-value.tsx';
import { OccurrenceFields } from './occurrence-fields.tsx';
import { OperatorSelect } from './operator-select.tsx';

interface FilterRowProps {
  filter: FilterDraft;
  /** Identifies the condition for screen readers. */
  label: string;
  onChange: (filter: FilterDraft) => void;
  onRemove?: () => void;
}

const parts = ['field', 'operator', 'value', 'unit'];

/** One condition: a field, an operator and a value, each in its own column. */
export function FilterRow({ filter, label, onChange, onRemove }: FilterRowProps) {
  const choices = useFilterChoices();
  const problems = useFailuresAt(filter.key, parts);
  const known = typeIn(choices, fieldOf(filter));
  const text = fieldInWords(filter, choices);
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">{label}</legend>
      <div className={styles.field}>
        <Combobox
          aria-label="Field"
          placeholder="Select a field"
          groups={choices.only?.groups ?? fieldGroups(choices)}
          create={(typed) => choices.only?.create(typed) ?? newFields(typed, choices.execution)}
          value={text === '' ? '' : fieldOf(filter)}
          text={text}
          onChange={(field) => onChange(withField(filter, field, typeIn(choices, field)))}
        />
      </div>
      <div className={styles.operator}>
        <OperatorSelect condition={filter} known={known} onChange={onChange} />
      </div>
      <div className={styles.value}>
        {!hasFigure(filter) && <FilterValue filter={filter} known={known} onChange={onChange} />}
      </div>
      {onRemove && (
        <span className={styles.remove}>
          <Button kind="quiet" small onClick={onRemove} aria-label={`Remove ${label}`}>
            <Icon name="cross" size={14} />
          </Button>
        </span>
      )}
      {isOccurrence(filter.kind) && (
        <div className={styles.details}>
          <OccurrenceFields filter={filter} label={label} onChange={onChange} />
        </div>
      )}
      {problems.length > 0 && <p className={styles.failure}>{problems.join('; ')}</p>}
    </fieldset>
  );
}
