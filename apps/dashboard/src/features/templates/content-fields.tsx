import { textLimits } from '@postrider/core/kernel/contract';
import {
  contentOf,
  createTemplateInput,
  type Design,
  type EmailContent,
} from '@postrider/core/templates/contract';
import { useState } from 'react';
import type { Failure, SourcePosition } from '../../lib/failure.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FieldRow } from '../../ui/form.tsx';
import { SuggestedField } from '../../ui/suggested-field.tsx';
import { InsertTools } from '../blocks/insert-tools.tsx';
import { useSender } from '../domains/use-sender.ts';
import { MailBody } from '../mail-design/mail-body.tsx';
import styles from './content-fields.module.css';
import { ContentPreview } from './content-preview.tsx';
import { emailTypeOf, typeOptions } from './email-types.ts';
import { noSample, useContentPreview } from './use-content-preview.ts';

interface ContentFieldsProps {
  /** The initial values of the fields. */
  content: EmailContent & { design?: Design | null | undefined };
  /** Where the template has a syntax error. */
  problem: SourcePosition | null;
}

/** The fields that campaigns and templates share: subject, preheader, sender, type, and the body with a preview. */
export function ContentFields({ content: initial, problem }: ContentFieldsProps) {
  const [content, setContent] = useState(() => ({ ...contentOf(initial), design: initial.design ?? null }));
  const [sample, setSample] = useState(noSample);
  const { all: senders } = useSender();
  const preview = useContentPreview(content, sample);
  const change = (field: keyof EmailContent, value: string) =>
    setContent((now) => ({ ...now, [field]: value }));
  const text = (field: Exclude<keyof EmailContent, 'type' | 'body'>) => ({
    name: field,
    value: content[field] ?? '',
    onChange: ({ target }: { target: { value: string } }) => change(field, target.value),
    failure: preview.failure?.fields[field],
    ...textLimits(createTemplateInput, field),
  });
  return (
    <>
      <TextField {...text('subject')} label="Subject" placeholder="News for {{name ?? you}}" required />
      <FieldRow>
        <TextField
          {...text('preheader')}
          label="Preheader"
          hint="The line that inboxes show after the subject. Hidden in the email itself."
        />
        <SelectField
          name="type"
          label="Type"
          value={content.type}
          onChange={({ target }) => change('type', emailTypeOf(target.value))}
        >
          {typeOptions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      <FieldRow>
        <SuggestedField
          {...text('from')}
          label="From"
          inputMode="email"
          hint="An address of one of your verified domains, or the sandbox sender."
          suggestions={senders}
          required
        />
        <TextField {...text('fromName')} label="From name" hint="Defaults to the project name." />
        <TextField {...text('replyTo')} label="Reply-to" type="email" hint="Defaults to the From address." />
      </FieldRow>
      <div className={styles.content}>
        <MailBody
          body={content.body}
          design={content.design}
          subject={content.subject}
          onChange={(fields) => setContent((now) => ({ ...now, ...fields }))}
          code={
            <>
              <InsertTools field="body" value={content.body} onChange={(value) => change('body', value)} />
              <CodeField
                name="body"
                label="Body"
                rows={26}
                required
                value={content.body}
                onChange={(value) => change('body', value)}
                problem={problem?.field === 'body' ? problem : null}
                failure={preview.failure?.fields['body']}
                failureLine={lineIn(preview.failure, 'body')}
                placeholder={'<h1>Hello {{name ?? there}}</h1>\n<p>…</p>'}
                hint="HTML with Liquid: {{variable}}, {{variable ?? fallback}}, {% if … %}."
              />
            </>
          }
        />
        <ContentPreview content={content} preview={preview} sample={sample} onSample={setSample} />
      </div>
    </>
  );
}

const lineIn = (failure: Failure | null, field: string): number | undefined =>
  failure?.position?.field === field ? failure.position.line : undefined;
