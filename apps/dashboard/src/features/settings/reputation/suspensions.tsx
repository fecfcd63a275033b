import type { Security } from '../../../lib/api.ts';
import { Cell, Row, Table } from '../../../ui/table.tsx';
import { Moment } from '../../../ui/time.tsx';

type Reason = Security['recentSuspensions'][number]['reason'];

export const suspensionReasons: Record<Reason, string> = {
  PAYMENT_FAILED: 'A payment failed',
  EMAIL_REPUTATION: 'Too many bounces or complaints',
  PHISHING_DETECTED: 'Phishing was detected',
  MANUAL: 'Disabled by an operator',
};

/** The times when the project was disabled. */
export const Suspensions = ({ suspensions }: { suspensions: Security['recentSuspensions'] }) => (
  <Table
    label="Suspensions"
    columns={[{ label: 'Reason' }, { label: 'Disabled' }, { label: 'Enabled again', extra: true }]}
  >
    {suspensions.map(({ reason, at, liftedAt }) => (
      <Row key={at}>
        <Cell>{suspensionReasons[reason]}</Cell>
        <Cell faint>
          <Moment at={at} />
        </Cell>
        <Cell extra faint>
          {liftedAt ? <Moment at={liftedAt} /> : 'Not yet'}
        </Cell>
      </Row>
    ))}
  </Table>
);
