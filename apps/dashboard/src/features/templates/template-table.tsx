import { Link } from 'react-router';
import type { Template } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { Cell, Row, rowLinkClass, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { emailTypeNames } from '../emails/email-type-names.ts';

export function TemplateTable({ templates }: { templates: Template[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Templates"
      columns={[
        { label: 'Name' },
        { label: 'Subject', extra: true },
        { label: 'Type', extra: true },
        { label: 'Updated', numeric: true },
      ]}
    >
      {templates.map((template) => (
        <Row key={template.id}>
          <Cell clip>
            <Link to={to(`templates/${template.id}`)} className={rowLinkClass ?? ''}>
              {template.name}
            </Link>
          </Cell>
          <Cell clip extra>
            {template.subject}
          </Cell>
          <Cell extra faint>
            {emailTypeNames[template.type]}
          </Cell>
          <Cell numeric faint>
            <Ago at={template.updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
