import { textLimits } from '@postrider/core/kernel/contract';
import { createTemplateInput } from '@postrider/core/templates/contract';
import { useMemo, useState } from 'react';
import type { Failure, SourcePosition } from '../../lib/failure.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FieldRow } from '../../ui/form.tsx';
import { classOptions, emailClassOf, type Letter } from './email-class.ts';
import styles from './letter-fields.module.css';
import { LetterPreview } from './letter-preview.tsx';
import { noSample, useLetterPreview } from './use-letter-preview.ts';

interface LetterFieldsProps {
  /** The initial values of the fields. */
  letter: Letter;
  /** Where the template has a syntax error. */
  problem: SourcePosition | null;
}

/** The fields that campaigns and templates share: subject, preheader, sender, type, and the body with a preview. */
export function LetterFields({ letter, problem }: LetterFieldsProps) {
  const [subject, setSubject] = useState(letter.subject);
  const [preheader, setPreheader] = useState(letter.preheader ?? '');
  const [body, setBody] = useState(letter.body);
  const [type, setType] = useState(letter.type);
  const [sample, setSample] = useState(noSample);
  const written = useMemo(() => ({ subject, preheader, body, type }), [subject, preheader, body, type]);
  const preview = useLetterPreview(written, sample);
  return (
    <>
      <TextField
        name="subject"
        label="Subject"
        value={subject}
        onChange={({ target }) => setSubject(target.value)}
        failure={preview.failure?.fields['subject']}
        placeholder="News for {{name ?? you}}"
        {...textLimits(createTemplateInput, 'subject')}
        required
      />
      <TextField
        name="preheader"
        label="Preheader"
        value={preheader}
        onChange={({ target }) => setPreheader(target.value)}
        failure={preview.failure?.fields['preheader']}
        {...textLimits(createTemplateInput, 'preheader')}
        hint="The line that inboxes show after the subject. Hidden in the email itself."
      />
      <FieldRow>
        <TextField
          name="from"
          label="From"
          type="email"
          defaultValue={letter.from}
          hint="Must use one of your verified domains."
          required
        />
        <TextField
          name="fromName"
          label="From name"
          defaultValue={letter.fromName ?? ''}
          {...textLimits(createTemplateInput, 'fromName')}
          hint="Defaults to the project name."
        />
        <TextField
          name="replyTo"
          label="Reply-to"
          type="email"
          defaultValue={letter.replyTo ?? ''}
          hint="Defaults to the From address."
        />
      </FieldRow>
      <SelectField
        name="type"
        label="Type"
        value={type}
        onChange={({ target }) => setType(emailClassOf(target.value))}
      >
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
          failure={preview.failure?.fields['body']}
          failureLine={lineIn(preview.failure, 'body')}
          placeholder={'<h1>Hello {{name ?? there}}</h1>\n<p>…</p>'}
          hint="HTML with Liquid: {{variable}}, {{variable ?? fallback}}, {% if … %}."
        />
        <LetterPreview letter={written} preview={preview} sample={sample} onSample={setSample} />
      </div>
    </>
  );
}

const lineIn = (failure: Failure | null, field: string): number | undefined =>
  failure?.position?.field === field ? failure.position.line : undefined;
