import { Fragment } from 'react';
import { Link } from 'react-router';
import type { SignUpForm } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Cell, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { TopicName } from '../../common/topics/topic-name.tsx';
import { FormState } from './form-state.tsx';

export function FormTable({ forms }: { forms: readonly SignUpForm[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Forms"
      columns={[
        { label: 'Name' },
        { label: 'State' },
        { label: 'Topics', extra: true },
        { label: 'Changed', numeric: true, extra: true },
      ]}
    >
      {forms.map((form) => (
        <Row key={form.id}>
          <Cell clip>
            <Link to={to(`forms/${form.id}`)} className={rowLinkClass ?? ''}>
              {form.name}
            </Link>
          </Cell>
          <Cell>
            <FormState form={form} />
          </Cell>
          <Cell clip faint extra>
            {form.topics.map((topic, index) => (
              <Fragment key={topic}>
                {index > 0 && ', '}
                <TopicName topic={topic} />
              </Fragment>
            ))}
          </Cell>
          <Cell numeric faint extra>
            <Ago at={form.updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
