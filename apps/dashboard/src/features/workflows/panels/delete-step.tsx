import { hasSeveralWays, lostWith } from '@postrider/core/automation/workflows/contract';
import { useMutation } from '@tanstack/react-query';
import { useApiClient, type Workflow, type WorkflowStep } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';
import { useEditGraph } from '../canvas/graph-history.ts';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';

interface DeleteStepProps {
  workflow: Workflow;
  step: WorkflowStep;
  onDeleted: () => void;
  onClose: () => void;
}

/** Deletes a step: alone, connecting its neighbours, or together with the steps that are reached only through it. */
export function DeleteStep({ workflow, step, onDeleted, onClose }: DeleteStepProps) {
  const announce = useAnnounce();
  const client = useApiClient().workflows;
  const edit = useEditGraph();
  const refresh = useRefreshWorkflows();
  const remove = useMutation({
    mutationFn: (splice: boolean) =>
      edit(`deletion of “${step.name}”`, () =>
        client.deleteStep.mutate({ id: workflow.id, stepId: step.id, splice }),
      ),
    async onSuccess() {
      onDeleted();
      await refresh();
      announce(`“${step.name}” deleted`);
    },
  });
  const behind = lostWith(step.id, workflow).size - 1;
  const hasFollower = workflow.transitions.some(({ fromStepId }) => fromStepId === step.id);
  const canSplice = hasFollower && !hasSeveralWays(step.type);
  const isRunning = (splice: boolean) => remove.isPending && remove.variables === splice;
  return (
    <Dialog title={`Delete “${step.name}”?`} onClose={onClose}>
      <p>{consequence(behind, canSplice)}</p>
      {remove.error && <FailureNotice failure={failureOf(remove.error)} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {(!canSplice || behind > 0) && (
          <Button
            kind={canSplice ? 'plain' : 'danger'}
            pending={isRunning(false)}
            onClick={() => remove.mutate(false)}
          >
            {behind > 0 ? `Delete with ${plural(behind, 'following step')}` : 'Delete step'}
          </Button>
        )}
        {canSplice && (
          <Button kind="danger" pending={isRunning(true)} onClick={() => remove.mutate(true)}>
            Delete only this step
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function consequence(behind: number, canSplice: boolean): string {
  if (canSplice) return 'The steps before and after it will be connected.';
  if (behind > 0)
    return `${plural(behind, 'following step')} can only be reached through it and will also be deleted.`;
  return 'The path will end before it.';
}
