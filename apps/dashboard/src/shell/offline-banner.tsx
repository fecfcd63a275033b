import { useOnline } from '../lib/use-online.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './offline-banner.module.css';

/** Says that there is no network, for as long as there is none. Requests wait and are sent afterwards. */
export function OfflineBanner() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.banner}>
          <Icon name="alert" />
          You are offline. What you type is kept, and the page continues when the connection is back.
        </p>
      )}
    </div>
  );
}
