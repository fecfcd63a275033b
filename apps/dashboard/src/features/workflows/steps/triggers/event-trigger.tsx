import { eventName } from '@postrider/core/audience/events/contract';
import type { TriggerConfigInput } from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../../lib/api.ts';
import { SuggestedField } from '../../../../ui/suggested-field.tsx';
import { keptText, keptValue, type TriggerFieldsProps, type TriggerView, textOf } from './trigger-view.ts';

export const eventTriggerView: TriggerView = {
  summary: ({ eventName: name, where }) =>
    name === undefined ? 'No event yet' : `${name}${where === undefined ? '' : ', with conditions'}`,
  missing: 'The trigger has no event.',
  Fields: EventFields,
  read(values) {
    const where = keptValue<TriggerConfigInput['where']>(values['triggerConfig.where']);
    return { eventName: values['triggerConfig.eventName'] ?? '', ...(where && { where }) };
  },
};

function EventFields({ config }: TriggerFieldsProps) {
  const names = useQuery(useApi().events.names.queryOptions());
  return (
    <>
      <input type="hidden" name="triggerConfig.where" value={keptText(config.where)} />
      <SuggestedField
        name="triggerConfig.eventName"
        label="Event"
        suggestions={names.data?.eventNames ?? []}
        defaultValue={textOf(config.eventName)}
        placeholder="signup"
        {...limitsOf(eventName)}
        required
        hint="An event that your code tracks, or a built-in one such as email.open. It doesn't have to exist yet."
      />
    </>
  );
}
