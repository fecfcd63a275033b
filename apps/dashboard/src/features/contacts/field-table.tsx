import { Link } from 'react-router';
import type { ContactField } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { formatPercent } from '../../lib/format.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../ui/table.tsx';
import { fieldKey, fieldTypes, isCustom } from './contact-fields.rules.ts';

export function FieldTable({ fields }: { fields: ContactField[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Fields"
      columns={[
        { label: 'Field' },
        { label: 'In a mail', extra: true },
        { label: 'Type' },
        { label: 'Contacts that have it', numeric: true, extra: true },
      ]}
    >
      {fields.map(({ field, type, coverage }) => (
        <Row key={field}>
          <Cell clip>
            <Link to={to(`contacts/fields/${encodeURIComponent(field)}`)} className={rowLinkClass ?? ''}>
              {fieldKey(field)}
            </Link>
            <SecondLine>{coverageInWords(coverage)}</SecondLine>
          </Cell>
          <Cell extra faint code>
            {isMailName(field) ? `{{${fieldKey(field)}}}` : ''}
          </Cell>
          <Cell faint>
            {fieldTypes[type]}
            {!isCustom(field) && ', standard'}
          </Cell>
          <Cell numeric extra>
            {formatPercent(coverage)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const coverageInWords = (coverage: number): string => `${formatPercent(coverage)} of the contacts`;

/** Whether mails can write it by its name: of the standard fields only two are known there. */
const isMailName = (field: string): boolean =>
  isCustom(field) ? /^[A-Za-z_]\w*$/.test(fieldKey(field)) : field === 'email' || field === 'subscribed';
