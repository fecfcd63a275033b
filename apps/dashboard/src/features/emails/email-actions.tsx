import type { Email } from '../../lib/api.ts';
import { ActionMenu } from '../../ui/menu.tsx';
import { useCancelEmail } from './cancel-email.tsx';
import { useRescheduleEmail } from './reschedule-email.tsx';

/** What can be done with an email that waits; nothing for others, and for those of campaigns. */
export function EmailActions({ email, inRow = false }: { email: Email; inRow?: boolean }) {
  const reschedule = useRescheduleEmail(email);
  const cancel = useCancelEmail(email);
  const isScheduled = email.status === 'SCHEDULED';
  const waits = isScheduled || email.status === 'PENDING';
  return (
    <ActionMenu
      small={inRow}
      {...(inRow && { label: `Actions for the email to ${email.to}` })}
      actions={[isScheduled && reschedule, waits && email.campaignId === null && cancel]}
    />
  );
}
