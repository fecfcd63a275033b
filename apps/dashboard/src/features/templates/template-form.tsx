import { textLimits } from '@postrider/core/kernel/contract';
import { createTemplateInput } from '@postrider/core/templates/contract';
import type { ReactNode } from 'react';
import type { Template } from '../../lib/api.ts';
import type { Failure } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import { TextField } from '../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../ui/form.tsx';
import { type Letter, letterOf } from './email-class.ts';
import { LetterFields } from './letter-fields.tsx';

interface TemplateFields extends Letter {
  name: string;
  description: string | null;
}

interface TemplateFormProps {
  label: string;
  /** The initial values of the fields. */
  template: Pick<Template, keyof TemplateFields>;
  failure: Failure | null;
  onSubmit: (template: TemplateFields) => void;
  /** The buttons of the form. */
  children: ReactNode;
}

export function TemplateForm({ label, template, failure, onSubmit, children }: TemplateFormProps) {
  return (
    <Form
      label={label}
      failure={failure}
      onSubmit={(values) =>
        onSubmit({
          name: values.name ?? '',
          description: given(values.description) ?? null,
          ...letterOf(values),
        })
      }
    >
      <FieldRow>
        <TextField
          name="name"
          label="Name"
          defaultValue={template.name}
          {...textLimits(createTemplateInput, 'name')}
          required
          autoFocus={template.name === ''}
        />
        <TextField
          name="description"
          label="Description"
          defaultValue={template.description ?? ''}
          {...textLimits(createTemplateInput, 'description')}
        />
      </FieldRow>
      <LetterFields letter={template} problem={failure?.position ?? null} />
      <FormActions>{children}</FormActions>
    </Form>
  );
}
