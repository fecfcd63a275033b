import { TriangleAlert } from 'lucide-react';
import { useOnline } from '../lib/use-online.ts';
import { Shape } from '../ui/shape.tsx';
import styles from './offline-banner.module.css';

/** Says that there is no network, for as long as there is none. Requests wait and are sent afterwards. */
export function OfflineBanner() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.banner}>
          <Shape of={TriangleAlert} />
          You are offline. What you type is kept, and the page continues when the connection is back.
        </p>
      )}
    </div>
  );
}
