import { Link } from 'react-router';
import type { Template } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { picturedText } from '../../ui/mail-picture.rules.ts';
import { Cell, Row, rowLinkClass, type Sorting, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { emailTypeNames } from '../emails/email-type-names.ts';

export function TemplateTable({ templates, sorting }: { templates: Template[]; sorting?: Sorting }) {
  const to = useProjectPath();
  return (
    <Table
      label="Templates"
      {...(sorting && { sorting })}
      columns={[
        { label: 'Name', sort: 'name' },
        { label: 'Subject', extra: true },
        { label: 'Type', extra: true },
        { label: 'Updated', sort: 'updatedAt', first: 'desc', numeric: true },
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
            {picturedText(template.subject)}
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
