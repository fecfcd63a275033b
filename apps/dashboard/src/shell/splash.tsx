import { Logo } from '../ui/logo.tsx';
import styles from './splash.module.css';

/** Shown while the first data loads, if that takes noticeably long. */
export function Splash() {
  return (
    <div className={styles.splash} role="status">
      <Logo size={32} />
      <span className="visually-hidden">Loading Postrider</span>
    </div>
  );
}
