import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, type WebhookEndpoint } from '../../../lib/api.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

export function EditEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const announce = useAnnounce();
  const refresh = useRefreshEndpoints();
  const [open, setOpen] = useState(false);
  const update = useMutation({
    ...useApi().webhooks.update.mutationOptions(),
    async onSuccess() {
      await refresh();
      setOpen(false);
      announce('Saved');
    },
  });
  const failure = useFailure(update.error);
  return (
    <>
      <Button
        onClick={() => {
          update.reset();
          setOpen(true);
        }}
      >
        Edit
      </Button>
      {open && (
        <Dialog title="Edit endpoint" onClose={() => setOpen(false)} wide>
          <EndpointForm
            label="Endpoint"
            endpoint={endpoint}
            failure={failure}
            action="Save"
            pending={update.isPending}
            onSubmit={({ format: _fixed, ...input }) => update.mutate({ id: endpoint.id, ...input })}
            onClose={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}
