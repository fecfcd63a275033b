import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { fieldKey, isCustom } from '../features/audience/contacts/contact-fields.rules.ts';
import { DefineField } from '../features/audience/contacts/define-field.tsx';
import { DeleteField } from '../features/audience/contacts/delete-field.tsx';
import { FieldUsage } from '../features/audience/contacts/field-usage.tsx';
import { FieldValues } from '../features/audience/contacts/field-values.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function Component() {
  const { field = '' } = useParams();
  const to = useProjectPath();
  const usage = useQuery(useApi().contacts.getFieldUsage.queryOptions({ field }));
  return (
    <Page
      title={fieldKey(field)}
      back={{ to: to('contacts/fields'), label: 'Contact fields' }}
      actions={usage.data?.canDelete && <DeleteField field={field} contactCount={usage.data.contactCount} />}
    >
      <div className={styles.columns}>
        <FieldValues field={field} />
        <div className={styles.side}>
          {isCustom(field) && (
            <Panel title="Type">
              <DefineField field={field} />
            </Panel>
          )}
          <Panel title="Used in">
            {usage.isPending && <Skeleton lines={5} label="Loading where the field is used" />}
            {usage.isError && !usage.data && <LoadFailure error={usage.error} retry={usage.refetch} />}
            {usage.data && <FieldUsage field={field} usage={usage.data} />}
          </Panel>
        </div>
      </div>
    </Page>
  );
}
