import { Link } from 'react-router';
import type { ContactField } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatPercent } from '../../../lib/format.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { definedTypes, fieldKey, fieldTypes, isCustom } from './contact-fields.rules.ts';

export function FieldTable({ fields }: { fields: ContactField[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Fields"
      columns={[
        { label: 'Field' },
        { label: 'Variable', extra: true },
        { label: 'Type' },
        { label: 'Coverage', numeric: true, extra: true },
      ]}
    >
      {fields.map(({ field, type, coverage, label, definition }) => (
        <Row key={field}>
          <Cell clip>
            <Link to={to(`contacts/fields/${encodeURIComponent(field)}`)} className={rowLinkClass ?? ''}>
              {fieldKey(field)}
            </Link>
            <SecondLine>{label ?? coverageInWords(coverage)}</SecondLine>
          </Cell>
          <Cell extra faint code>
            {isMailName(field) ? `{{${fieldKey(field)}}}` : ''}
          </Cell>
          <Cell faint>
            {definition ? definedTypes[definition.type] : fieldTypes[type]}
            {!isCustom(field) && ' (standard)'}
          </Cell>
          <Cell numeric extra>
            {formatPercent(coverage)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const coverageInWords = (coverage: number): string => `${formatPercent(coverage)} of contacts`;

/** Whether templates can use it as a variable. Of the standard fields, only two are available there. */
const isMailName = (field: string): boolean =>
  isCustom(field) ? /^[A-Za-z_]\w*$/.test(fieldKey(field)) : field === 'email' || field === 'subscribed';
