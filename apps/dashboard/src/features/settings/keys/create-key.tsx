import { keyScope } from '@postrider/core/base/kernel/contract';
import { textLimits } from '@postrider/core/base/lib/contract';
import { createKeyInput } from '@postrider/core/people/keys/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DateField } from '../../../ui/date-field.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { scopeNames } from './scope-names.ts';

/** Creates a named key and shows it this once. */
export function CreateKey() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const create = useMutation(
    api.keys.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.keys.list.queryFilter()),
    }),
  );
  const close = () => {
    setOpen(false);
    create.reset();
  };
  return (
    <>
      <Button kind="quiet" small icon="plus" onClick={() => setOpen(true)}>
        Create key
      </Button>
      {open && create.data && (
        <Dialog title={`Key “${create.data.name}” created`} onClose={close} keepsOnEscape>
          <Notice tone="good" title="Copy the key now. It is not shown again." />
          <p>
            <code data-testid="created-key">{create.data.key}</code>
          </p>
          <DialogActions>
            <CopyButton text={create.data.key} label="Key" />
            <Button kind="primary" onClick={close}>
              Done
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {open && !create.data && (
        <Dialog title="Create a named key" onClose={close}>
          <Form
            label="Named key"
            failure={create.error ? failureOf(create.error) : null}
            onSubmit={({ name = '', scope, domains = '', expiresAt = '' }) =>
              create.mutate({
                id: project.id,
                name,
                scope: keyScope.options.find((option) => option === scope) ?? 'send',
                domains: domains.trim() === '' ? null : domains.split(/[\s,]+/).filter(Boolean),
                expiresAt: expiresAt === '' ? null : expiresAt,
              })
            }
          >
            <TextField name="name" label="Name" {...textLimits(createKeyInput, 'name')} required />
            <SelectField name="scope" label="Scope" defaultValue="send">
              {keyScope.options.map((scope) => (
                <option key={scope} value={scope}>
                  {scopeNames[scope]}
                </option>
              ))}
            </SelectField>
            <TextField
              name="domains"
              label="Sender domains"
              hint="Separated by commas. Leave empty to allow every domain of the project."
            />
            <DateField name="expiresAt" label="Expires" hint="Leave empty for a key that does not expire." />
            <DialogActions>
              <Button onClick={close}>Cancel</Button>
              <Button kind="primary" type="submit" pending={create.isPending}>
                Create key
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </>
  );
}
