import { eventName } from '@postrider/core/audience/events/contract';
import type { StepConfigs } from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { durationUnits, splitDuration } from './duration.rules.ts';
import { DurationRow } from './duration-row.tsx';
import type { StepFieldsProps } from './step-view.ts';

/** The event to wait for, and an optional timeout. */
export function WaitFields({ config }: StepFieldsProps<StepConfigs['WAIT_FOR_EVENT']>) {
  const names = useQuery(useApi().events.names.queryOptions());
  const timeout = config.timeout === undefined ? null : splitDuration(config.timeout);
  return (
    <>
      <SuggestedField
        name="config.eventName"
        label="Event"
        suggestions={names.data?.eventNames ?? []}
        defaultValue={config.eventName ?? ''}
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
