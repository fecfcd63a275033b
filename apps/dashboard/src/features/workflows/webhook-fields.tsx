import { useState } from 'react';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { textOf } from './text-of.ts';

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];

/** The request to send. */
export function WebhookFields({ config }: { config: Readonly<Record<string, unknown>> }) {
  const [method, setMethod] = useState(textOf(config.method, 'POST'));
  const headers = Object.entries((config.headers ?? {}) as Record<string, string>);
  return (
    <>
      <TextField
        name="config.url"
        label="URL"
        defaultValue={textOf(config.url, '')}
        placeholder="https://example.com/hooks"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={2_000}
        required
        hint="Can contain variables, for example {{email}}. Their values are URL-encoded."
      />
      <SelectField
        name="config.method"
        label="Method"
        value={method}
        onChange={({ target }) => setMethod(target.value)}
      >
        {methods.map((each) => (
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
