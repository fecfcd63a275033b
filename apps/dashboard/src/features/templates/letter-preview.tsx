import { withoutFields } from '../../lib/failure.ts';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import type { Letter } from './email-class.ts';
import styles from './letter-preview.module.css';
import { SampleFields } from './sample-fields.tsx';
import type { LivePreview, Sample } from './use-letter-preview.ts';

interface LetterPreviewProps {
  letter: Pick<Letter, 'subject' | 'body'>;
  preview: LivePreview;
  sample: Sample;
  onSample: (sample: Sample) => void;
}

/** A preview of the email for a sample recipient. While the input cannot be rendered, the last valid version is shown. */
export function LetterPreview({ letter, preview, sample, onSample }: LetterPreviewProps) {
  const { shown, failure, sampleFailure } = preview;
  const loose =
    failure && withoutFields(withoutFields(withoutFields(failure, 'subject'), 'preheader'), 'body');
  const isStale = failure !== null || sampleFailure !== undefined;
  return (
    <section className={styles.preview} aria-label="Preview">
      <div className={styles.mail}>
        <p className={styles.head}>
          <span className={styles.label}>Preview</span>
          {isStale && shown && <span className={styles.stale}>Showing the last valid version</span>}
        </p>
        <div className={styles.frame}>
          <p className={styles.subject}>{shown?.subject || 'No subject yet'}</p>
          {shown?.preheader && <p className={styles.label}>{shown.preheader}</p>}
          <MailFrame title="Preview" html={shown?.html ?? ''} />
        </div>
      </div>
      {shown?.limited && !isStale && (
        <Notice tone="warn" title="Rendering takes too long">
          <p>Only variables are filled in. Everything inside {'{% … %}'} is left out.</p>
        </Notice>
      )}
      {failure && loose && !isAboutFields(failure.fields) && <FailureNotice failure={loose} />}
      <SampleFields letter={letter} sample={sample} failure={sampleFailure} onSample={onSample} />
    </section>
  );
}

const isAboutFields = (fields: Readonly<Record<string, string>>): boolean =>
  'subject' in fields || 'preheader' in fields || 'body' in fields;
