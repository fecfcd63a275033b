import { eventName } from '@postrider/core/audience/events/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, type Workflow } from '../../../lib/api.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { triggerMeanings, triggerTypeOf } from './trigger-types.ts';

type Trigger = Pick<Workflow, 'triggerType' | 'triggerConfig'>;

/** The trigger of a workflow. The fields are named as in the API. */
export function TriggerFields({ trigger }: { trigger: Trigger }) {
  const [type, setType] = useState(trigger.triggerType);
  return (
    <>
      <SelectField
        name="triggerType"
        label="Trigger"
        value={type}
        onChange={({ target }) => setType(triggerTypeOf(target.value))}
      >
        {Object.entries(triggerMeanings).map(([value, meaning]) => (
          <option key={value} value={value}>
            {meaning}
          </option>
        ))}
      </SelectField>
      {type === 'EVENT' && <EventField name={textOf(trigger.triggerConfig.eventName)} />}
      {type === 'SCHEDULE' && <ScheduleFields config={trigger.triggerConfig} />}
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function EventField({ name }: { name: string }) {
  const names = useQuery(useApi().events.names.queryOptions());
  return (
    <SuggestedField
      name="triggerConfig.eventName"
      label="Event"
      suggestions={names.data?.eventNames ?? []}
      defaultValue={name}
      placeholder="signup"
      {...limitsOf(eventName)}
      required
      hint="An event that your code tracks, or a built-in one such as email.open. It doesn't have to exist yet."
    />
  );
}

const zones = Intl.supportedValuesOf('timeZone');
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function ScheduleFields({ config }: { config: Workflow['triggerConfig'] }) {
  const segments = useQuery(useApi().segments.list.queryOptions());
  return (
    <>
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
        <option value="">All subscribed contacts</option>
        {segments.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            Members of {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}
