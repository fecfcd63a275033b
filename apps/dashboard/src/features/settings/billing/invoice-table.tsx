import type { Invoice } from '../../../lib/api.ts';
import { formatAmount } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Cell, Row, Table } from '../../../ui/table.tsx';
import { Moment } from '../../../ui/time.tsx';

const columns = [
  { label: 'Number' },
  { label: 'Status' },
  { label: 'Total', numeric: true },
  { label: 'Date', extra: true },
  { label: 'Documents' },
];

export function InvoiceTable({ invoices }: { invoices: Invoice[] }) {
  return (
    <Table label="Invoices" columns={columns}>
      {invoices.map(
        ({ id, number, status, paid, total, currency, created, hostedInvoiceUrl, invoicePdf }) => (
          <Row key={id}>
            <Cell clip>{number ?? id}</Cell>
            <Cell>
              <Chip tone={paid ? 'good' : status === 'open' ? 'warn' : 'calm'}>{status}</Chip>
            </Cell>
            <Cell numeric>{formatAmount(total, currency)}</Cell>
            <Cell extra>
              <Moment at={created} />
            </Cell>
            <Cell>
              {hostedInvoiceUrl && (
                <a href={hostedInvoiceUrl} target="_blank" rel="noreferrer">
                  {status === 'open' ? 'Pay' : 'View'}
                </a>
              )}{' '}
              {invoicePdf && (
                <a href={invoicePdf} target="_blank" rel="noreferrer">
                  PDF
                </a>
              )}
            </Cell>
          </Row>
        ),
      )}
    </Table>
  );
}
