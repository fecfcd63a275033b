import { hasSeveralWays, lostWith } from '@postrider/core/automation/workflows/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useApiClient, type Workflow, type WorkflowStep } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { useGraphEdits } from '../canvas/graph-history.ts';

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
  const { edit } = useGraphEdits();
  const remove = useMutation({
    mutationFn: (splice: boolean) =>
      edit(`deletion of “${step.name}”`, () =>
        client.deleteStep.mutate({ id: workflow.id, stepId: step.id, splice, publish: false }),
      ),
    onSuccess() {
      onDeleted();
      announce(`“${step.name}” deleted`);
    },
  });
  const lost = lostWith(step.id, workflow);
  const behind = lost.size - 1;
  const counts = useQuery(useApi().workflows.counts.queryOptions({ id: workflow.id }));
  const standing = new Map(counts.data?.steps.map(({ stepId, standing: people }) => [stepId, people]));
  const here = standing.get(step.id) ?? 0;
  const further = [...lost].reduce((sum, id) => sum + (standing.get(id) ?? 0), 0) - here;
  const hasFollower = workflow.transitions.some(({ fromStepId }) => fromStepId === step.id);
  const canSplice = hasFollower && !hasSeveralWays(step.type);
  const isRunning = (splice: boolean) => remove.isPending && remove.variables === splice;
  return (
    <Dialog title={`Delete “${step.name}”?`} onClose={onClose}>
      <p>{consequence(behind, canSplice)}</p>
      {(here > 0 || further > 0) && (
        <Notice tone="warn" title={peopleThere(here, further)}>
          <p>
            {workflow.version === null
              ? 'They cannot go on from a step that is gone.'
              : 'They stay there. When you publish, you decide whether they go on elsewhere or end.'}
          </p>
        </Notice>
      )}
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

function peopleThere(here: number, further: number): string {
  const at = here > 0 ? `${plural(here, 'contact')} at this step` : '';
  const behind = further > 0 ? `${plural(further, 'contact')} at the steps behind it` : '';
  return [at, behind].filter(Boolean).join(', ');
}

function consequence(behind: number, canSplice: boolean): string {
  if (canSplice) return 'The steps before and after it will be connected.';
  if (behind > 0)
    return `${plural(behind, 'following step')} can only be reached through it and will also be deleted.`;
  return 'The path will end before it.';
}
