import type { StepConfigs } from '@postrider/core/automation/workflows/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useSearchText } from '../../../lib/use-search-text.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import type { StepFieldsProps } from './step-view.ts';
import { TemplateThumb } from './template-thumb.tsx';

/** With more templates than this, a search field appears. */
const offered = 100;

/** The template to send, and its recipient. */
export function EmailFields({ config, templateId, eventName }: StepFieldsProps<StepConfigs['SEND_EMAIL']>) {
  const to = useProjectPath();
  const { type, customEmail = '' } = config.recipient ?? { type: 'CONTACT' };
  const [recipient, setRecipient] = useState<string>(type);
  const [chosen, setChosen] = useState(templateId ?? '');
  const [text, setText, search] = useSearchText();
  const api = useApi().templates;
  const templates = useQuery({
    ...api.list.queryOptions({ pageSize: offered, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  const own = useQuery({ ...api.get.queryOptions({ id: chosen }), enabled: chosen !== '' });
  const known = templates.data?.data ?? [];
  const isListed = known.some(({ id }) => id === chosen);
  const hasMore = search !== '' || (templates.data?.total ?? 0) > offered;
  return (
    <>
      {hasMore && (
        <TextField
          name="find-template"
          label="Find a template"
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <SelectField
        name="templateId"
        label="Template"
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        required
        hint={
          templates.data?.total === 0 && search === '' ? (
            <>
              No templates yet. <Link to={to('templates/new')}>Create one</Link>
            </>
          ) : undefined
        }
      >
        <option value="">Select a template</option>
        {chosen && !isListed && (
          <option value={chosen}>
            {own.data?.name ?? (own.isLoading ? 'Loading…' : 'Deleted template')}
          </option>
        )}
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {own.data?.id === chosen && <TemplateThumb template={own.data} eventName={eventName} />}
      <SelectField
        name="config.recipient.type"
        label="Recipient"
        value={recipient}
        onChange={({ target }) => setRecipient(target.value)}
      >
        <option value="CONTACT">The contact</option>
        <option value="CUSTOM">Another email address</option>
      </SelectField>
      {recipient === 'CUSTOM' && (
        <TextField
          name="config.recipient.customEmail"
          label="Email address"
          defaultValue={customEmail}
          placeholder="team@example.com"
          required
          hint="Can contain variables, for example {{manager_email}}."
        />
      )}
    </>
  );
}
