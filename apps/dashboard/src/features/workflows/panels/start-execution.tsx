import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApiClient, type Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { foldFields } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { ContactPicker } from '../../audience/contacts/contact-picker.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import { UnreadableField, unreadable } from '../steps/step-input.rules.ts';
import { EventDataField } from './event-data-field.tsx';
import { readData } from './happenings.rules.ts';

/** Starts the workflow manually for one contact. */
export function useStartExecution(workflow: Workflow): Action {
  const [open, setOpen] = useState(false);
  return {
    label: 'Start for a contact',
    icon: 'person',
    run: () => setOpen(true),
    dialog: open && <StartDialog workflow={workflow} onClose={() => setOpen(false)} />,
  };
}

function StartDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const { workflows } = useApiClient();
  const [contactId, setContactId] = useState<string | null>(null);
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshWorkflows();
  const start = useMutation({
    async mutationFn({ context = '' }: Record<string, string>) {
      if (contactId === null) throw new UnreadableField('contactId', 'Select a contact of this project');
      return workflows.startExecution.mutate({
        id: workflow.id,
        contactId,
        context: readData(context, 'context'),
      });
    },
    async onSuccess(execution) {
      await refresh();
      announce('Execution started');
      await navigate(to(`workflows/${workflow.id}/executions/${execution.id}`));
    },
  });
  const refusal = useFailure(start.error instanceof UnreadableField ? null : start.error);
  const failure = useMemo(() => {
    if (start.error instanceof UnreadableField) return unreadable(start.error);
    return refusal && foldFields(refusal, 'context');
  }, [start.error, refusal]);
  return (
    <Dialog title="Start for a contact" onClose={onClose}>
      <Form label="Start for a contact" failure={failure} onSubmit={(values) => start.mutate(values)}>
        <ContactPicker name="contactId" label="Contact" value={contactId} onChange={setContactId} />
        <EventDataField workflow={workflow} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={start.isPending}>
            Start
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
