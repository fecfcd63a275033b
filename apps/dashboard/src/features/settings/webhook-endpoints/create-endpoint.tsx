import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

/** Adds an endpoint, shows its secret this once, then opens its page. */
export function CreateEndpoint() {
  const to = useProjectPath();
  const navigate = useNavigate();
  const refresh = useRefreshEndpoints();
  const [open, setOpen] = useState(false);
  const create = useMutation(useApi().webhooks.create.mutationOptions());
  const failure = useFailure(create.error);
  const created = create.data;
  return (
    <>
      <Button
        kind="primary"
        icon="plus"
        onClick={() => {
          create.reset();
          setOpen(true);
        }}
      >
        Add endpoint
      </Button>
      {open && created && (
        <SecretDialog
          title="Endpoint added"
          secret={created.secret}
          publicKey={created.publicKey}
          onClose={() => {
            void refresh();
            void navigate(to(`webhooks/${created.id}`));
          }}
        />
      )}
      {open && !created && (
        <Dialog title="Add an endpoint" onClose={() => setOpen(false)} wide>
          <EndpointForm
            label="New endpoint"
            failure={failure}
            action="Add endpoint"
            pending={create.isPending}
            onSubmit={(input) => create.mutate(input)}
            onClose={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}
