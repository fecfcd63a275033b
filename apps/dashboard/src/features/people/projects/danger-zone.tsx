import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAccountApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormActions } from '../../../ui/form.tsx';
import { ConfirmByName } from './confirm-by-name.tsx';
import { ResetProgress } from './reset-progress.tsx';

/** Resetting and deleting a project, each confirmed by typing the project's name. */
export function DangerZone() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'reset' | 'delete' | null>(null);
  const reset = useMutation(
    api.projects.reset.mutationOptions({
      async onSuccess() {
        setAsked(null);
        announce('The data of the project is being removed');
        await queryClient.invalidateQueries();
      },
    }),
  );
  const remove = useMutation(
    api.projects.delete.mutationOptions({
      async onSuccess() {
        // Before the page of the first project in the list opens, this one must not be in it any more.
        queryClient.setQueryData(api.projects.list.queryKey({}), (list) =>
          list?.filter(({ id }) => id !== project.id),
        );
        await navigate('/');
        announce(`“${project.name}” deleted`);
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
      },
    }),
  );
  const ask = (action: 'reset' | 'delete') => {
    reset.reset();
    remove.reset();
    setAsked(action);
  };
  return (
    <>
      <p>
        A reset removes contacts, emails, events, templates, campaigns, segments, workflows and suppressions.
        Domains, members, keys and settings remain. Deleting removes the project itself.
      </p>
      <ResetProgress />
      <FormActions>
        <Button onClick={() => ask('reset')}>Reset project</Button>
        <Button kind="danger" onClick={() => ask('delete')}>
          Delete project
        </Button>
      </FormActions>
      {asked === 'reset' && (
        <ConfirmByName
          title="Reset this project?"
          action="Reset project"
          name={project.name}
          pending={reset.isPending}
          failure={reset.error ? failureOf(reset.error) : null}
          onConfirm={() => reset.mutate({ id: project.id })}
          onClose={() => setAsked(null)}
        >
          Everything in it is removed, except for domains, members, keys and settings. Running campaigns are
          cancelled. This can't be undone.
        </ConfirmByName>
      )}
      {asked === 'delete' && (
        <ConfirmByName
          title="Delete this project?"
          action="Delete project"
          name={project.name}
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id: project.id })}
          onClose={() => setAsked(null)}
        >
          Its keys, members, pages and links stop working immediately, and all its data is removed. This can't
          be undone.
        </ConfirmByName>
      )}
    </>
  );
}
