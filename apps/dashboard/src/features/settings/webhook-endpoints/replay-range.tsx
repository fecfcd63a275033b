import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, type WebhookEndpoint } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { MomentField } from '../../../ui/date-field.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { CheckField, SelectField } from '../../../ui/field.tsx';
import { FieldRow, Form } from '../../../ui/form.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useDeliveryTypes } from './use-delivery-types.ts';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Queues the deliveries of a period again. */
export function useReplayRange(endpoint: WebhookEndpoint): Action {
  const [open, setOpen] = useState(false);
  return {
    label: 'Replay',
    icon: 'refresh',
    run: () => setOpen(true),
    dialog: open && <ReplayDialog endpoint={endpoint} onClose={() => setOpen(false)} />,
  };
}

function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const types = useDeliveryTypes(endpoint);
  const replay = useMutation(useApi().webhooks.replay.mutationOptions());
  const failure = useFailure(replay.error);
  const [now] = useState(() => Date.now());
  if (replay.data) {
    return (
      <Dialog title="Replay deliveries" onClose={onClose}>
        <ReplayProgress endpointId={endpoint.id} jobId={replay.data.id} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Replay deliveries" onClose={onClose}>
      <p>Deliveries of the period are sent again to the present URL, with the same IDs.</p>
      <Form
        label="Replay"
        failure={failure}
        onSubmit={({ from = '', to = '', type = '', failedOnly }) =>
          replay.mutate({
            id: endpoint.id,
            from,
            to,
            failedOnly: failedOnly === 'on',
            ...(type && { types: [type] }),
          })
        }
      >
        <FieldRow>
          <MomentField name="from" label="From" defaultValue={new Date(now - dayMs)} />
          <MomentField name="to" label="To" defaultValue={new Date(now + minuteMs)} />
        </FieldRow>
        <SelectField name="type" label="Type" defaultValue="">
          <option value="">All</option>
          {types.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </SelectField>
        <CheckField name="failedOnly" label="Only failed deliveries" defaultChecked />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={replay.isPending}>
            Replay deliveries
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface ReplayProgressProps {
  endpointId: string;
  jobId: string;
  onClose: () => void;
}

function ReplayProgress({ endpointId, jobId, onClose }: ReplayProgressProps) {
  const refresh = useRefreshEndpoints();
  const job = useQuery(useApi().webhooks.getReplay.queryOptions({ id: endpointId, jobId }));
  return (
    <JobProgress
      label="Queuing deliveries"
      failure="The replay failed"
      job={job}
      onOver={refresh}
      onClose={onClose}
    >
      {({ matched, replayed }) => (
        <Notice
          tone="good"
          title={
            matched === 0
              ? 'No deliveries in this period'
              : `${plural(replayed, 'delivery', 'deliveries')} queued again`
          }
        />
      )}
    </JobProgress>
  );
}
