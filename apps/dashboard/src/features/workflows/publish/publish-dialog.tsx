import { publishInput } from '@postrider/core/automation/workflows/contract';
import { textLimits } from '@postrider/core/base/lib/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type PublishInput,
  type PublishPreview,
  useApi,
  type Workflow,
  type WorkflowDefinition,
} from '../../../lib/api.ts';
import { given } from '../../../lib/given.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, type FormValues } from '../../../ui/form.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import { ChangeList } from './change-list.tsx';
import { changesBetween } from './changes.rules.ts';
import { insideInWords, type Move, waitsDiffer } from './move.rules.ts';
import { MoveProgress } from './move-progress.tsx';
import { MoveQuestion } from './move-question.tsx';
import { Problems } from './problems.tsx';
import styles from './publish-dialog.module.css';

/** What is published. */
export interface Publication {
  /** the version that is published again; null for the draft */
  version: number | null;
  definition: WorkflowDefinition;
}

interface PublishDialogProps extends Publication {
  live: Workflow;
  /** `updatedAt` of what was looked at */
  stamp: string;
  /** Shows a step; absent where there is no canvas. */
  onSelect?: (stepId: string) => void;
  onPublished: (version: number) => void;
  onClose: () => void;
}

/** The job that moves people after a publish. */
interface Moving {
  id: string;
  people: number;
  version: number;
}

/** Says what becomes live, and who is where, asks the one question, and publishes. */
export function PublishDialog(props: PublishDialogProps) {
  const { live, version, onPublished, onClose } = props;
  const [job, setJob] = useState<Moving | null>(null);
  const preview = useQuery({
    ...useApi().workflows.previewPublish.queryOptions({ id: live.id, ...(version !== null && { version }) }),
    enabled: job === null,
  });
  const title = version === null ? 'Publish the draft?' : `Publish version ${version} again?`;
  if (job) {
    return (
      <Dialog title={`Version ${job.version} is live`} onClose={() => onPublished(job.version)} wide>
        <MoveProgress
          workflowId={live.id}
          jobId={job.id}
          people={job.people}
          onClose={() => onPublished(job.version)}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose} wide>
      {preview.data ? (
        <PublishForm
          {...props}
          preview={preview.data}
          onRefused={() => void preview.refetch()}
          onMoving={setJob}
        />
      ) : (
        <>
          {preview.isError ? (
            <LoadFailure error={preview.error} retry={preview.refetch} />
          ) : (
            <Skeleton lines={5} label="Loading what would change" />
          )}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

interface PublishFormProps extends PublishDialogProps {
  preview: PublishPreview;
  onRefused: () => void;
  onMoving: (job: Moving) => void;
}

function PublishForm(props: PublishFormProps) {
  const { live, definition, version, stamp, preview, onPublished, onMoving, onRefused, onClose } = props;
  const [move, setMove] = useState<Move>('NEW');
  const refresh = useRefreshWorkflows();
  const rows = useMemo(() => changesBetween(live, definition), [live, definition]);
  const people = new Map(preview.changes.map(({ stepKey, people: count }) => [stepKey ?? '', count]));
  const publish = useMutation({
    ...useApi().workflows.publish.mutationOptions(),
    onError: onRefused,
    async onSuccess({ version: made, moved, jobId }) {
      if (jobId === null) {
        onPublished(made);
        await refresh();
      } else onMoving({ id: jobId, people: moved, version: made });
    },
  });
  const isRefused = preview.problems.length > 0;
  const submit = (values: FormValues) => {
    const input: PublishInput = { id: live.id, ifUpdatedAt: stamp, move };
    const note = given(values.note);
    const removed = Object.fromEntries(preview.needed.map((key) => [key, values[`removed.${key}`] ?? '']));
    publish.mutate({
      ...input,
      ...(version !== null && { version }),
      ...(note !== undefined && { note }),
      ...(move === 'ALL' && preview.needed.length > 0 && { removed }),
      ...(move === 'ALL' && values.timers === 'RECOMPUTE' && { timers: 'RECOMPUTE' }),
    });
  };
  return (
    <Form label="Publish" failure={useFailure(publish.error)} onSubmit={submit}>
      <Problems problems={preview.problems} findings={preview.findings} {...props} />
      <section className={styles.part} aria-label="What changes">
        <h3>What changes</h3>
        {rows.length > 0 ? (
          <ChangeList label="Changes" rows={rows} people={people} />
        ) : (
          <p className={styles.words}>Nothing: it is like version {live.version}, which is live.</p>
        )}
      </section>
      <section className={styles.part} aria-label="Who is inside">
        <h3>Who is inside</h3>
        <p className={styles.words}>{insideInWords(preview)}</p>
        {preview.active > 0 && (
          <MoveQuestion
            move={move}
            onMove={setMove}
            active={preview.active}
            needed={preview.needed}
            waitsDiffer={waitsDiffer(preview, definition)}
            people={people}
            before={live}
            after={definition}
          />
        )}
      </section>
      <TextField
        name="note"
        label="Note"
        placeholder="What changes, for your team"
        {...textLimits(publishInput, 'note')}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" pending={publish.isPending} disabled={isRefused}>
          Publish
        </Button>
      </DialogActions>
    </Form>
  );
}
