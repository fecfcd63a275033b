import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Contact, type Segment, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Cell, CellActions, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { ContactState } from '../contacts/contact-state.tsx';
import { useRefreshSegments } from './use-refresh-segments.ts';

/** One page of members. Members of a static segment can be removed. */
export function MemberTable({ segment, members }: { segment: Segment; members: Contact[] }) {
  const to = useProjectPath();
  const isStatic = segment.type === 'STATIC';
  return (
    <Table
      label="Members"
      columns={[
        { label: 'Email' },
        { label: 'Status' },
        ...(isStatic ? [{ label: 'Action', numeric: true }] : []),
      ]}
    >
      {members.map((contact) => (
        <Row key={contact.id}>
          <Cell clip>
            <Link to={to(`contacts/${contact.id}`)} className={rowLinkClass ?? ''}>
              {shownAddress(contact.email)}
            </Link>
          </Cell>
          <Cell>
            <ContactState {...contact} />
          </Cell>
          {isStatic && (
            <Cell numeric>
              <CellActions>
                <RemoveMember segmentId={segment.id} email={contact.email} />
              </CellActions>
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  );
}

function RemoveMember({ segmentId, email }: { segmentId: string; email: string }) {
  const announce = useAnnounce();
  const refresh = useRefreshSegments();
  const { segments } = useApi();
  const onError = (error: unknown) => announce(failureOf(error).message, 'note');
  const add = useMutation({
    ...segments.addMembers.mutationOptions(),
    onError,
    async onSuccess() {
      await refresh();
      announce(`${email} is in the segment again`);
    },
  });
  const remove = useMutation({
    ...segments.removeMembers.mutationOptions(),
    onError,
    async onSuccess() {
      await refresh();
      announce(`${email} removed from the segment`, 'done', {
        label: 'Undo',
        run: () => add.mutate({ id: segmentId, emails: [email] }),
      });
    },
  });
  return (
    <Button
      kind="quiet"
      small
      pending={remove.isPending}
      aria-label={`Remove ${email}`}
      onClick={() => remove.mutate({ id: segmentId, emails: [email] })}
    >
      Remove
    </Button>
  );
}
