import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Member, useAccountApi, useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Select } from '../../../ui/select.tsx';
import { memberRoles, roleOf } from './member-roles.ts';

/** The role of a member, changed as soon as another one is selected. */
export function MemberRole({ member }: { member: Member }) {
  const project = useProject();
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const change = useMutation(
    useAccountApi().members.change.mutationOptions({
      async onSuccess({ email, role }) {
        await queryClient.invalidateQueries(api.members.pathFilter());
        announce(`${email} is now ${role === 'ADMIN' ? 'an admin' : 'a member'}`);
      },
      onError: (error) => announce(failureOf(error).message),
    }),
  );
  return (
    <Select
      small
      aria-label={`Role of ${shownAddress(member.email)}`}
      value={roleOf(member.role)}
      options={memberRoles}
      disabled={change.isPending}
      onChange={(role) =>
        change.mutate({ id: project.id, userId: member.userId ?? member.invitationId ?? '', role })
      }
    />
  );
}
