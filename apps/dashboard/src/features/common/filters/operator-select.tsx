import type { Operator } from '@postrider/core/audience/segments/contract';
import { Select } from '../../../ui/select.tsx';
import styles from './filter-builder.module.css';
import { type FilterDraft, operatorsFor, withOperator } from './filter-tree.rules.ts';
import { operatorName } from './words.ts';

interface OperatorSelectProps {
  condition: FilterDraft;
  /** type of the values at the field; undefined where it is not known */
  known: Parameters<typeof operatorsFor>[1];
  onChange: (condition: FilterDraft) => void;
}

/** The operators that a condition can have, in words. */
export const OperatorSelect = ({ condition, known, onChange }: OperatorSelectProps) => (
  <Select<Operator>
    small
    className={styles.control}
    aria-label="Operator"
    value={condition.operator}
    options={operatorsFor(condition, known).map((value) => ({
      value,
      label: operatorName(condition, value),
    }))}
    onChange={(operator) => onChange(withOperator(condition, operator))}
  />
);
