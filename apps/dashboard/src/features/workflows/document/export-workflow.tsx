import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi, type Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { downloadText } from '../../../lib/download.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import styles from './document.module.css';
import { fileNameOf } from './document-text.rules.ts';

/** Shows the live definition as a document, to copy or download. */
export function useExportWorkflow(workflow: Workflow, onSelect: (stepId: string) => void): Action {
  const [isOpen, setOpen] = useState(false);
  return {
    label: 'Export',
    icon: 'download',
    run: () => setOpen(true),
    dialog: isOpen && <ExportDialog workflow={workflow} onSelect={onSelect} onClose={() => setOpen(false)} />,
  };
}

const formats = [
  { value: 'json', label: 'JSON' },
  { value: 'typescript', label: 'TypeScript' },
] as const;

interface ExportDialogProps {
  workflow: Workflow;
  onSelect: (stepId: string) => void;
  onClose: () => void;
}

function ExportDialog({ workflow, onSelect, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<(typeof formats)[number]['value']>('json');
  const { id, name, draft, version } = workflow;
  const document = useQuery({
    ...useApi().workflows.export.queryOptions({ id, format }),
    placeholderData: keepPreviousData,
  });
  const failure = useFailure(document.error);
  const text = document.data?.text;
  return (
    <Dialog title="Export the workflow" onClose={onClose} wide>
      <p className={styles.intro}>
        A document that can be kept beside code, compared, and imported into another project. Templates and
        segments are named in it, not contained.
        {draft && ` It is of version ${version}, which is live; the draft is not part of it.`}
      </p>
      {failure && Object.keys(failure.fields).length === 0 && <FailureNotice failure={failure} />}
      {failure && Object.keys(failure.fields).length > 0 && (
        <Unnamed fields={failure.fields} workflow={workflow} onSelect={onSelect} onClose={onClose} />
      )}
      {!failure && (
        <>
          <Segments label="Format" options={formats} value={format} onChange={setFormat} />
          {text === undefined ? (
            <Skeleton lines={8} label="Loading the document" />
          ) : (
            <div className={styles.text}>
              <CodeBlock title={fileNameOf(name, document.data?.format ?? format)} code={text} />
            </div>
          )}
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="primary"
          icon="download"
          disabled={text === undefined || document.isPlaceholderData || failure !== null}
          onClick={() =>
            text !== undefined &&
            downloadText(
              fileNameOf(name, format),
              text,
              format === 'json' ? 'application/json' : 'text/typescript',
            )
          }
        >
          Download
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface UnnamedProps extends ExportDialogProps {
  /** by field, as `steps.<key>.template` */
  fields: Readonly<Record<string, string>>;
}

/** What the workflow refers to and has no name by which a document could refer to it. */
function Unnamed({ fields, workflow, onSelect, onClose }: UnnamedProps) {
  const to = useProjectPath();
  return (
    <Notice tone="bad" title="It refers to what has no name yet">
      <ul className={styles.problems}>
        {Object.entries(fields).map(([field, message]) => {
          const key = /^steps\.([^.]+)\./.exec(field)?.[1];
          const step = workflow.steps.find((each) => each.key === key);
          return (
            <li key={field}>
              {step && (
                <>
                  <button
                    type="button"
                    className={styles.link}
                    onClick={() => {
                      onClose();
                      onSelect(step.id);
                    }}
                  >
                    {step.name}
                  </button>
                  {': '}
                </>
              )}
              {message}
              {step?.template && (
                <>
                  {'. '}
                  <Link to={to(`templates/${step.template.id}/edit`)}>Give it an alias</Link>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
