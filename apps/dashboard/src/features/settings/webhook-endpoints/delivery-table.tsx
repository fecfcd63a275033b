import { Link } from 'react-router';
import type { WebhookDelivery } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Cell, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { lastAnswer } from './delivery-state.rules.ts';
import { DeliveryStatus } from './delivery-status.tsx';

const columns = [
  { label: 'Status' },
  { label: 'Type' },
  { label: 'Last answer', extra: true },
  { label: 'Attempts', numeric: true, extra: true },
  { label: 'Next attempt', numeric: true, extra: true },
  { label: 'Queued', numeric: true },
];

interface DeliveryTableProps {
  endpointId: string;
  deliveries: WebhookDelivery[];
}

export function DeliveryTable({ endpointId, deliveries }: DeliveryTableProps) {
  const to = useProjectPath();
  return (
    <Table label="Deliveries" columns={columns}>
      {deliveries.map((delivery) => (
        <Row key={delivery.id}>
          <Cell>
            <DeliveryStatus status={delivery.status} />
          </Cell>
          <Cell clip>
            <Link to={to(`webhooks/${endpointId}/deliveries/${delivery.id}`)} className={rowLinkClass ?? ''}>
              {delivery.type}
            </Link>
          </Cell>
          <Cell extra faint clip>
            {lastAnswer(delivery)}
          </Cell>
          <Cell numeric extra>
            {formatCount(delivery.attempts.length)}
          </Cell>
          <Cell numeric extra faint>
            {delivery.nextAttemptAt && <Ago at={delivery.nextAttemptAt} />}
          </Cell>
          <Cell numeric faint>
            <Ago at={delivery.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
