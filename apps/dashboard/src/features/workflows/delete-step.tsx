import { hasSeveralWays, lostWith } from '@postrider/core/workflows/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, type Workflow, type WorkflowStep } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { useRefreshWorkflows } from './use-refresh-workflows.ts';

interface DeleteStepProps {
  workflow: Workflow;
  step: WorkflowStep;
  onDeleted: () => void;
}

/** Deletes a step: alone, connecting its neighbours, or together with the steps that are reached only through it. */
export function DeleteStep({ workflow, step, onDeleted }: DeleteStepProps) {
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...useApi().workflows.deleteStep.mutationOptions(),
    async onSuccess() {
      onDeleted();
      await refresh();
      announce(`“${step.name}” deleted`);
    },
  });
  const behind = lostWith(step.id, workflow).size - 1;
  const hasFollower = workflow.transitions.some(({ fromStepId }) => fromStepId === step.id);
  const canSplice = hasFollower && !hasSeveralWays(step.type);
  const run = (splice: boolean) => remove.mutate({ id: workflow.id, stepId: step.id, splice });
  return (
    <>
      <Button
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Delete
      </Button>
      {asked && (
        <Dialog title={`Delete “${step.name}”?`} onClose={() => setAsked(false)}>
          <p>{consequence(behind, canSplice)}</p>
          {remove.error && <FailureNotice failure={failureOf(remove.error)} />}
          <DialogActions>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
            {(!canSplice || behind > 0) && (
              <Button
                kind={canSplice ? 'plain' : 'danger'}
                pending={remove.isPending && remove.variables.splice !== true}
                onClick={() => run(false)}
              >
                {behind > 0 ? `Delete with ${plural(behind, 'following step')}` : 'Delete step'}
              </Button>
            )}
            {canSplice && (
              <Button
                kind="danger"
                pending={remove.isPending && remove.variables.splice === true}
                onClick={() => run(true)}
              >
                Delete only this step
              </Button>
            )}
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

function consequence(behind: number, canSplice: boolean): string {
  if (canSplice) return 'The steps before and after it will be connected.';
  if (behind > 0)
    return `${plural(behind, 'following step')} can only be reached through it and will also be deleted.`;
  return 'The path will end before it.';
}
