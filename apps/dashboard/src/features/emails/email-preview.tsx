import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { ScrollText } from '../../ui/scroll-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './email-preview.module.css';

/** The email as its recipient sees it; in a test project, first the whole message. The content never changes, so it is loaded once. */
export function EmailPreview({ id }: { id: string }) {
  const api = useApi();
  const isTest = useProject().environment === 'TEST';
  const preview = useQuery({
    ...api.sending.previewEmail.queryOptions({ id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const source = useQuery({
    ...api.sending.getEmailSource.queryOptions({ id }),
    // Before it is sent there is none.
    staleTime: ({ state }) => (isTest && !state.data?.source ? 0 : Number.POSITIVE_INFINITY),
  });
  if (preview.isPending || source.isPending) return <Skeleton lines={10} label="Loading the preview" />;
  if (preview.isError) return <LoadFailure error={preview.error} retry={preview.refetch} />;
  const { subject, html, text } = preview.data;
  const message = source.data?.source;
  const label = isTest ? 'Message as it would have left' : 'Message as it was submitted';
  const whole = message ? [{ label: 'Message', content: <WholeText label={label} text={message} /> }] : [];
  const tabs = [
    ...(isTest ? whole : []),
    ...(html === null
      ? []
      : [{ label: 'HTML', content: <MailFrame title={`Preview of “${subject}”`} html={html} /> }]),
    ...(text === null ? [] : [{ label: 'Text', content: <WholeText label="Plain text" text={text} /> }]),
    ...(isTest ? [] : whole),
    ...(html === null ? [] : [{ label: 'Source', content: <WholeText label="HTML source" text={html} /> }]),
  ];
  const [first, ...others] = tabs;
  if (!first) return <p className={styles.gone}>The content of this email is no longer stored.</p>;
  return <Tabs label="Preview" tabs={[first, ...others]} />;
}

const WholeText = ({ label, text }: { label: string; text: string }) => (
  <ScrollText label={label} wrap>
    {text}
  </ScrollText>
);
