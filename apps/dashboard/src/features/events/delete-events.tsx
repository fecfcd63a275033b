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

/** Deletes all events of a name. The API refuses while the name is in use; the dashboard then shows its own message. */
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
    // The name may be in use since the page was loaded.
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
            All events with this name are deleted permanently, also from contact pages. The name reappears
            with the next event.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** Replaces the API's suggestion, a request that lists what uses the event: the page has that list already. */
function refusal(failure: Failure, usage: EventUsage): Failure {
  const users = usersInWords(usage);
  return failure.code === 'CONFLICT' && users !== ''
    ? { ...failure, suggestion: `It is used by ${users}. Remove it there first.` }
    : failure;
}
