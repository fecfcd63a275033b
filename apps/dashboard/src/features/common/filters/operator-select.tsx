import type { Operator } from '@postrider/core/audience/segments/contract';
import { Select } from '../../../ui/select.tsx';
import styles from './filter-builder.module.css';
import { useFilterChoices } from './filter-choices.ts';
import { type FilterDraft, operatorsFor, withOperator } from './filter-tree.rules.ts';
import { operatorName } from './words.ts';

interface OperatorSelectProps {
  condition: FilterDraft;
  /** type of the values at the field; undefined where it is not known */
  known: Parameters<typeof operatorsFor>[1];
  onChange: (condition: FilterDraft) => void;
}

/** The operators that a condition can have, in words. */
export function OperatorSelect({ condition, known, onChange }: OperatorSelectProps) {
  const { only } = useFilterChoices();
  const operators = operatorsFor(condition, known).filter(
    (each) => each === condition.operator || (only?.operators.includes(each) ?? true),
  );
  return (
    <Select<Operator>
      small
      className={styles.control}
      aria-label="Operator"
      value={condition.operator}
      options={operators.map((value) => ({ value, label: operatorName(condition, value) }))}
      onChange={(operator) => onChange(withOperator(condition, operator))}
    />
  );
}
