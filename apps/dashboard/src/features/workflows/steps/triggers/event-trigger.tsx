import { eventName } from '@postrider/core/audience/events/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../../lib/api.ts';
import { SuggestedField } from '../../../../ui/suggested-field.tsx';
import { type TriggerFieldsProps, type TriggerView, textOf } from './trigger-view.ts';

export const eventTriggerView: TriggerView = {
  summary: ({ eventName: name }) => (name === undefined ? 'No event yet' : `${name}`),
  missing: 'The trigger has no event.',
  Fields: EventFields,
  read: (values) => ({ eventName: values['triggerConfig.eventName'] ?? '' }),
};

function EventFields({ config }: TriggerFieldsProps) {
  const names = useQuery(useApi().events.names.queryOptions());
  return (
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
  );
}
