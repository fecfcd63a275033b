import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';

export function AddDomainForm() {
  const api = useApi();
  const queryClient = useQueryClient();
  const [round, setRound] = useState(0);
  const create = useMutation({
    ...api.domains.create.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries(api.domains.list.queryFilter());
      setRound((count) => count + 1);
    },
  });
  return (
    <Form
      key={round}
      label="Add a domain"
      failure={create.error ? failureOf(create.error) : null}
      onSubmit={({ domain = '' }) => create.mutate({ domain })}
    >
      <TextField
        name="domain"
        label="Domain"
        placeholder="mail.example.com"
        hint="The part after the @ in your sender addresses. Add each subdomain separately."
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={create.isPending}>
          Add domain
        </Button>
      </FormActions>
    </Form>
  );
}
