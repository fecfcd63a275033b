import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { ActionButton } from '../../../ui/menu.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useErasePerson } from './erase-person.tsx';
import { useExportPerson } from './export-person.tsx';

/** Looks for an address, and offers what can be done about the person, whether or not a contact has it. */
export function FindPerson() {
  const [email, setEmail] = useState('');
  return (
    <>
      <Form label="Find a person" failure={null} onSubmit={(values) => setEmail(values.email?.trim() ?? '')}>
        <TextField
          name="email"
          label="Email address"
          type="email"
          autoComplete="off"
          hint="The whole address. A person without a contact can be exported and erased as well."
          required
        />
        <FormActions>
          <Button type="submit" icon="search">
            Find
          </Button>
        </FormActions>
      </Form>
      {email !== '' && <Found key={email} email={email} />}
    </>
  );
}

function Found({ email }: { email: string }) {
  const to = useProjectPath();
  const exportPerson = useExportPerson(email);
  const erasePerson = useErasePerson(email);
  const contact = useQuery({ ...useApi().contacts.get.queryOptions({ id: email }), retry: false });
  if (contact.isPending) return <Skeleton lines={2} label="Looking for the address" />;
  // Of a contact that is erased meanwhile, what was read before is still there.
  const failure = contact.isError ? failureOf(contact.error) : null;
  const isUnknown = failure?.code === 'CONTACT_NOT_FOUND';
  if (failure && !isUnknown) return <LoadFailure error={contact.error} retry={contact.refetch} />;
  return (
    <>
      <p role="status">
        {contact.data && !isUnknown ? (
          <>
            <Link to={to(`contacts/${contact.data.id}`)}>{shownAddress(contact.data.email)}</Link> is a
            contact of this project.
          </>
        ) : (
          `No contact has the address ${shownAddress(email)}. Something may still be stored about it.`
        )}
      </p>
      <FormActions>
        <ActionButton action={exportPerson} />
        <ActionButton action={erasePerson} />
      </FormActions>
    </>
  );
}
