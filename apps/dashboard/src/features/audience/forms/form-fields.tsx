import { formFieldType, mostFields } from '@postrider/core/mail/forms/contract';
import type { SignUpForm } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { FieldRow } from '../../../ui/form.tsx';
import type { FieldDraft } from './form-draft.rules.ts';

const types: Readonly<Record<SignUpForm['fields'][number]['type'], string>> = {
  TEXT: 'Text',
  CHECKBOX: 'Yes or no',
  SELECT: 'One of several',
  DATE: 'Day',
};

interface FormFieldsProps {
  drafts: readonly FieldDraft[];
  onChange: (drafts: FieldDraft[]) => void;
}

/** What a form asks for besides the address. */
export function FormFields({ drafts, onChange }: FormFieldsProps) {
  const change = (key: number, part: Partial<FieldDraft>) =>
    onChange(drafts.map((draft) => (draft.id === key ? { ...draft, ...part } : draft)));
  return (
    <fieldset>
      <legend>Fields besides the address</legend>
      {drafts.map((draft, index) => (
        <div key={draft.id}>
          <FieldRow>
            <TextField
              name={`fields.${index}.key`}
              label="Field of the contact"
              placeholder="firstName"
              value={draft.key}
              maxLength={100}
              required
              onChange={({ target }) => change(draft.id, { key: target.value })}
            />
            <TextField
              name={`fields.${index}.label`}
              label="Label"
              placeholder="First name"
              value={draft.label}
              maxLength={200}
              required
              onChange={({ target }) => change(draft.id, { label: target.value })}
            />
            <SelectField
              name={`fields.${index}.type`}
              label="Kind"
              value={draft.type}
              onChange={({ target }) => change(draft.id, { type: formFieldType.parse(target.value) })}
            >
              {formFieldType.options.map((type) => (
                <option key={type} value={type}>
                  {types[type]}
                </option>
              ))}
            </SelectField>
          </FieldRow>
          {draft.type === 'SELECT' && (
            <TextAreaField
              name={`fields.${index}.options`}
              label="Options, one a line"
              rows={3}
              value={draft.options}
              required
              onChange={({ target }) => change(draft.id, { options: target.value })}
            />
          )}
          <FieldRow>
            <label>
              <input
                type="checkbox"
                checked={draft.required}
                onChange={({ target }) => change(draft.id, { required: target.checked })}
              />{' '}
              Must be filled in
            </label>
            <Button onClick={() => onChange(drafts.filter(({ id }) => id !== draft.id))}>Remove field</Button>
          </FieldRow>
        </div>
      ))}
      {drafts.length < mostFields && (
        <Button
          icon="plus"
          onClick={() =>
            onChange([
              ...drafts,
              {
                id: Math.max(0, ...drafts.map(({ id }) => id)) + 1,
                key: '',
                label: '',
                type: 'TEXT',
                required: false,
                options: '',
                others: {},
              },
            ])
          }
        >
          Add a field
        </Button>
      )}
    </fieldset>
  );
}
