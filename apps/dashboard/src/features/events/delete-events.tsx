import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type EventUsage, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { type Failure, failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshEvents } from './use-refresh-events.ts';
import { usersInWords } from './users-in-words.rules.ts';

/** Deletes every event of a name; the service refuses while something looks at it, and is told in the words of the dashboard. */
export function DeleteEvents({ name, usage }: { name: string; usage: EventUsage }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshEvents();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...useApi().events.delete.mutationOptions(),
    async onSuccess({ deletedCount }) {
      await navigate(to('events'));
      announce(`${plural(deletedCount, 'event')} deleted`);
      await refresh();
    },
    // What uses it may have come up since it was asked for.
    onError: refresh,
  });
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
        <Confirm
          title={`Delete “${name}”?`}
          action={`Delete ${plural(usage.totalCount, 'event')}`}
          danger
          pending={remove.isPending}
          failure={remove.error ? refusal(failureOf(remove.error), usage) : null}
          onConfirm={() => remove.mutate({ eventName: name })}
          onClose={() => setAsked(false)}
        >
          <p>
            Its events go for good, also from the pages of their contacts. The name comes back with the next
            event of it.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The service names a path of its API where to look; here the answer is known already. */
function refusal(failure: Failure, usage: EventUsage): Failure {
  const users = usersInWords(usage);
  return failure.code === 'CONFLICT' && users !== ''
    ? { ...failure, suggestion: `It is named by ${users}. Change that first.` }
    : failure;
}
