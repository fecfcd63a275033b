import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { CheckField, TextAreaField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ScrollText } from '../../../ui/scroll-text.tsx';
import { useRefreshContacts } from '../contacts/use-refresh-contacts.ts';
import { addressesIn } from './addresses.rules.ts';

/** Adds contacts to a static segment by their addresses. */
export function AddMembers({ segmentId }: { segmentId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small icon="plus" onClick={() => setOpen(true)}>
        Add members
      </Button>
      {open && <AddMembersDialog segmentId={segmentId} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddMembersDialog({ segmentId, onClose }: { segmentId: string; onClose: () => void }) {
  const refresh = useRefreshContacts();
  const add = useMutation({ ...useApi().segments.addMembers.mutationOptions(), onSuccess: refresh });
  if (add.data) return <Outcome {...add.data} onClose={onClose} />;
  return (
    <Dialog title="Add members" onClose={onClose}>
      <Form
        label="Add members"
        failure={add.error ? failureOf(add.error) : null}
        onSubmit={({ emails = '', createMissing, subscribed }) =>
          add.mutate({
            id: segmentId,
            emails: addressesIn(emails),
            createMissing: createMissing === 'on',
            subscribed: subscribed === 'on',
          })
        }
      >
        <TextAreaField
          name="emails"
          label="Email addresses"
          code
          required
          autoFocus
          placeholder={'ada@example.com\ngrace@example.com'}
          hint="One per line, up to 500 at a time."
        />
        <CheckField name="createMissing" label="Create contacts for unknown addresses" />
        <CheckField
          name="subscribed"
          label="New contacts are subscribed"
          hint="Select this only if they agreed to receive marketing emails."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={add.isPending}>
            Add members
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface OutcomeProps {
  added: number;
  created: number;
  notFound: string[];
  onClose: () => void;
}

function Outcome({ added, created, notFound, onClose }: OutcomeProps) {
  return (
    <Dialog title="Add members" onClose={onClose}>
      <Notice
        tone={notFound.length > 0 ? 'warn' : 'good'}
        title={`${plural(added, 'contact is now a member', 'contacts are now members')}`}
      >
        {created > 0 && <p>{formatCount(created)} of them were created.</p>}
        {notFound.length > 0 && <p>{plural(notFound.length, 'address was', 'addresses were')} not found:</p>}
      </Notice>
      {notFound.length > 0 && (
        <ScrollText label="Addresses not found" wrap>
          {notFound.join('\n')}
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
