import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../../lib/api.ts';
import { plural } from '../../../../lib/format.ts';
import { SelectField, TextField } from '../../../../ui/field.tsx';
import { FieldRow } from '../../../../ui/form.tsx';
import { SuggestedField } from '../../../../ui/suggested-field.tsx';
import styles from '../step-panel.module.css';
import { type TriggerFieldsProps, type TriggerView, textOf } from './trigger-view.ts';

export const dateTriggerView: TriggerView = {
  summary: ({ field, repeat, offsetDays, at }) => {
    if (typeof field !== 'string') return 'No field yet';
    const days = Number(offsetDays ?? 0);
    const when =
      days === 0
        ? 'on'
        : `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'}`;
    return `${at}, ${when} ${field}${repeat === 'YEARLY' ? ', each year' : ''}`;
  },
  missing: 'The trigger has no field with a date.',
  Fields: DateFields,
  read: (values) => ({
    field: values['triggerConfig.field'] ?? '',
    repeat: values['triggerConfig.repeat'] === 'YEARLY' ? 'YEARLY' : 'ONCE',
    offsetDays: signedDays(values['triggerConfig.offsetDays'], values['direction']),
    at: values['triggerConfig.at'] ?? '',
  }),
};

const signedDays = (days: string | undefined, direction: string | undefined): number =>
  Number(days ?? 0) * (direction === 'before' ? -1 : 1) || 0;

function DateFields({ config }: TriggerFieldsProps) {
  const fields = useQuery(useApi().contacts.listFields.queryOptions());
  const names = fields.data?.fields.flatMap(({ field }) => (field.startsWith('data.') ? [field] : [])) ?? [];
  const offset = Number(config.offsetDays ?? 0);
  const [field, setField] = useState(textOf(config.field));
  return (
    <>
      <SuggestedField
        name="triggerConfig.field"
        label="Field with the date"
        suggestions={names}
        value={field}
        onChange={({ target }) => setField(target.value)}
        placeholder="data.birthday"
        required
        hint="A day such as 1990-06-15. Contacts without a date there don't enter."
      />
      {names.includes(field) && <Dated field={field} />}
      <SelectField name="triggerConfig.repeat" label="Repeats" defaultValue={textOf(config.repeat) || 'ONCE'}>
        <option value="ONCE">Once</option>
        <option value="YEARLY">Each year</option>
      </SelectField>
      <FieldRow>
        <TextField
          name="triggerConfig.offsetDays"
          label="Days"
          type="number"
          min={0}
          max={365}
          defaultValue={String(Math.abs(offset))}
          required
        />
        <SelectField name="direction" label="Before or after" defaultValue={offset < 0 ? 'before' : 'after'}>
          <option value="after">after the date</option>
          <option value="before">before the date</option>
        </SelectField>
        <TextField
          name="triggerConfig.at"
          label="Time"
          type="time"
          defaultValue={textOf(config.at) || '09:00'}
          required
        />
      </FieldRow>
    </>
  );
}

/** Every date is at or after this day; what is none is neither. */
const firstDay = '0001-01-01';

/** How many contacts have a date in a field. */
function Dated({ field }: { field: string }) {
  const condition = {
    logic: 'AND' as const,
    groups: [{ filters: [{ field, operator: 'greaterThanOrEqual' as const, value: firstDay }] }],
  };
  const count = useQuery(useApi().segments.count.queryOptions({ condition }));
  if (!count.data) return null;
  const { count: dated } = count.data;
  return (
    <p role="status" className={styles.note}>
      {dated === 0
        ? 'No contact has a date there.'
        : `${plural(dated, 'contact')} ${dated === 1 ? 'has' : 'have'} a date there.`}
    </p>
  );
}
