import { contentOf, type Design, type EmailContent } from '@postrider/core/templates/contract';
import { type ReactNode, useState } from 'react';
import type { Failure, SourcePosition } from '../../lib/failure.ts';
import { InsertTools } from '../blocks/insert-tools.tsx';
import { MailChecks } from '../mail-checks/mail-checks.tsx';
import { MailBody } from '../mail-design/mail-body.tsx';
import { CodeBody } from './code-body.tsx';
import styles from './content-fields.module.css';
import { ContentPreview } from './content-preview.tsx';
import { ContentSettings } from './content-settings.tsx';
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
            tools={<InsertTools field="body" value={content.body} onChange={(body) => change({ body })} />}
            code={
              <CodeBody
                value={content.body}
                onChange={(body) => change({ body })}
                problem={problem?.field === 'body' ? problem : null}
                failure={preview.failure?.fields['body']}
                failureLine={lineIn(preview.failure, 'body')}
              />
            }
          />
        </div>
        <ContentPreview
          className={styles.pane}
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

const lineIn = (failure: Failure | null, field: string): number | undefined =>
  failure?.position?.field === field ? failure.position.line : undefined;
