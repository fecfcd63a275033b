import { contentOf, type Design, type EmailContent } from '@postrider/core/content/templates/contract';
import { type ReactNode, useState } from 'react';
import type { SourcePosition } from '../../../lib/failure.ts';
import { MailChecks } from '../checks/mail-checks.tsx';
import { MailBody } from '../design/mail-body.tsx';
import { CodeBody } from './code-body.tsx';
import { CodeTools } from './code-tools.tsx';
import styles from './content-fields.module.css';
import { ContentPreview } from './content-preview.tsx';
import { ContentSettings } from './content-settings.tsx';
import { TextPart } from './text-part.tsx';
import { noSample, useContentPreview } from './use-content-preview.ts';

interface ContentFieldsProps {
  /** The initial values of the fields. */
  content: EmailContent & { design?: Design | null | undefined };
  /** Where the template has a syntax error. */
  problem: SourcePosition | null;
  /** Fields shown before those of the content. */
  children?: ReactNode;
}

/** The fields that campaigns and templates share: the settings, and below them the body beside its preview. */
export function ContentFields({ content: initial, problem, children }: ContentFieldsProps) {
  const [content, setContent] = useState(() => ({ ...contentOf(initial), design: initial.design ?? null }));
  const [sample, setSample] = useState(noSample);
  const preview = useContentPreview(content, sample);
  const change = (fields: Partial<typeof content>) => setContent((now) => ({ ...now, ...fields }));
  const isDesigned = content.design !== null;
  return (
    <>
      <ContentSettings content={content} onChange={change} failure={preview.failure}>
        {children}
      </ContentSettings>
      <div className={`${styles.workspace} ${isDesigned ? styles.designed : ''}`}>
        <div className={styles.pane}>
          <MailBody
            body={content.body}
            design={content.design}
            subject={content.subject}
            onChange={change}
            tools={<CodeTools field="body" />}
            text={
              <TextPart
                value={content.text ?? ''}
                onChange={(text) => change({ text: text === '' ? null : text })}
                failure={preview.failure?.fields['text']}
              />
            }
            code={
              <CodeBody
                content={content}
                onChange={(body) => change({ body })}
                problem={placeIn(problem, 'body')}
                failure={preview.failure?.fields['body']}
                failurePlace={placeIn(preview.failure?.position, 'body')}
              />
            }
          />
        </div>
        <ContentPreview
          className={styles.pane}
          isNarrow={isDesigned}
          content={content}
          preview={preview}
          checks={<MailChecks content={content} rendered={preview.shown?.html ?? null} />}
          sample={sample}
          onSample={setSample}
        />
      </div>
    </>
  );
}

const placeIn = (position: SourcePosition | null | undefined, field: string): SourcePosition | null =>
  position?.field === field ? position : null;
