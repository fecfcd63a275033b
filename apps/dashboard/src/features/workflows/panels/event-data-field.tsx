import { useQuery } from '@tanstack/react-query';
import { useApi, type Workflow } from '../../../lib/api.ts';
import { TextAreaField } from '../../../ui/field.tsx';
import { eventNameOf } from './add-step-panel.tsx';
import { eventDataHint } from './event-data.rules.ts';

/** The data of the event that starts an execution, one field per line. It names the fields that such events had. */
export function EventDataField({ workflow }: { workflow: Workflow }) {
  const eventName = eventNameOf(workflow);
  const fields = useQuery(useApi().workflows.fields.queryOptions({ ...(eventName && { eventName }) }));
  return (
    <TextAreaField
      name="context"
      label="Event data"
      code
      rows={3}
      placeholder={'plan: pro\ntotal: 120'}
      hint={eventDataHint(fields.data?.fields ?? [], eventName)}
    />
  );
}
