import { Logo } from '../ui/logo.tsx';
import styles from './splash.module.css';

/** Before anything is known. Shows itself only when that takes long enough to be noticed. */
export function Splash() {
  return (
    <div className={styles.splash} role="status">
      <Logo size={32} />
      <span className="visually-hidden">Loading Postrider</span>
    </div>
  );
}
