import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ExplainAnswer } from './explain-panel.tsx';

/** A button of a row that opens why its email is where it is. */
export function WhyButton({ emailId, address }: { emailId: string; address: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button small kind="quiet" aria-label={`Why: ${address}`} onClick={() => setOpen(true)}>
        Why?
      </Button>
      {isOpen && (
        <Dialog title={address} onClose={close}>
          <ExplainAnswer question={{ email: emailId }} />
          <DialogActions>
            <Button onClick={close}>Close</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
