import { textLimits } from '@postrider/core/base/lib/contract';
import { createTemplateInput, type EmailContent } from '@postrider/core/content/templates/contract';
import type { ReactNode } from 'react';
import { useProject } from '../../../lib/current.ts';
import type { Failure } from '../../../lib/failure.ts';
import { given } from '../../../lib/given.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { useSender } from '../../settings/domains/use-sender.ts';
import { emailTypeOf, typeOptions } from '../content/email-types.ts';
import styles from './content-settings.module.css';

interface ContentSettingsProps {
  content: EmailContent;
  onChange: (change: Partial<EmailContent>) => void;
  /** Why the email cannot be rendered as it is now. */
  failure: Failure | null;
  /** False where the type is decided elsewhere. */
  hasType: boolean;
  /** Fields shown before these. */
  children: ReactNode;
}

/** Subject, preheader, sender and type, in rows that leave the height of the window to the body. */
export function ContentSettings({ content, onChange, failure, hasType, children }: ContentSettingsProps) {
  const { all: senders } = useSender();
  const { name: projectName } = useProject();
  const text = (field: Exclude<keyof EmailContent, 'type' | 'body' | 'text'>) => ({
    name: field,
    value: content[field] ?? '',
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
    failure: failure?.fields[field],
    ...textLimits(createTemplateInput, field),
  });
  return (
    <div className={styles.settings}>
      {children}
      <TextField {...text('subject')} label="Subject" placeholder="News for {{firstName ?? you}}" required />
      <TextField
        {...text('preheader')}
        label="Preheader"
        placeholder="Shown after the subject by inboxes, hidden in the email"
      />
      <SuggestedField
        {...text('from')}
        label="From"
        inputMode="email"
        placeholder="An address of a verified domain"
        suggestions={senders}
        required
      />
      <TextField {...text('fromName')} label="From name" placeholder={projectName} />
      <TextField
        {...text('replyTo')}
        label="Reply-to"
        inputMode="email"
        placeholder={given(content.from) ?? 'The From address'}
      />
      {hasType && (
        <SelectField
          name="type"
          label="Type"
          value={content.type}
          onChange={({ target }) => onChange({ type: emailTypeOf(target.value) })}
        >
          {typeOptions.map(({ value, label, note }) => (
            <option key={value} value={value} title={note}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  );
}
