import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useProject } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { importContacts } from '../../lib/rest.ts';
import { useOpenAt } from '../../lib/use-open-at.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form } from '../../ui/form.tsx';
import { ImportProgress } from './import-progress.tsx';

export function ImportContacts() {
  const [open, setOpen] = useOpenAt('import');
  return (
    <>
      <Button onClick={() => setOpen(true)}>Import</Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const { id: projectId } = useProject();
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({ mutationFn: importContacts });
  if (upload.data !== undefined) {
    return (
      <Dialog title="Import contacts" onClose={onClose} wide>
        <ImportProgress jobId={upload.data} onClose={onClose} onAnother={() => upload.reset()} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Import contacts" onClose={onClose} wide>
      <Form
        label="Import contacts"
        failure={upload.error ? failureOf(upload.error) : null}
        onSubmit={({ subscribed }) => {
          if (file) upload.mutate({ projectId, file, subscribed: subscribed === 'on' });
        }}
      >
        <FileField
          name="file"
          label="CSV file"
          accept=".csv,text/csv"
          required
          onFile={setFile}
          hint="Up to 5 MB, with a header row. An email column is required. All other columns become contact fields."
        />
        <CheckField
          name="subscribed"
          label="New contacts are subscribed"
          hint="Select this only if they agreed to receive marketing emails. Existing contacts keep their status."
          defaultChecked
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={upload.isPending}>
            Import
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
