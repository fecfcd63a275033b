import { Link } from 'react-router';
import type { WebhookEndpoint } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { typesInWords } from './endpoint-types.rules.ts';
import { LatestDelivery } from './latest-delivery.tsx';

const columns = [
  { label: 'URL' },
  { label: 'Types', extra: true },
  { label: 'State' },
  { label: 'Latest delivery', extra: true },
];

export function EndpointTable({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  const to = useProjectPath();
  return (
    <Table label="Webhook endpoints" columns={columns}>
      {endpoints.map((endpoint) => (
        <Row key={endpoint.id}>
          <Cell clip>
            <Link to={to(`webhooks/${endpoint.id}`)} className={rowLinkClass ?? ''}>
              {endpoint.url}
            </Link>
            <SecondLine>{typesInWords(endpoint.types)}</SecondLine>
          </Cell>
          <Cell extra clip faint>
            {typesInWords(endpoint.types)}
          </Cell>
          <Cell>
            <EndpointState endpoint={endpoint} />
          </Cell>
          <Cell extra faint>
            <LatestDelivery endpointId={endpoint.id} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
