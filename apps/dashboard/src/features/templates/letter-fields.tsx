import { useDeferredValue, useState } from 'react';
import type { SourcePosition } from '../../lib/failure.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FieldRow } from '../../ui/form.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { classOptions, type Letter } from './email-class.ts';
import styles from './letter-fields.module.css';

interface LetterFieldsProps {
  /** What the fields hold at first. */
  letter: Letter;
  /** Where the template language stumbled. */
  problem: SourcePosition | null;
}

/** What a campaign and a template have in common: who writes, under which subject, and the body with a look at it. */
export function LetterFields({ letter, problem }: LetterFieldsProps) {
  const [body, setBody] = useState(letter.body);
  const shown = useDeferredValue(body);
  return (
    <>
      <TextField
        name="subject"
        label="Subject"
        defaultValue={letter.subject}
        placeholder="News for {{name ?? you}}"
        maxLength={998}
        required
      />
      <FieldRow>
        <TextField
          name="from"
          label="From"
          type="email"
          defaultValue={letter.from}
          hint="At one of your verified domains."
          required
        />
        <TextField
          name="fromName"
          label="Sender's name"
          defaultValue={letter.fromName ?? ''}
          maxLength={100}
          hint="Else the project's name."
        />
        <TextField
          name="replyTo"
          label="Answers go to"
          type="email"
          defaultValue={letter.replyTo ?? ''}
          hint="Else the sender."
        />
      </FieldRow>
      <SelectField name="type" label="Class" defaultValue={letter.type}>
        {classOptions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <div className={styles.letter}>
        <CodeField
          name="body"
          label="Body"
          rows={26}
          required
          value={body}
          onChange={setBody}
          problem={problem?.field === 'body' ? problem : null}
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
