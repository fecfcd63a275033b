import { mostUnapproved } from '@postrider/core/people/projects/contract';
import { useState } from 'react';
import type { Project } from '../../../lib/api.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import type { FormValues } from '../../../ui/form.tsx';

type Required = Project['approval']['required'];

const choices: { value: Required; label: string }[] = [
  { value: 'NEVER', label: 'Never' },
  { value: 'ABOVE', label: 'Above a number of recipients' },
  { value: 'ALWAYS', label: 'Always' },
];

const choiceOf = (value: string | undefined): Required =>
  choices.find((choice) => choice.value === value)?.value ?? 'NEVER';

/** What the fields say. */
export function readApproval(values: FormValues): Project['approval'] {
  const required = choiceOf(values['approval.required']);
  return { required, above: required === 'ABOVE' ? Number(values['approval.above'] ?? 0) : null };
}

interface ApprovalFieldsProps {
  approval: Project['approval'];
  disabled: boolean;
}

/** Which campaigns a second person has to approve. */
export function ApprovalFields({ approval, disabled }: ApprovalFieldsProps) {
  const [required, setRequired] = useState<string>(approval.required);
  return (
    <>
      <SelectField
        name="approval.required"
        label="Campaigns need an approval"
        value={required}
        onChange={({ target }) => setRequired(target.value)}
        disabled={disabled}
        hint="An owner or admin gives it who has neither asked for it nor changed the campaign last, so at least two people are needed. Any change ends it."
      >
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {required === 'ABOVE' && (
        <TextField
          name="approval.above"
          label="Most recipients without an approval"
          type="number"
          min={0}
          max={mostUnapproved}
          step={1}
          defaultValue={String(approval.above ?? 1_000)}
          required
          disabled={disabled}
        />
      )}
    </>
  );
}
