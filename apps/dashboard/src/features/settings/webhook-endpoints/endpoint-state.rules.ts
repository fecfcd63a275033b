import type { WebhookEndpoint } from '../../../lib/api.ts';
import type { Tone } from '../../../ui/chip.tsx';

interface Look {
  tone: Tone;
  label: string;
  meaning: string;
}

const paused = 'No events are queued for it, and pending deliveries wait.';

const reasons: Readonly<Record<string, string>> = {
  GONE: 'It answered with status 410 (Gone).',
  FAILING: 'No request to it succeeded for 5 days.',
};

/** The state of an endpoint in words. `disabledReason` is null where a member disabled it. */
export function endpointState({
  enabled,
  disabledReason,
}: Pick<WebhookEndpoint, 'enabled' | 'disabledReason'>): Look {
  if (enabled) return { tone: 'good', label: 'Enabled', meaning: 'Events are delivered to it.' };
  if (disabledReason === null) return { tone: 'calm', label: 'Disabled', meaning: paused };
  return {
    tone: 'bad',
    label: 'Disabled by Postrider',
    meaning: `${reasons[disabledReason] ?? disabledReason} ${paused}`,
  };
}
