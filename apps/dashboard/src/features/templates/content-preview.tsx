import type { EmailContent } from '@postrider/core/templates/contract';
import type { ReactNode } from 'react';
import { useProject } from '../../lib/current.ts';
import { type Failure, withoutFields } from '../../lib/failure.ts';
import { given } from '../../lib/given.ts';
import { Fold } from '../../ui/fold.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { templateFieldNames } from './content.rules.ts';
import styles from './content-preview.module.css';
import { InboxLine } from './inbox-line.tsx';
import { SampleFields } from './sample-fields.tsx';
import type { LivePreview, Sample } from './use-content-preview.ts';

interface ContentPreviewProps {
  className: string | undefined;
  content: EmailContent;
  preview: LivePreview;
  sample: Sample;
  onSample: (sample: Sample) => void;
  /** The checks of the email, shown below it. */
  checks: ReactNode;
}

/** A preview of the email for a sample recipient. While the input cannot be rendered, the last valid version is shown. */
export function ContentPreview({
  className,
  content,
  preview,
  sample,
  onSample,
  checks,
}: ContentPreviewProps) {
  const { shown, failure, sampleFailure } = preview;
  const { name: projectName } = useProject();
  const isStale = failure !== null || sampleFailure !== undefined;
  return (
    <section className={`${styles.preview} ${className}`} aria-label="Preview">
      <p className={styles.head}>
        <span className={styles.label}>Preview</span>
        {isStale && shown && <span className={styles.stale}>Showing the last valid version</span>}
      </p>
      <div className={styles.mail}>
        <InboxLine
          sender={given(content.fromName ?? '') ?? projectName}
          subject={shown?.subject ?? ''}
          preheader={shown?.preheader ?? ''}
        />
        <MailFrame title="Preview" html={shown?.html ?? ''} fill />
      </div>
      <div className={styles.foot}>
        {shown?.limited && !isStale && (
          <Notice tone="warn" title="Rendering takes too long">
            <p>Only variables are filled in. Everything inside {'{% … %}'} is left out.</p>
          </Notice>
        )}
        {failure && !isAboutFields(failure) && (
          <FailureNotice failure={templateFieldNames.reduce(withoutFields, failure)} />
        )}
        {checks}
        <Fold summary="Preview as …">
          <SampleFields content={content} sample={sample} failure={sampleFailure} onSample={onSample} />
        </Fold>
      </div>
    </section>
  );
}

/** Whether the failure is shown at a field of the content. */
const isAboutFields = ({ fields }: Failure): boolean => templateFieldNames.some((field) => field in fields);
