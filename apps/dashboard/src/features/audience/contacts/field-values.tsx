import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import styles from './field-values.module.css';

const shownValues = 200;

/** The distinct values of a field. Addresses and dates are not listed: nearly every contact has a different one. */
export function FieldValues({ field }: { field: string }) {
  const list = useQuery(useApi().contacts.listFieldValues.queryOptions({ field, limit: shownValues }));
  const values = list.data?.values ?? [];
  return (
    <Panel
      title="Values"
      aside={
        values.length === shownValues
          ? `First ${formatCount(shownValues)}`
          : values.length > 0 && `${formatCount(values.length)} distinct`
      }
    >
      {list.isPending && <Skeleton lines={5} label="Loading values" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data && values.length === 0 && (
        <p className={styles.none}>
          {['email', 'createdAt', 'updatedAt'].includes(field)
            ? 'Almost every contact has a different value.'
            : 'No contacts have this field.'}
        </p>
      )}
      {values.length > 0 && (
        <ul className={styles.values}>
          {values.map((value) => (
            <li key={JSON.stringify(value)} className={styles.value}>
              {value === '' ? <em>Empty</em> : String(value)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
