import type { WebhookDelivery } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/time.tsx';

export const DeliveryFacts = ({
  delivery: { id, createdAt, attempts, nextAttemptAt },
}: {
  delivery: WebhookDelivery;
}) => (
  <Facts>
    <Fact name="Queued">
      <Moment at={createdAt} />
    </Fact>
    <Fact name="Attempts">{formatCount(attempts.length)}</Fact>
    {nextAttemptAt && (
      <Fact name="Next attempt">
        <Moment at={nextAttemptAt} />
      </Fact>
    )}
    <Fact name="webhook-id" code>
      {id}
    </Fact>
  </Facts>
);
