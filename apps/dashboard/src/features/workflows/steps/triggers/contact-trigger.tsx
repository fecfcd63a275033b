import {
  type ContactSource,
  contactSources,
  contactTriggerSources,
} from '@postrider/core/automation/workflows/contract';
import { CheckField } from '../../../../ui/field.tsx';
import type { TriggerFieldsProps, TriggerView } from './trigger-view.ts';

const labels: Record<ContactSource, string> = {
  api: 'Requests and the dashboard',
  track: 'Tracked events',
  send: 'Emails to a new address',
  form: 'Forms',
  import: 'Imports',
  submission: 'SMTP submission',
  intake: 'Other services',
};

export const contactTriggerView: TriggerView = {
  summary: (config) => {
    const taken = contactTriggerSources(config);
    const all = contactSources.length - 1;
    return taken.length === all && !taken.includes('import')
      ? 'Not by imports'
      : taken.map((source) => labels[source]).join(', ');
  },
  missing: '',
  Fields: ContactFields,
  read: (values) => ({ sources: contactSources.filter((source) => values[`source.${source}`] === 'on') }),
};

function ContactFields({ config }: TriggerFieldsProps) {
  const taken = contactTriggerSources(config);
  return contactSources.map((source) => (
    <CheckField
      key={source}
      name={`source.${source}`}
      label={labels[source]}
      defaultChecked={taken.includes(source)}
    />
  ));
}
