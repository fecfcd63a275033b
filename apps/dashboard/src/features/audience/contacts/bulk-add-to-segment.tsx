import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiClient } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import type { BulkChangeProps } from './bulk-change-props.ts';
import { BulkRunning } from './bulk-progress.tsx';
import { ChooseSegment, type ChosenSegment, useChosenSegment } from './choose-segment.tsx';
import { bulkInput } from './selection.rules.ts';

/** Adds the selected contacts to a static segment. */
export function BulkAddToSegment({
  selection,
  filter,
  count,
  onClose,
  onDone,
}: BulkChangeProps & { onClose: () => void }) {
  const { contacts } = useApiClient();
  const idOf = useChosenSegment();
  // The list is refreshed when the job is done; the title keeps the original number.
  const [title] = useState(`Add ${plural(count, 'contact')} to a segment`);
  const start = useMutation({
    mutationFn: async (segment: ChosenSegment) =>
      contacts.bulkAddToSegment.mutate({
        ...bulkInput(selection, filter),
        segmentId: await idOf(segment),
      }),
  });
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
    <ChooseSegment
      title={title}
      action="Add"
      pending={start.isPending}
      failure={start.error ? failureOf(start.error) : null}
      onChoose={(segment) => start.mutate(segment)}
      onClose={onClose}
    />
  );
}
