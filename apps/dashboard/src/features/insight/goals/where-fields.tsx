import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icon.tsx';
import styles from './where-fields.module.css';

/** A condition on the data of an event while it is edited. */
export interface WhereDraft {
  key: number;
  property: string;
  operator: string;
  value: string;
}

const operators = [
  ['equals', 'is'],
  ['notEquals', 'is not'],
  ['greaterThan', 'is more than'],
  ['lessThan', 'is less than'],
  ['contains', 'contains'],
  ['exists', 'is set'],
  ['notExists', 'is not set'],
] as const;

const needsValue = (operator: string): boolean => operator !== 'exists' && operator !== 'notExists';
const isOrder = (operator: string): boolean => operator === 'greaterThan' || operator === 'lessThan';

/** Numbers and booleans are compared as such, as an event has them. */
function readValue({ operator, value }: WhereDraft): unknown {
  const text = value.trim();
  if (operator === 'contains') return value;
  if (text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (!isOrder(operator) && (text === 'true' || text === 'false')) return text === 'true';
  return value;
}

/** The conditions as the API takes them. */
export const whereOf = (drafts: readonly WhereDraft[]) =>
  drafts.map((draft) => ({
    property: draft.property,
    operator: draft.operator,
    ...(needsValue(draft.operator) ? { value: readValue(draft) } : {}),
  }));

interface WhereFieldsProps {
  drafts: readonly WhereDraft[];
  onChange: (drafts: WhereDraft[]) => void;
}

/** Conditions on the data of an event, all of which must hold. */
export function WhereFields({ drafts, onChange }: WhereFieldsProps) {
  const change = (key: number, part: Partial<WhereDraft>) =>
    onChange(drafts.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)));
  return (
    <>
      {drafts.map(({ key, property, operator, value }, index) => (
        <div key={key} className={styles.row}>
          <FieldRow>
            <TextField
              name={`where.${index}.property`}
              label="Property"
              placeholder="plan"
              value={property}
              onChange={({ target }) => change(key, { property: target.value })}
              required
            />
            <SelectField
              name={`where.${index}.operator`}
              label="Comparison"
              value={operator}
              onChange={({ target }) => change(key, { operator: target.value })}
            >
              {operators.map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </SelectField>
            {needsValue(operator) && (
              <TextField
                name={`where.${index}.value`}
                label="Compared with"
                value={value}
                onChange={({ target }) => change(key, { value: target.value })}
              />
            )}
          </FieldRow>
          <Button
            kind="quiet"
            small
            onClick={() => onChange(drafts.filter((draft) => draft.key !== key))}
            aria-label={`Remove condition ${index + 1}`}
          >
            <Icon name="cross" size={12} />
          </Button>
        </div>
      ))}
      {drafts.length < 10 && (
        <div>
          <Button
            small
            icon="plus"
            onClick={() =>
              onChange([
                ...drafts,
                {
                  key: Math.max(0, ...drafts.map(({ key }) => key)) + 1,
                  property: '',
                  operator: 'equals',
                  value: '',
                },
              ])
            }
          >
            Add condition
          </Button>
        </div>
      )}
    </>
  );
}
