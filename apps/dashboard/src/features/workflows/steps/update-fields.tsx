import { type StepConfigs, updatedKey } from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { TopicChoices } from '../../common/topics/topic-choices.tsx';
import { typeOfValue, valueText } from './step-input.rules.ts';
import styles from './step-panel.module.css';
import type { StepFieldsProps } from './step-view.ts';

interface Row {
  /** identifies the row while others are added and removed */
  id: number;
  key: string;
  type: string;
  value: unknown;
}

const prefix = 'data.';

/** The fields of the contact to change. */
export function UpdateFields({ config }: StepFieldsProps<StepConfigs['UPDATE_CONTACT']>) {
  const [rows, setRows] = useState(() => rowsOf(config.data));
  const fields = useQuery(useApi().contacts.listFields.queryOptions());
  const keys = (fields.data?.fields ?? [])
    .filter(({ field }) => field.startsWith(prefix))
    .map(({ field }) => field.slice(prefix.length));
  const add = () =>
    setRows([
      ...rows,
      { id: Math.max(0, ...rows.map(({ id }) => id)) + 1, key: '', type: 'text', value: '' },
    ]);
  return (
    <>
      {rows.map((row, index) => (
        <DataRow
          key={row.id}
          row={row}
          index={index}
          keys={keys}
          onRemove={() => setRows(rows.filter(({ id }) => id !== row.id))}
        />
      ))}
      <div>
        <Button small icon="plus" onClick={add}>
          Add field
        </Button>
      </div>
      <SelectField
        name="config.subscriptionAction"
        label="Subscription"
        defaultValue={config.subscriptionAction ?? 'none'}
      >
        <option value="none">No change</option>
        <option value="subscribe">Subscribe</option>
        <option value="unsubscribe">Unsubscribe</option>
      </SelectField>
      <TopicChoices prefix="config.topics." topics={config.topics} />
    </>
  );
}

function rowsOf(data: Readonly<Record<string, unknown>> = {}): Row[] {
  const entries = Object.entries(data);
  if (entries.length === 0) return [{ id: 0, key: '', type: 'text', value: '' }];
  return entries.map(([key, value], id) => ({
    id,
    key,
    type: value === null ? 'removed' : typeOfValue(value),
    value,
  }));
}

interface DataRowProps {
  row: Row;
  index: number;
  keys: string[];
  onRemove: () => void;
}

function DataRow({ row, index, keys, onRemove }: DataRowProps) {
  const [type, setType] = useState(row.type);
  return (
    <fieldset className={styles.row}>
      <legend className="visually-hidden">Field {index + 1}</legend>
      <div className={styles.withRemove}>
        <SuggestedField
          name={`row.${index}.key`}
          label="Field"
          suggestions={keys}
          defaultValue={row.key}
          placeholder="plan"
          {...limitsOf(updatedKey)}
        />
        <Button kind="quiet" small onClick={onRemove} aria-label={`Remove field ${index + 1}`}>
          <Icon name="cross" size={12} />
        </Button>
      </div>
      <div className={styles.pair}>
        <SelectField
          name={`row.${index}.type`}
          label="New value"
          value={type}
          onChange={({ target }) => setType(target.value)}
        >
          <option value="text">Text</option>
          <option value="number">Number</option>
          <option value="boolean">Yes or no</option>
          <option value="removed">Remove the field</option>
        </SelectField>
        {type === 'boolean' && (
          <SelectField name={`row.${index}.value`} label="Value" defaultValue={valueText(row.value)}>
            <option value="true">Yes</option>
            <option value="false">No</option>
          </SelectField>
        )}
        {(type === 'text' || type === 'number') && (
          <TextField
            name={`row.${index}.value`}
            label="Value"
            inputMode={type === 'number' ? 'decimal' : 'text'}
            defaultValue={typeof row.value === 'boolean' ? '' : valueText(row.value)}
          />
        )}
      </div>
    </fieldset>
  );
}
