import type { TriggerConfigInput } from '@postrider/core/automation/workflows/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../../lib/api.ts';
import { given } from '../../../../lib/given.ts';
import { SelectField, TextField } from '../../../../ui/field.tsx';
import { SuggestedField } from '../../../../ui/suggested-field.tsx';
import { keptText, keptValue, type TriggerFieldsProps, type TriggerView, textOf } from './trigger-view.ts';

export const scheduleTriggerView: TriggerView = {
  summary: ({ cron, timezone }) => (cron === undefined ? 'No schedule yet' : `${cron} (${timezone})`),
  missing: 'The trigger has no schedule.',
  Fields: ScheduleFields,
  read(values) {
    const segmentId = given(values['triggerConfig.segmentId']);
    const filter = keptValue<TriggerConfigInput['filter']>(values['triggerConfig.filter']);
    return {
      cron: values['triggerConfig.cron'] ?? '',
      timezone: values['triggerConfig.timezone'] ?? '',
      ...(segmentId !== undefined && { segmentId }),
      ...(segmentId === undefined && filter && { filter }),
    };
  },
};

const zones = Intl.supportedValuesOf('timeZone');
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function ScheduleFields({ config }: TriggerFieldsProps) {
  const segments = useQuery(useApi().segments.list.queryOptions());
  return (
    <>
      <input type="hidden" name="triggerConfig.filter" value={keptText(config.filter)} />
      <TextField
        name="triggerConfig.cron"
        label="Schedule (cron expression)"
        defaultValue={textOf(config.cron)}
        placeholder="0 9 * * 1"
        autoComplete="off"
        spellCheck={false}
        required
        hint="Minute, hour, day of month, month, day of week. For example, 0 9 * * 1 means every Monday at 9:00."
      />
      <SuggestedField
        name="triggerConfig.timezone"
        label="Time zone"
        suggestions={zones}
        defaultValue={textOf(config.timezone) || ownZone}
        required
      />
      <SelectField
        // If options arrived later, the field would show the first of them.
        key={segments.data ? 'loaded' : 'loading'}
        name="triggerConfig.segmentId"
        label="Contacts"
        defaultValue={textOf(config.segmentId)}
      >
        <option value="">
          {config.filter === undefined ? 'All subscribed contacts' : 'Contacts that match its filter'}
        </option>
        {segments.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            Members of {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}
