import { type StepConfigs, webhookMethods, webhookUrl } from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useState } from 'react';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import type { StepFieldsProps } from './step-view.ts';

/** The request to send. */
export function WebhookFields({ config }: StepFieldsProps<StepConfigs['WEBHOOK']>) {
  const [method, setMethod] = useState<string>(config.method ?? 'POST');
  const headers = Object.entries(config.headers ?? {});
  return (
    <>
      <TextField
        name="config.url"
        label="URL"
        defaultValue={config.url ?? ''}
        placeholder="https://example.com/hooks"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...limitsOf(webhookUrl)}
        required
        hint="Can contain variables, for example {{email}}. Their values are URL-encoded."
      />
      <SelectField
        name="config.method"
        label="Method"
        value={method}
        onChange={({ target }) => setMethod(target.value)}
      >
        {webhookMethods.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        name="config.headers"
        label="Headers"
        code
        rows={2}
        defaultValue={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        placeholder="Authorization: Bearer …"
        hint="One per line. Every request also carries a signature in X-Postrider-Signature."
      />
      {method !== 'GET' && (
        <TextAreaField
          name="config.body"
          label="Body (JSON)"
          code
          rows={4}
          defaultValue={config.body === undefined ? '' : JSON.stringify(config.body, null, 2)}
          placeholder={'{ "email": "{{email}}" }'}
          hint="If empty, the contact, workflow, execution and event are sent."
        />
      )}
    </>
  );
}
