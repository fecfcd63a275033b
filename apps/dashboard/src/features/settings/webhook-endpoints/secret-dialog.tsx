import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** Shows the secret of an endpoint, which the API returns only once. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice tone="good" title="Copy the signing secret now. It is not shown again.">
        <p>Use it to verify the signature of each request (Standard Webhooks).</p>
      </Notice>
      <p>
        <code data-testid="signing-secret">{secret}</code>
      </p>
      <DialogActions>
        <CopyButton text={secret} label="Signing secret" />
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
