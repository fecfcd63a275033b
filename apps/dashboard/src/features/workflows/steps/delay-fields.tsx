import { delayUnits, type StepConfigs, weekdays } from '@postrider/core/automation/workflows/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { type DelayKind, dayNames, delayKinds, kindOfDelay } from './delay.rules.ts';
import { DurationRow } from './duration-row.tsx';
import { oneOf } from './step-input.rules.ts';
import styles from './step-panel.module.css';
import type { StepFieldsProps } from './step-view.ts';

type Config = StepConfigs['DELAY'];
type Window = NonNullable<Config['windows']>[number];

const kindNames: Readonly<Record<DelayKind, string>> = {
  amount: 'For a time',
  until: 'Until a date',
  windows: 'Until an hour of the week',
};
const mostWindows = 14;
const officeHours: Window = { days: ['MON', 'TUE', 'WED', 'THU', 'FRI'], from: '09:00', to: '17:00' };

/** How long a delay waits, or until when; and the hours in which it may end. */
export function DelayFields({ config }: StepFieldsProps<Config>) {
  const [kind, setKind] = useState(kindOfDelay(config));
  return (
    <>
      <SelectField
        name="kind"
        label="Waits"
        value={kind}
        onChange={({ target }) => setKind(oneOf(delayKinds, target.value))}
      >
        {delayKinds.map((each) => (
          <option key={each} value={each}>
            {kindNames[each]}
          </option>
        ))}
      </SelectField>
      {kind === 'amount' && (
        <DurationRow>
          <TextField
            name="config.amount"
            label="Duration"
            type="number"
            min={1}
            step={1}
            defaultValue={config.amount ?? 1}
            required
          />
          <Units name="config.unit" value={config.unit} />
        </DurationRow>
      )}
      {kind === 'until' && <UntilFields until={config.until} />}
      <WindowFields key={kind} config={config} required={kind === 'windows'} />
    </>
  );
}

const Units = ({ name, value = 'days' }: { name: string; value?: string | undefined }) => (
  <SelectField name={name} label="Unit" defaultValue={value}>
    {delayUnits.map((each) => (
      <option key={each} value={each}>
        {each}
      </option>
    ))}
  </SelectField>
);

function UntilFields({ until }: { until: Config['until'] }) {
  const fields = useQuery(useApi().workflows.fields.queryOptions({}));
  const known = (fields.data?.fields ?? []).filter((field) => field.startsWith('data.'));
  const { amount = 0, unit } = until?.offset ?? {};
  return (
    <>
      <SuggestedField
        name="config.until.field"
        label="Date"
        suggestions={known}
        defaultValue={until?.field ?? ''}
        placeholder="data.trialEndsAt"
        required
        hint="A field of the contact (data.…) or of the execution (context.…) with an ISO date."
      />
      <DurationRow>
        <TextField
          name="offset"
          label="Moved by"
          type="number"
          min={0}
          step={1}
          defaultValue={Math.abs(amount)}
        />
        <Units name="offsetUnit" value={unit} />
      </DurationRow>
      <DurationRow>
        <SelectField name="side" label="Direction" defaultValue={amount < 0 ? 'before' : 'after'}>
          <option value="before">before the date</option>
          <option value="after">after the date</option>
        </SelectField>
        <TextField
          name="config.until.at"
          label="Time of that day"
          type="time"
          defaultValue={until?.at ?? ''}
        />
      </DurationRow>
      <SelectField
        name="config.until.otherwise"
        label="Without a date ahead"
        defaultValue={until?.otherwise ?? 'CONTINUE'}
      >
        <option value="CONTINUE">go on at once</option>
        <option value="EXIT">end the workflow</option>
      </SelectField>
    </>
  );
}

function WindowFields({ config, required }: { config: Readonly<Partial<Config>>; required: boolean }) {
  const [rows, setRows] = useState(() =>
    (config.windows ?? (required ? [officeHours] : [])).map((window, id) => ({ id, window })),
  );
  const add = () => setRows([...rows, { id: (rows.at(-1)?.id ?? -1) + 1, window: officeHours }]);
  return (
    <>
      {rows.map(({ id, window }, index) => (
        <fieldset key={id} className={styles.row}>
          <legend className="visually-hidden">Window {index + 1}</legend>
          <div className={styles.days}>
            {weekdays.map((day) => (
              <CheckField
                key={day}
                name={`config.windows.${index}.${day}`}
                label={dayNames[day].slice(0, 3)}
                defaultChecked={!window.days || window.days.includes(day)}
              />
            ))}
          </div>
          <div className={styles.withRemove}>
            <DurationRow>
              <TextField
                name={`config.windows.${index}.from`}
                label="From"
                type="time"
                defaultValue={window.from}
                required
              />
              <TextField
                name={`config.windows.${index}.to`}
                label="To"
                type="time"
                defaultValue={window.to}
                required
              />
            </DurationRow>
            {(rows.length > 1 || !required) && (
              <Button
                kind="quiet"
                small
                onClick={() => setRows(rows.filter((row) => row.id !== id))}
                aria-label={`Remove window ${index + 1}`}
              >
                <Icon name="cross" size={12} />
              </Button>
            )}
          </div>
        </fieldset>
      ))}
      {rows.length > 0 && (
        <>
          <TextField
            name="except"
            label="Not on"
            defaultValue={config.except?.join(', ') ?? ''}
            placeholder="2026-12-25, 2026-12-26"
            hint="Days, such as holidays, on which no window begins."
          />
          <SelectField name="zone" label="Time zone" defaultValue={config.zone ?? 'CONTACT'}>
            <option value="CONTACT">of the contact (data.timezone), else of the project</option>
            <option value="PROJECT">of the project</option>
          </SelectField>
        </>
      )}
      {rows.length < mostWindows && (
        <div>
          <Button small icon="plus" onClick={add}>
            {rows.length === 0 ? 'Only in certain hours' : 'Add window'}
          </Button>
        </div>
      )}
    </>
  );
}
