import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { SelectField, TextField } from '../../ui/field.tsx';

interface EmailFieldsProps {
  config: Readonly<Record<string, unknown>>;
  templateId: string | null;
}

const offered = 100;

/** Which template goes to whom. */
export function EmailFields({ config, templateId }: EmailFieldsProps) {
  const to = useProjectPath();
  const { type = 'CONTACT', customEmail = '' } = (config.recipient ?? {}) as {
    type?: string;
    customEmail?: string;
  };
  const [recipient, setRecipient] = useState(type);
  const templates = useQuery(useApi().templates.list.queryOptions({ pageSize: offered }));
  const own = useQuery({
    ...useApi().templates.get.queryOptions({ id: templateId ?? '' }),
    enabled: templateId !== null,
  });
  const known = templates.data?.data ?? [];
  const isListed = known.some(({ id }) => id === templateId);
  return (
    <>
      <SelectField
        // Options that arrive later would leave the field at the first of them.
        key={`${templates.isPending} ${own.isLoading}`}
        name="templateId"
        label="Template"
        defaultValue={templateId ?? ''}
        required
        hint={
          templates.data?.total === 0 ? (
            <>
              There is no template yet. <Link to={to('templates/new')}>Make one</Link>
            </>
          ) : (
            templateId && <Link to={to(`templates/${templateId}`)}>Look at it</Link>
          )
        }
      >
        <option value="">Choose a template</option>
        {templateId && !isListed && (
          <option value={templateId}>{own.data?.name ?? 'A deleted template'}</option>
        )}
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        name="config.recipient.type"
        label="Goes to"
        value={recipient}
        onChange={({ target }) => setRecipient(target.value)}
      >
        <option value="CONTACT">The contact</option>
        <option value="CUSTOM">Another address</option>
      </SelectField>
      {recipient === 'CUSTOM' && (
        <TextField
          name="config.recipient.customEmail"
          label="Address"
          defaultValue={customEmail}
          placeholder="team@example.com"
          required
          hint="May be filled in from data, for example {{manager_email}}."
        />
      )}
    </>
  );
}
