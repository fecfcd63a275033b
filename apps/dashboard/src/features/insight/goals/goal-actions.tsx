import { updateGoalInput } from '@postrider/core/automation/goals/contract';
import { textLimits } from '@postrider/core/base/lib/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Goal, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import { Confirm, Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshGoals } from './use-refresh-goals.ts';

/** Renames, archives and deletes a goal. */
export function useGoalActions({ id, name, archived }: Goal): Action[] {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshGoals();
  const api = useApi();
  const [asked, setAsked] = useState<'rename' | 'archive' | null>(null);
  const update = useMutation({
    ...api.goals.update.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(null);
      announce('Saved');
    },
  });
  const remove = useMutation({
    ...api.goals.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('goals'));
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  const failure = useFailure(update.error);
  const ask = (what: 'rename' | 'archive') => () => {
    update.reset();
    setAsked(what);
  };
  const deletion = useDeleteRecord({
    label: `“${name}”`,
    noun: 'goal',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: (
      <>
        Its conversions and figures are deleted too; the events stay. You can't delete a goal that a workflow
        uses. To keep the figures, archive it.
      </>
    ),
  });
  return [
    {
      label: 'Rename',
      run: ask('rename'),
      dialog: asked === 'rename' && (
        <Dialog title={`Rename “${name}”`} onClose={() => setAsked(null)}>
          <Form
            label="Rename the goal"
            failure={failure}
            onSubmit={(values) => update.mutate({ id, name: values.name ?? '' })}
          >
            <TextField
              name="name"
              label="Name"
              defaultValue={name}
              {...textLimits(updateGoalInput, 'name')}
              required
              autoFocus
            />
            <DialogActions>
              <Button onClick={() => setAsked(null)}>Cancel</Button>
              <Button kind="primary" type="submit" pending={update.isPending}>
                Rename
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      ),
    },
    {
      label: archived ? 'Count again' : 'Archive',
      run: ask('archive'),
      dialog: asked === 'archive' && (
        <Confirm
          title={archived ? `Count “${name}” again?` : `Archive “${name}”?`}
          action={archived ? 'Count again' : 'Archive'}
          pending={update.isPending}
          failure={update.error ? failureOf(update.error) : null}
          onConfirm={() => update.mutate({ id, archived: !archived })}
          onClose={() => setAsked(null)}
        >
          <p>
            {archived
              ? 'It counts events from now on. What happened while it was archived does not count.'
              : 'It counts no more events. Its figures stay, and you can have it count again.'}
          </p>
        </Confirm>
      ),
    },
    deletion,
  ];
}
