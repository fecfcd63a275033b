import { providers } from '@postrider/core/base/providers/contract';
import { useConfiguration, useReportsReceived } from '../../../lib/use-configuration.ts';
import { Notice } from '../../../ui/notice.tsx';

/** Why the figures of a domain lack what becomes known after the hand-over; nothing when such reports are received. */
export function ReportsNotice() {
  const isReceived = useReportsReceived();
  const transport = useConfiguration().data?.features.email.transport;
  if (isReceived || transport === undefined) return null;
  return (
    <Notice tone="warn" title="Bounces are not received">
      <p>
        This installation learns of a bounce only when a mail server refuses the email at once. Later bounces
        and complaints get lost, and their addresses stay subscribed, until its operator sets{' '}
        <code>{providers[transport].reports.setting}</code>.
      </p>
    </Notice>
  );
}
