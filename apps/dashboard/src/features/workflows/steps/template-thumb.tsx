import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type Template, useApi } from '../../../lib/api.ts';
import { withMailDefaults } from '../../../ui/mail-defaults.rules.ts';
import styles from './template-thumb.module.css';

const TemplateSheet = lazy(async () => ({
  default: (await import('./template-sheet.tsx')).TemplateSheet,
}));

interface TemplateThumbProps {
  template: Template;
  eventName: string | undefined;
}

/** A small picture of an email with its subject, which opens its editor. */
export function TemplateThumb({ template, eventName }: TemplateThumbProps) {
  const [isEditing, setEditing] = useState(false);
  const { name, subject, preheader, body, type } = template;
  const preview = useQuery(useApi().sending.previewContent.queryOptions({ subject, preheader, body, type }));
  return (
    <>
      <button
        type="button"
        className={styles.thumb}
        aria-label={`Edit template “${name}”`}
        aria-haspopup="dialog"
        onClick={() => setEditing(true)}
      >
        <span className={styles.picture} aria-hidden="true">
          {preview.data && (
            <iframe
              className={styles.page}
              title={name}
              tabIndex={-1}
              sandbox=""
              referrerPolicy="no-referrer"
              srcDoc={withMailDefaults(preview.data.html)}
            />
          )}
        </span>
        <span className={styles.subject}>{preview.data?.subject ?? subject}</span>
        <span className={styles.edit}>Edit template</span>
      </button>
      {isEditing && (
        <Suspense>
          <TemplateSheet template={template} eventName={eventName} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}
