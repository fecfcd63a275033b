import { useState } from 'react';
import { failureOf } from '../../../lib/failure.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { ScrollText } from '../../../ui/scroll-text.tsx';
import { type AddedAddresses, useSuppressAddresses } from './use-suppress-addresses.ts';

const title = 'Add to the suppression list';

/** Adds addresses to the suppression list, pasted or from a file. */
export function SuppressAddresses() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        Add
      </Button>
      {open && <AddDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { add, percent } = useSuppressAddresses();
  const [file, setFile] = useState<File | null>(null);
  if (add.data) return <Outcome {...add.data} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Form
        label={title}
        failure={add.error ? failureOf(add.error) : null}
        onSubmit={({ emails = '' }) => add.mutate({ pasted: emails, file })}
      >
        <TextAreaField
          name="emails"
          label="Email addresses"
          code
          required={file === null}
          autoFocus
          placeholder={'ada@example.com\ngrace@example.com'}
          hint="One per line, or separated by commas."
        />
        <FileField
          name="file"
          label="CSV file"
          accept=".csv,.txt,text/csv,text/plain"
          onFile={setFile}
          hint="The addresses are read from the first column. A header row is skipped."
        />
        {add.isPending && <Progress label="Adding addresses" value={percent} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={add.isPending}>
            Add addresses
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const mostExamples = 20;

function Outcome({ added, existing, invalid, onClose }: AddedAddresses & { onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice
        tone={invalid.length > 0 ? 'warn' : 'good'}
        title={plural(added, 'address added', 'addresses added')}
      >
        {existing > 0 && <p>{formatCount(existing)} already on the list.</p>}
        {invalid.length > 0 && (
          <p>
            {plural(invalid.length, 'entry is not an address', 'entries are not addresses')}
            {invalid.length > mostExamples && `. The first ${mostExamples}`}:
          </p>
        )}
      </Notice>
      {invalid.length > 0 && (
        <ScrollText label="Entries that are not addresses" wrap>
          {invalid.slice(0, mostExamples).join('\n')}
        </ScrollText>
      )}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
