import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApiClient } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import type { Failure } from '../../../lib/failure.ts';
import { formatCount } from '../../../lib/format.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import styles from './document.module.css';
import { assertLength, isProgram, lineOf, readDocument, UnreadableDocument } from './document-text.rules.ts';

type ImportInput = Parameters<ReturnType<typeof useApiClient>['workflows']['import']['mutate']>[0];

/** A button for a new workflow from a document. */
export function ImportWorkflow() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="upload" onClick={() => setOpen(true)}>
        Import
      </Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const { workflows } = useApiClient();
  const navigate = useNavigate();
  const to = useProjectPath();
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const [text, setText] = useState('');
  const create = useMutation({
    // What it must have is told by the API.
    mutationFn: async (given: string) => workflows.import.mutate((await readText(given)) as ImportInput),
    async onSuccess({ id, name }) {
      await refresh();
      await navigate(to(`workflows/${id}`));
      announce(`“${name}” imported. It is not enabled`);
    },
  });
  const isUnreadable = create.error instanceof UnreadableDocument;
  const refusal = useFailure(isUnreadable ? null : create.error);
  const failure = useMemo(
    () => (isUnreadable ? ofText(create.error?.message ?? '') : null),
    [isUnreadable, create.error],
  );
  return (
    <Dialog title="Import a workflow" onClose={onClose} wide>
      <p className={styles.intro}>
        From a document in JSON or TypeScript, as the menu of a workflow exports it. Its templates and
        segments must be in this project, under the names in the document.
      </p>
      <Form label="Import a workflow" failure={failure} onSubmit={() => create.mutate(text)}>
        {refusal && <Refusal failure={refusal} text={create.variables ?? text} />}
        <FileField
          name="file"
          label="File"
          accept=".json,.ts,application/json"
          onFile={(file) => void file?.text().then(setText)}
        />
        <TextAreaField
          name="document"
          label="Document"
          code
          rows={12}
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder={'{ "format": "postrider-workflow/1", … }'}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={create.isPending}>
            Import
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The document that a text is, or that it makes if it is a program. @throws UnreadableDocument */
async function readText(text: string): Promise<unknown> {
  if (!isProgram(text)) return readDocument(text);
  assertLength(text);
  const { readProgram } = await import('./read-program.ts');
  return readProgram(text);
}

const ofText = (message: string): Failure => ({
  message,
  code: 'VALIDATION_ERROR',
  suggestion: null,
  requestId: null,
  fields: { document: message },
  position: null,
});

/** What the API refuses, each at its place in the text. */
function Refusal({ failure, text }: { failure: Failure; text: string }) {
  const fields = Object.entries(failure.fields);
  if (fields.length === 0) return <FailureNotice failure={failure} />;
  return (
    <Notice tone="bad" title={failure.message}>
      <ul className={styles.problems}>
        {fields.map(([field, message]) => (
          <li key={field}>
            {!isProgram(text) && `Line ${formatCount(lineOf(text, field))}, `}
            <code>{field}</code>: {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
