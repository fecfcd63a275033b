import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi, useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../../ui/form.tsx';
import { memberRoles, roleOf } from './member-roles.ts';

export function InviteForm() {
  const project = useProject();
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  // A new key empties the fields after an invitation has been sent.
  const [round, setRound] = useState(0);
  const invite = useMutation(
    useAccountApi().members.invite.mutationOptions({
      async onSuccess({ email }) {
        await queryClient.invalidateQueries(api.members.pathFilter());
        announce(`Invitation sent to ${email}`);
        setRound((count) => count + 1);
      },
    }),
  );
  return (
    <Form
      key={round}
      label="Invite a member"
      failure={invite.error ? failureOf(invite.error) : null}
      onSubmit={({ email = '', role = '' }) => invite.mutate({ id: project.id, email, role: roleOf(role) })}
    >
      <FieldRow>
        <TextField name="email" label="Email" type="email" required />
        <SelectField
          name="role"
          label="Role"
          defaultValue="MEMBER"
          hint="Admins can also manage domains, keys, members and settings."
        >
          {memberRoles.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      <FormActions>
        <Button kind="primary" type="submit" pending={invite.isPending}>
          Send invitation
        </Button>
      </FormActions>
    </Form>
  );
}
