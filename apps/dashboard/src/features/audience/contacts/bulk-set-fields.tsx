import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import type { BulkChangeProps } from './bulk-change-props.ts';
import { BulkRunning } from './bulk-progress.tsx';
import { newRow } from './data-rows.rules.ts';
import { DataRows } from './data-rows.tsx';
import { bulkInput } from './selection.rules.ts';
import { useDataRows } from './use-data-rows.ts';
import { useKnownFields } from './use-known-fields.ts';

/** Writes the same fields into the data of the selected contacts, and removes one. */
export function BulkSetFields({
  selection,
  filter,
  count,
  onClose,
  onDone,
}: BulkChangeProps & { onClose: () => void }) {
  const known = useKnownFields();
  // The list is refreshed when the job is done; the title keeps the original number.
  const [contacts] = useState(plural(count, 'contact'));
  const start = useMutation(useApi().contacts.bulkUpdate.mutationOptions());
  const { rows, setRows, problems, failure, submit } = useDataRows(() => [newRow()], useFailure(start.error));
  const title = `Set fields of ${contacts}`;
  if (start.data)
    return (
      <BulkRunning
        title={title}
        jobId={start.data.jobId}
        onClose={() => {
          onClose();
          onDone();
        }}
      />
    );
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Form
        label={title}
        failure={failure}
        onSubmit={({ removed = '' }) =>
          submit((data) => {
            const gone = removed.trim();
            start.mutate({
              ...bulkInput(selection, filter),
              data: { ...(gone !== '' && { [gone]: null }), ...data },
            });
          })
        }
      >
        <DataRows rows={rows} onChange={setRows} problems={problems} />
        <SuggestedField
          name="removed"
          label="Remove a field"
          hint="Optional. Its value is removed from these contacts; other fields stay as they are."
          suggestions={known.map(({ name }) => name)}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={start.isPending}>
            Save to {contacts}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
