import type { Member } from '../../../lib/api.ts';
import { isLeader, useProject, useUser } from '../../../lib/current.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { MemberRole } from './member-role.tsx';
import { roleNames } from './member-roles.ts';
import { RemoveMember } from './remove-member.tsx';

const facts = [
  { label: 'Email' },
  { label: 'Role' },
  { label: 'Status', extra: true },
  { label: 'Since', extra: true, numeric: true },
];
const actions = { label: 'Actions', control: <span className="visually-hidden">Actions</span> };

const statusNames: Readonly<Record<Member['status'], string>> = {
  ACTIVE: 'Active',
  PENDING: 'Invited',
  DECLINED: 'Declined',
};

const tones = { ACTIVE: 'good', PENDING: 'warn', DECLINED: 'calm' } as const;

export function MemberTable({ members }: { members: Member[] }) {
  const project = useProject();
  const user = useUser();
  const canChange = (member: Member) =>
    isLeader(project) && member.role !== 'OWNER' && member.status !== 'DECLINED' && member.userId !== user.id;
  const hasActions = members.some(canChange);
  return (
    <Table label="Members" columns={hasActions ? [...facts, actions] : facts}>
      {members.map((member) => (
        <Row key={member.userId ?? member.invitationId}>
          <Cell clip>
            <Avatar name={member.email} />
            {shownAddress(member.email)}
            <SecondLine besideAvatar>{statusNames[member.status]}</SecondLine>
          </Cell>
          <Cell>{canChange(member) ? <MemberRole member={member} /> : roleNames[member.role]}</Cell>
          <Cell extra>
            <Chip tone={tones[member.status]}>{statusNames[member.status]}</Chip>
          </Cell>
          <Cell extra numeric faint>
            <Ago at={member.createdAt} />
          </Cell>
          {hasActions && <Cell numeric>{canChange(member) && <RemoveMember member={member} />}</Cell>}
        </Row>
      ))}
    </Table>
  );
}
