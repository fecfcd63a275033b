import { textLimits, type Whole } from '@postrider/core/base/lib/contract';
import { createTemplateInput } from '@postrider/core/content/templates/contract';
import type { ReactNode } from 'react';
import type { Template, TemplateInput } from '../../lib/api.ts';
import type { Failure } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import type { FormDraft } from '../../lib/use-draft.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { TopicField } from '../common/topics/topic-field.tsx';
import { readContent } from '../mail-editor/content/content.rules.ts';
import { ContentFields } from '../mail-editor/editor/content-fields.tsx';
import styles from './template-form.module.css';

type TemplateFields = Whole<TemplateInput, undefined>;

interface TemplateFormProps {
  label: string;
  /** The initial values of the fields. */
  template: Pick<Template, keyof TemplateFields>;
  failure: Failure | null;
  draft: FormDraft;
  onSubmit: (template: TemplateFields) => void;
  /** The buttons of the form. */
  children: ReactNode;
}

export function TemplateForm({ label, template, failure, draft, onSubmit, children }: TemplateFormProps) {
  return (
    <Form
      label={label}
      failure={failure}
      draft={draft}
      onSubmit={(values) =>
        onSubmit({
          name: values.name ?? '',
          description: given(values.description) ?? null,
          alias: given(values.alias) ?? null,
          ...readContent(values),
          exemptFromLimits: values.exemptFromLimits !== undefined,
          topic: given(values.topic) ?? null,
        })
      }
    >
      <ContentFields content={template} problem={failure?.position ?? null}>
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
        <TopicField topic={template.topic} />
        <TextField
          name="alias"
          label="Alias"
          placeholder="order-shipped"
          defaultValue={template.alias ?? ''}
          {...textLimits(createTemplateInput, 'alias')}
        />
      </ContentFields>
      <CheckField
        name="exemptFromLimits"
        label="Outside of the contact limits"
        defaultChecked={template.exemptFromLimits}
        hint="Its emails are not held back by the limits of the project."
      />
      <div className={styles.bar}>
        <FormActions>{children}</FormActions>
      </div>
    </Form>
  );
}
