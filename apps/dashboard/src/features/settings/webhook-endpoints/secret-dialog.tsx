import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** Shows the secret of an endpoint, which the API returns only once. */
export function SecretDialog({
  title,
  secret,
  publicKey,
  onClose,
}: {
  title: string;
  secret: string;
  /** of an endpoint whose requests are verified with one */
  publicKey: string | null;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose} keepsOnEscape>
      <Notice tone="good" title="Copy the signing secret now. It is not shown again.">
        <p>Use it to verify the signature of each request (Standard Webhooks).</p>
      </Notice>
      <p>
        <code data-testid="signing-secret">{secret}</code>
      </p>
      {publicKey !== null && <PublicKey value={publicKey} />}
      <DialogActions>
        <CopyButton text={secret} label="Signing secret" />
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The key that handlers of SendGrid take as their verification key. It is no secret. */
export function PublicKey({ value }: { value: string }) {
  return (
    <p>
      Public key: <code>{value}</code> <CopyButton text={value} label="Public key" />
    </p>
  );
}
