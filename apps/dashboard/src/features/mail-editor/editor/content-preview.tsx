import type { EmailContent } from '@postrider/core/content/templates/contract';
import { type ReactNode, useState } from 'react';
import { useProject } from '../../../lib/current.ts';
import { type Failure, withoutFields } from '../../../lib/failure.ts';
import { given } from '../../../lib/given.ts';
import { Fold } from '../../../ui/fold.tsx';
import { MailControls, type MailMode } from '../../../ui/mail-controls.tsx';
import type { MailScheme } from '../../../ui/mail-scheme.rules.ts';
import { deviceHere, MailView } from '../../../ui/mail-view.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { ScrollText } from '../../../ui/scroll-text.tsx';
import { templateFieldNames } from '../content/content.rules.ts';
import styles from './content-preview.module.css';
import { InboxLine } from './inbox-line.tsx';
import { PreviewNote } from './preview-note.tsx';
import { ReaderChoice } from './reader-choice.tsx';
import { SampleFields } from './sample-fields.tsx';
import type { LivePreview, Sample } from './use-content-preview.ts';

interface ContentPreviewProps {
  className: string | undefined;
  content: EmailContent;
  preview: LivePreview;
  sample: Sample;
  onSample: (sample: Sample) => void;
  /** The checks of the email, shown below it. */
  checks?: ReactNode;
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
  const [mode, setMode] = useState<MailMode>(deviceHere);
  const [scheme, setScheme] = useState<MailScheme>('light');
  const isStale = failure !== null || sampleFailure !== undefined;
  return (
    <section className={`${styles.preview} ${className}`} aria-label="Preview">
      <div className={styles.head}>
        <MailControls
          device={mode}
          devices={['desktop', 'phone', 'text']}
          onDevice={setMode}
          scheme={scheme}
          onScheme={setScheme}
        />
        <div className={styles.reader}>
          <ReaderChoice
            contactId={sample.contactId}
            onChoose={(contactId) => onSample({ ...sample, contactId })}
          />
        </div>
      </div>
      <div className={styles.mail}>
        <InboxLine
          sender={given(content.fromName ?? '') ?? projectName}
          subject={shown?.subject ?? ''}
          preheader={shown?.preheader ?? ''}
          text={shown?.text ?? ''}
        />
        {isStale && shown && <p className={styles.stale}>Showing the last valid version</p>}
        {mode === 'text' ? (
          <div className={styles.text}>
            <ScrollText label="Text of the email" wrap>
              {shown?.text ?? ''}
            </ScrollText>
          </div>
        ) : (
          <>
            <PreviewNote html={shown?.html ?? ''} scheme={scheme} />
            <div className={styles.view}>
              <MailView title="Preview" html={shown?.html ?? ''} device={mode} scheme={scheme} />
            </div>
          </>
        )}
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
        <Fold summary="Sample values">
          <SampleFields content={content} sample={sample} failure={sampleFailure} onSample={onSample} />
        </Fold>
      </div>
    </section>
  );
}

/** Whether the failure is shown at a field of the content. */
const isAboutFields = ({ fields }: Failure): boolean => templateFieldNames.some((field) => field in fields);
