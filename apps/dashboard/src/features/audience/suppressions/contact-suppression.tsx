import { notDelivered } from '../../../lib/diagnosis-words.ts';
import { formatMinute } from '../../../lib/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { RemoveSuppression } from './remove-suppression.tsx';
import { suppressionReasons } from './suppression-reason.tsx';
import { useSuppression } from './use-suppression.ts';

/** Shows a notice for a suppressed address, nothing for any other. */
export function ContactSuppression({ email }: { email: string }) {
  const suppression = useSuppression(email);
  if (!suppression) return null;
  return (
    <Notice
      tone="warn"
      title="This address is suppressed"
      action={<RemoveSuppression suppression={suppression} />}
    >
      <p>
        It has been on the suppression list since {formatMinute(suppression.createdAt)}:{' '}
        {suppressionReasons[suppression.reason].toLowerCase()}.
        {suppression.expiresAt && ` It ends by itself on ${formatMinute(suppression.expiresAt)}.`}
      </p>
      {suppression.class && <p>{notDelivered(suppression.class)}.</p>}
      {suppression.text && <code>{suppression.text}</code>}
    </Notice>
  );
}
