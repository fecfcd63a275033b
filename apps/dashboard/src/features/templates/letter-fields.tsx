import { useDeferredValue, useState } from 'react';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { FieldRow } from '../../ui/form.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { classOptions } from './email-class.ts';
import styles from './letter-fields.module.css';

interface LetterFieldsProps {
  /** The sender that is suggested; empty for none. */
  from: string;
  type: (typeof classOptions)[number]['value'];
}

/** What a campaign and a template have in common: who writes, under which subject, and the body with a look at it. */
export function LetterFields({ from, type }: LetterFieldsProps) {
  const [body, setBody] = useState('');
  const shown = useDeferredValue(body);
  return (
    <>
      <TextField
        name="subject"
        label="Subject"
        placeholder="News for {{name ?? you}}"
        maxLength={998}
        required
      />
      <FieldRow>
        <TextField
          name="from"
          label="From"
          type="email"
          defaultValue={from}
          hint="At one of your verified domains."
          required
        />
        <TextField name="fromName" label="Sender's name" maxLength={100} hint="Else the project's name." />
        <TextField name="replyTo" label="Answers go to" type="email" hint="Else the sender." />
      </FieldRow>
      <SelectField name="type" label="Class" defaultValue={type}>
        {classOptions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <div className={styles.letter}>
        <TextAreaField
          name="body"
          label="Body"
          code
          rows={24}
          required
          value={body}
          onChange={({ target }) => setBody(target.value)}
          placeholder={'<h1>Hello {{name ?? there}}</h1>\n<p>…</p>'}
          hint="HTML with Liquid: {{variable}}, {{variable ?? fallback}}, {% if … %}."
        />
        <div className={styles.preview}>
          <span className={styles.label}>Preview</span>
          <div className={styles.frame}>
            <MailFrame title="Preview, without anybody's data filled in" html={shown} />
          </div>
        </div>
      </div>
    </>
  );
}
