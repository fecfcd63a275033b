import { eventName } from '@postrider/core/events/contract';
import { limitsOf } from '@postrider/core/kernel/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { durationUnits, splitDuration } from './duration.rules.ts';
import { DurationRow } from './duration-row.tsx';
import { SuggestedField } from './suggested-field.tsx';
import { textOf } from './text-of.ts';

/** The event to wait for, and an optional timeout. */
export function WaitFields({ config }: { config: Readonly<Record<string, unknown>> }) {
  const names = useQuery(useApi().events.names.queryOptions());
  const timeout = typeof config.timeout === 'number' ? splitDuration(config.timeout) : null;
  return (
    <>
      <SuggestedField
        name="config.eventName"
        label="Event"
        suggestions={names.data?.eventNames ?? []}
        defaultValue={textOf(config.eventName, '')}
        placeholder="order.paid"
        {...limitsOf(eventName)}
        required
      />
      <DurationRow>
        <TextField
          name="config.timeout"
          label="Timeout"
          type="number"
          min={1}
          step={1}
          defaultValue={timeout?.amount ?? ''}
          placeholder="No timeout"
        />
        <SelectField name="timeoutUnit" label="Unit" defaultValue={timeout?.unit ?? 'days'}>
          {Object.keys(durationUnits).map((unit) => (
            <option key={unit} value={unit}>
              {unit}
            </option>
          ))}
        </SelectField>
      </DurationRow>
    </>
  );
}
