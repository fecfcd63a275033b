import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormActions } from '../../../ui/form.tsx';
import { DeleteAccountForm } from './delete-account-form.tsx';

/** Asks for a proof in a dialog: the account cannot be restored. */
export function DeleteAccount() {
  const [isAsked, setAsked] = useState(false);
  const close = () => setAsked(false);
  return (
    <>
      <p>You leave every project that you are a member of. A deleted account can't be restored.</p>
      <FormActions>
        <Button kind="danger" onClick={() => setAsked(true)}>
          Delete account
        </Button>
      </FormActions>
      {isAsked && (
        <Dialog title="Delete your account?" onClose={close}>
          <DeleteAccountForm token={null} onCancel={close} />
        </Dialog>
      )}
    </>
  );
}
