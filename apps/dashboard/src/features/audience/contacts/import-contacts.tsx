import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiClient } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { importContacts } from '../../../lib/rest.ts';
import { useOpenAt } from '../../../lib/use-open-at.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { Form, type FormValues } from '../../../ui/form.tsx';
import { type CsvHead, defaultTargets, headBytes, readHead } from './csv-head.rules.ts';
import { ImportMapping, type Targets } from './import-mapping.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportSegment, newSegment } from './import-segment.tsx';

export function ImportContacts() {
  const [open, setOpen] = useOpenAt('import');
  return (
    <>
      <Button onClick={() => setOpen(true)}>Import</Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

interface Chosen {
  file: File;
  /** Null for a file without a header, which the import refuses. */
  head: CsvHead | null;
  targets: Targets;
}

async function readFile(file: File): Promise<Chosen> {
  const head = readHead(await file.slice(0, headBytes).text(), file.size <= headBytes);
  return { file, head, targets: defaultTargets(head?.headers ?? []) };
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const { id: projectId } = useProject();
  const { segments } = useApiClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const upload = useMutation({
    async mutationFn({ file, targets, values }: Omit<Chosen, 'head'> & { values: FormValues }) {
      const { subscribed, segmentId = '', segmentName = '' } = values;
      const segment =
        segmentId === newSegment
          ? (await segments.create.mutate({ name: segmentName, type: 'STATIC' })).id
          : segmentId;
      return importContacts({
        projectId,
        file,
        subscribed: subscribed === 'on',
        mapping: targets,
        ...(segment !== '' && { segmentId: segment }),
      });
    },
  });
  if (upload.data !== undefined) {
    const another = () => {
      setChosen(null);
      upload.reset();
    };
    return (
      <Dialog title="Import contacts" onClose={onClose} wide>
        <ImportProgress
          jobId={upload.data}
          fileName={chosen?.file.name ?? 'import.csv'}
          onClose={onClose}
          onAnother={another}
        />
      </Dialog>
    );
  }
  const hasAddress = chosen !== null && Object.values(chosen.targets).includes('email');
  return (
    <Dialog title="Import contacts" onClose={onClose} wide>
      <Form
        label="Import contacts"
        failure={upload.error ? failureOf(upload.error) : null}
        onSubmit={(values) => {
          if (chosen && hasAddress) upload.mutate({ ...chosen, values });
        }}
      >
        <FileField
          name="file"
          label="CSV file"
          accept=".csv,text/csv"
          required
          onFile={(file) => {
            if (file) void readFile(file).then(setChosen);
            else setChosen(null);
          }}
          hint="Up to 5 MB, with a header row. One column has the email addresses; the others become contact fields."
        />
        {chosen?.head && (
          <ImportMapping
            head={chosen.head}
            targets={chosen.targets}
            onChange={(targets) => setChosen({ ...chosen, targets })}
          />
        )}
        <CheckField
          name="subscribed"
          label="New contacts are subscribed"
          hint="Select this only if they agreed to receive marketing emails. Existing contacts keep their status."
          defaultChecked
        />
        <ImportSegment />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            pending={upload.isPending}
            disabled={chosen !== null && !hasAddress}
          >
            Import
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
