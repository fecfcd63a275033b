import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import styles from './template-thumb.module.css';

/** A small picture of an email with its subject, which leads to its editor. */
export function TemplateThumb({ template }: { template: Template }) {
  const to = useProjectPath();
  const { id, name, subject, preheader, body, type } = template;
  const preview = useQuery(useApi().emails.previewContent.queryOptions({ subject, preheader, body, type }));
  return (
    <Link className={styles.thumb} to={to(`templates/${id}`)} aria-label={`Edit template “${name}”`}>
      <span className={styles.picture} aria-hidden="true">
        {preview.data && (
          <iframe
            className={styles.page}
            title={name}
            tabIndex={-1}
            sandbox=""
            referrerPolicy="no-referrer"
            srcDoc={preview.data.html}
          />
        )}
      </span>
      <span className={styles.subject}>{preview.data?.subject ?? subject}</span>
      <span className={styles.edit}>Edit template</span>
    </Link>
  );
}
