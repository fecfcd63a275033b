import { Outlet } from 'react-router';
import { Logo } from '../ui/logo.tsx';
import styles from './auth-layout.module.css';

export function AuthLayout() {
  return (
    <div className={styles.layout}>
      <header className={styles.brand}>
        <Logo size={26} />
        Postrider
      </header>
      <main className={styles.card}>
        <Outlet />
      </main>
    </div>
  );
}
