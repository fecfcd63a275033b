import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { ScrollText } from '../../ui/scroll-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './email-preview.module.css';

/** The email as its recipient sees it. The content never changes, so it is loaded once. */
export function EmailPreview({ id }: { id: string }) {
  const preview = useQuery({
    ...useApi().emails.preview.queryOptions({ id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (preview.isPending) return <Skeleton lines={10} label="Loading the preview" />;
  if (preview.isError) return <LoadFailure error={preview.error} retry={preview.refetch} />;
  const { subject, html, text } = preview.data;
  if (html === null) return <p className={styles.gone}>The content of this email is no longer stored.</p>;
  return (
    <Tabs
      label="Preview"
      tabs={[
        { label: 'HTML', content: <MailFrame title={`Preview of “${subject}”`} html={html} /> },
        {
          label: 'Text',
          content: (
            <ScrollText label="Plain text" wrap>
              {text}
            </ScrollText>
          ),
        },
        {
          label: 'Source',
          content: (
            <ScrollText label="HTML source" wrap>
              {html}
            </ScrollText>
          ),
        },
      ]}
    />
  );
}
