import { contentOf, type Design, type EmailContent } from '@postrider/core/content/templates/contract';
import { type ReactNode, useState } from 'react';
import type { SourcePosition } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { MailChecks } from '../checks/mail-checks.tsx';
import { MailBody, type MailPart } from '../design/mail-body.tsx';
import { CodeBody } from './code-body.tsx';
import { CodeTools } from './code-tools.tsx';
import styles from './content-fields.module.css';
import { ContentPreview } from './content-preview.tsx';
import { ContentSettings } from './content-settings.tsx';
import { type Start, StartGallery } from './start-gallery.tsx';
import { TextPart } from './text-part.tsx';
import { noSample, useContentPreview } from './use-content-preview.ts';

interface ContentFieldsProps {
  /** The initial values of the fields. */
  content: EmailContent & { design?: Design | null | undefined };
  /** Where the template has a syntax error. */
  problem: SourcePosition | null;
  /** They are those of a campaign. */
  isCampaign?: boolean;
  /** Fields shown before those of the content. */
  children?: ReactNode;
  /** It is a variant of a campaign: its type is that of the campaign, and its plain text is made from the email. */
  isVariant?: boolean;
}

/**
 * The fields that campaigns and templates share: the settings, and below them the email: a design as it is sent, with the way to its editor,
 * and HTML or the plain text beside a preview.
 */
export function ContentFields({
  content: initial,
  problem,
  isCampaign = false,
  children,
  isVariant = false,
}: ContentFieldsProps) {
  const [content, setContent] = useState(() => ({ ...contentOf(initial), design: initial.design ?? null }));
  const [sample, setSample] = useState(noSample);
  const preview = useContentPreview(content, sample);
  const change = (fields: Partial<typeof content>) => setContent((now) => ({ ...now, ...fields }));
  const [part, setPart] = useState<MailPart>('html');
  const [isChoosing, setChoosing] = useState(false);
  /** The template that was chosen here; the form sends it where emails know their template. */
  const [templateId, setTemplateId] = useState<string | null>(null);
  const announce = useAnnounce();
  const begin = ({ name, templateId: chosen, ...start }: Start) => {
    change(start);
    setChoosing(false);
    setPart('html');
    if (chosen !== undefined) setTemplateId(chosen);
    announce(`Begun with “${name}”`, 'done', {
      label: 'Undo',
      run() {
        setContent(content);
        setTemplateId(templateId);
      },
    });
  };
  const isPictured = content.design !== null && part === 'html';
  const shown = { content, preview, sample, onSample: setSample };
  return (
    <>
      <ContentSettings content={content} onChange={change} failure={preview.failure} hasType={!isVariant}>
        {children}
      </ContentSettings>
      <div className={`${styles.workspace} ${isPictured ? styles.pictured : ''}`}>
        <div className={styles.pane}>
          <MailBody
            body={content.body}
            design={content.design}
            subject={content.subject}
            onChange={change}
            part={part}
            onPart={setPart}
            onChoose={() => setChoosing(true)}
            tools={<CodeTools field="body" />}
            preview={<ContentPreview className={styles.inRoom} {...shown} />}
            text={
              isVariant ? null : (
                <TextPart
                  value={content.text ?? ''}
                  onChange={(text) => change({ text: text === '' ? null : text })}
                  failure={preview.failure?.fields['text']}
                />
              )
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
          {...shown}
          checks={
            <MailChecks content={content} rendered={preview.shown?.html ?? null} isCampaign={isCampaign} />
          }
        />
      </div>
      {templateId !== null && <textarea hidden readOnly name="templateId" value={templateId} />}
      {isChoosing && (
        <StartGallery subject={content.subject} onPick={begin} onClose={() => setChoosing(false)} />
      )}
    </>
  );
}

const placeIn = (position: SourcePosition | null | undefined, field: string): SourcePosition | null =>
  position?.field === field ? position : null;
