import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './field-values.module.css';

const shownValues = 200;

/** The different values that contacts have in a field. Of addresses and moments there are as many as contacts. */
export function FieldValues({ field }: { field: string }) {
  const list = useQuery(useApi().contacts.fieldValues.queryOptions({ field, limit: shownValues }));
  const values = list.data?.values ?? [];
  return (
    <Panel
      title="Values"
      aside={
        values.length === shownValues
          ? `the first ${formatCount(shownValues)}`
          : values.length > 0 && `${formatCount(values.length)} different`
      }
    >
      {list.isPending && <Skeleton lines={5} label="Loading values" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data && values.length === 0 && (
        <p className={styles.none}>
          {['email', 'createdAt', 'updatedAt'].includes(field)
            ? 'Nearly every contact has a value of its own.'
            : 'No contact has it.'}
        </p>
      )}
      {values.length > 0 && (
        <ul className={styles.values}>
          {values.map((value) => (
            <li key={JSON.stringify(value)} className={styles.value}>
              {value === '' ? <em>empty</em> : String(value)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
