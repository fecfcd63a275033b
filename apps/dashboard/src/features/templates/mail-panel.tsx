import { useState } from 'react';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ReaderChoice } from '../mail-editor/editor/reader-choice.tsx';
import styles from './mail-panel.module.css';
import { type RenderedContent, useRenderedMail } from './use-rendered-mail.ts';

/** An email that is not sent yet, as the contact that is chosen gets it. */
export function MailPanel({ content }: { content: RenderedContent }) {
  const [contactId, setContactId] = useState<string | null>(null);
  const { subject, html } = useRenderedMail(content, contactId);
  return (
    <Panel
      title={subject}
      aside={
        <span className={styles.reader}>
          <ReaderChoice contactId={contactId} onChoose={setContactId} />
        </span>
      }
      flush
    >
      <RenderedFrame title="Email" html={html} />
    </Panel>
  );
}

/** An email as a contact without data gets it. */
export function RenderedMail({ title, content }: { title: string; content: RenderedContent }) {
  const { html } = useRenderedMail(content);
  return <RenderedFrame title={title} html={html} />;
}

const RenderedFrame = ({ title, html }: { title: string; html: string | null }) =>
  html === null ? <Skeleton lines={8} label="Loading the email" /> : <MailFrame title={title} html={html} />;
