import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm, typedFor } from '../../../ui/dialog.tsx';
import { BulkAddToSegment } from './bulk-add-to-segment.tsx';
import type { BulkChangeProps } from './bulk-change-props.ts';
import { BulkRunning } from './bulk-progress.tsx';
import { BulkSetFields } from './bulk-set-fields.tsx';
import { BulkTopics } from './bulk-topics.tsx';
import { bulkInput } from './selection.rules.ts';

const changes = {
  subscribe: {
    verb: 'Subscribe',
    text: 'Subscribe only contacts who agreed to receive marketing emails.',
    danger: false,
  },
  unsubscribe: {
    verb: 'Unsubscribe',
    text: 'They will no longer receive marketing emails.',
    danger: false,
  },
  delete: {
    verb: 'Delete',
    text: "Their data, events and segment memberships are deleted, and queued emails to them are not sent. This can't be undone.",
    danger: true,
  },
} as const;

type Change = keyof typeof changes;

const labels = {
  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
  segment: 'Add to segment',
  fields: 'Set fields',
  delete: 'Delete',
} as const;

/** The changes that can be made to many contacts at once. */
export function BulkChanges(props: BulkChangeProps) {
  const [change, setChange] = useState<keyof typeof labels | null>(null);
  const close = () => setChange(null);
  return (
    <>
      {(['subscribe', 'unsubscribe', 'segment', 'fields', 'delete'] as const).map((name) => (
        <Button key={name} small disabled={props.count === 0} onClick={() => setChange(name)}>
          {labels[name]}
        </Button>
      ))}
      <BulkTopics {...props} />
      {change === 'segment' && <BulkAddToSegment {...props} onClose={close} />}
      {change === 'fields' && <BulkSetFields {...props} onClose={close} />}
      {change && change !== 'segment' && change !== 'fields' && (
        <BulkDialog {...props} change={change} onClose={close} />
      )}
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
  // The list is refreshed when the job is done; the title keeps the original number.
  const [contacts] = useState(plural(count, 'contact'));
  if (start.data)
    return (
      <BulkRunning
        title={`${verb} ${contacts}`}
        jobId={start.data.jobId}
        onClose={() => {
          onClose();
          onDone();
        }}
      />
    );
  return (
    <Confirm
      title={`${verb} ${contacts}?`}
      action={`${verb} ${contacts}`}
      danger={danger}
      typed={danger ? typedFor(count) : undefined}
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
