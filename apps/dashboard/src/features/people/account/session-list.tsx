import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useAccountApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { FormActions } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Cell, Row, Table } from '../../../ui/table.tsx';
import { Moment } from '../../../ui/time.tsx';
import { browserName } from './browser-name.rules.ts';

const columns = [
  { label: 'Browser' },
  { label: 'Address', extra: true },
  { label: 'Last used' },
  { label: 'Actions' },
];

/** Where the account is signed in, with a way to end each session. */
export function SessionList() {
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { data: sessions } = useSuspenseQuery(api.auth.listSessions.queryOptions());
  const afterEnding = (message: string) => async () => {
    await queryClient.invalidateQueries(api.auth.listSessions.queryFilter());
    announce(message);
  };
  const end = useMutation(api.auth.endSession.mutationOptions({ onSuccess: afterEnding('Session ended') }));
  const endOthers = useMutation(
    api.auth.endOtherSessions.mutationOptions({ onSuccess: afterEnding('Signed out everywhere else') }),
  );
  const error = end.error ?? endOthers.error;
  return (
    <>
      {error && <Notice tone="bad" title={failureOf(error).message} />}
      <Table label="Sessions" columns={columns}>
        {sessions.map((session) => (
          <Row key={session.id}>
            <Cell clip>{browserName(session.userAgent)}</Cell>
            <Cell extra>{session.ip ?? 'Unknown'}</Cell>
            <Cell>{session.current ? <Chip tone="good">Now</Chip> : <Moment at={session.lastSeenAt} />}</Cell>
            <Cell>
              {!session.current && (
                <Button
                  kind="quiet"
                  small
                  aria-label={`End the session in ${browserName(session.userAgent)}`}
                  pending={end.isPending && end.variables.id === session.id}
                  onClick={() => end.mutate({ id: session.id })}
                >
                  End
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
      {sessions.length > 1 && (
        <FormActions>
          <Button pending={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            Sign out everywhere else
          </Button>
        </FormActions>
      )}
    </>
  );
}
