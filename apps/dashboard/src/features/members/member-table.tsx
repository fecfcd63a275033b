import type { Member } from '../../lib/api.ts';
import { isLeader, useProject, useUser } from '../../lib/current.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Moment } from '../../ui/time.tsx';
import { MemberRole } from './member-role.tsx';
import { roleNames } from './member-roles.ts';
import { RemoveMember } from './remove-member.tsx';

const facts = [{ label: 'Email' }, { label: 'Role' }, { label: 'Status' }, { label: 'Since', extra: true }];

export function MemberTable({ members }: { members: Member[] }) {
  const project = useProject();
  const user = useUser();
  const canChange = (member: Member) =>
    isLeader(project) && member.role !== 'OWNER' && member.userId !== user.id;
  const hasActions = members.some(canChange);
  return (
    <Table label="Members" columns={hasActions ? [...facts, { label: 'Actions' }] : facts}>
      {members.map((member) => (
        <Row key={member.userId ?? member.invitationId}>
          <Cell clip>
            <Avatar name={member.email} />
            {member.email}
          </Cell>
          <Cell>{canChange(member) ? <MemberRole member={member} /> : roleNames[member.role]}</Cell>
          <Cell>
            <Chip tone={member.status === 'ACTIVE' ? 'good' : 'warn'}>
              {member.status === 'ACTIVE' ? 'Active' : 'Invited'}
            </Chip>
          </Cell>
          <Cell extra>
            <Moment at={member.createdAt} />
          </Cell>
          {hasActions && <Cell>{canChange(member) && <RemoveMember member={member} />}</Cell>}
        </Row>
      ))}
    </Table>
  );
}
