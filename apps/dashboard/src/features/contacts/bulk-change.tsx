import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { type BulkFilter, bulkInput, type Selection } from './selection.rules.ts';

const changes = {
  subscribe: {
    verb: 'Subscribe',
    text: 'Do this only for contacts who agreed to get marketing mail.',
    danger: false,
  },
  unsubscribe: {
    verb: 'Unsubscribe',
    text: 'From now on they get no marketing and no headless mail.',
    danger: false,
  },
  delete: {
    verb: 'Delete',
    text: 'Their data, events and places in segments go, and mail to them that waits is not sent. This cannot be taken back.',
    danger: true,
  },
} as const;

type Change = keyof typeof changes;

interface BulkChangeProps {
  selection: Selection;
  filter: BulkFilter;
  /** How many contacts are chosen. */
  count: number;
  onDone: () => void;
}

/** The three changes that can be made to many contacts at once. */
export function BulkChanges(props: BulkChangeProps) {
  const [change, setChange] = useState<Change | null>(null);
  return (
    <>
      {(['subscribe', 'unsubscribe', 'delete'] as const).map((name) => (
        <Button key={name} small disabled={props.count === 0} onClick={() => setChange(name)}>
          {changes[name].verb}
        </Button>
      ))}
      {change && <BulkDialog {...props} change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function BulkDialog({
  change,
  selection,
  filter,
  count,
  onClose,
  onDone,
}: BulkChangeProps & { change: Change; onClose: () => void }) {
  const start = useStart(change);
  const { verb, text, danger } = changes[change];
  // The list behind is read again when the work is done; the question stays about those who were chosen.
  const [contacts] = useState(plural(count, 'contact'));
  if (start.data) {
    const close = () => {
      onClose();
      onDone();
    };
    return (
      <Dialog title={`${verb} ${contacts}`} onClose={close} wide>
        <BulkProgress jobId={start.data.jobId} onClose={close} />
      </Dialog>
    );
  }
  return (
    <Confirm
      title={`${verb} ${contacts}?`}
      action={`${verb} ${contacts}`}
      danger={danger}
      pending={start.isPending}
      failure={start.error ? failureOf(start.error) : null}
      onConfirm={() => start.mutate(bulkInput(selection, filter))}
      onClose={onClose}
    >
      <p>{text}</p>
    </Confirm>
  );
}

function useStart(change: Change) {
  const { contacts } = useApi();
  const subscribe = useMutation(contacts.bulkSubscribe.mutationOptions());
  const unsubscribe = useMutation(contacts.bulkUnsubscribe.mutationOptions());
  const remove = useMutation(contacts.bulkDelete.mutationOptions());
  return { subscribe, unsubscribe, delete: remove }[change];
}
