import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type EventUsage, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import type { Failure } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { DeleteRecord } from '../../../ui/delete-record.tsx';
import { useRefreshEvents } from './use-refresh-events.ts';
import { usersInWords } from './users-in-words.rules.ts';

/** Deletes all events of a name. The API refuses while the name is in use; the dashboard then shows its own message. */
export function DeleteEvents({ name, usage }: { name: string; usage: EventUsage }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshEvents();
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
    <DeleteRecord
      label={`“${name}”`}
      noun={plural(usage.totalCount, 'event')}
      count={usage.totalCount}
      remove={remove}
      reword={(failure) => withUsers(failure, usage)}
      onConfirm={() => remove.mutate({ eventName: name })}
    >
      All events with this name are deleted permanently, also from contact pages. The name reappears with the
      next event.
    </DeleteRecord>
  );
}

/** Replaces the API's suggestion, a request that lists what uses the event: the page has that list already. */
function withUsers(failure: Failure, usage: EventUsage): Failure {
  const users = usersInWords(usage);
  return failure.code === 'CONFLICT' && users !== ''
    ? { ...failure, suggestion: `It is used by ${users}. Remove it there first.` }
    : failure;
}
