import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApiClient, type Workflow } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { foldFields, renameField } from '../../lib/failure.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { Action } from '../../ui/menu.tsx';
import { type ContactValue, parseDataLines } from '../contacts/contact-data.rules.ts';
import { UnreadableField, unreadable } from './step-input.rules.ts';
import { useRefreshWorkflows } from './use-refresh-workflows.ts';

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

function StartDialog({ workflow: { id }, onClose }: { workflow: Workflow; onClose: () => void }) {
  const { contacts, workflows } = useApiClient();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshWorkflows();
  const start = useMutation({
    async mutationFn({ email, lines }: { email: string; lines: string }) {
      const context = readContext(lines);
      const { data } = await contacts.list.query({ search: email, limit: 100 });
      const contact = data.find((each) => each.email === email);
      if (!contact) throw new UnreadableField('email', 'No contact in this project has this address');
      return workflows.startExecution.mutate({ id, contactId: contact.id, context });
    },
    async onSuccess(execution) {
      await refresh();
      announce('Execution started');
      await navigate(to(`workflows/${id}/executions/${execution.id}`));
    },
  });
  const refusal = useFailure(start.error instanceof UnreadableField ? null : start.error);
  const failure = useMemo(() => {
    if (start.error instanceof UnreadableField) return unreadable(start.error);
    return refusal && foldFields(renameField(refusal, 'contactId', 'email'), 'context');
  }, [start.error, refusal]);
  return (
    <Dialog title="Start for a contact" onClose={onClose}>
      <Form
        label="Start for a contact"
        failure={failure}
        onSubmit={({ email = '', context = '' }) =>
          start.mutate({ email: email.trim().toLowerCase(), lines: context })
        }
      >
        <TextField name="email" label="Email" type="email" autoComplete="off" required autoFocus />
        <TextAreaField
          name="context"
          label="Event data"
          code
          rows={3}
          placeholder={'plan: pro\namount: 12'}
          hint="One field per line. Templates and conditions can use them as event.…"
        />
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

export function readContext(lines: string): Record<string, ContactValue> {
  try {
    return parseDataLines(lines);
  } catch (error) {
    throw new UnreadableField('context', error instanceof Error ? error.message : String(error));
  }
}
