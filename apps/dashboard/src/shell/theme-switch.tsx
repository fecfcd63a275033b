import { type Theme, themes, useTheme } from '../lib/theme.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './theme-switch.module.css';

const looks: Record<Theme, { icon: IconName; label: string }> = {
  system: { icon: 'screen', label: 'System theme' },
  light: { icon: 'sun', label: 'Light theme' },
  dark: { icon: 'moon', label: 'Dark theme' },
};

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">Theme</legend>
      {themes.map((name) => (
        <button
          key={name}
          type="button"
          title={looks[name].label}
          aria-label={looks[name].label}
          aria-pressed={theme === name}
          onClick={() => setTheme(name)}
        >
          <Icon name={looks[name].icon} size={14} />
        </button>
      ))}
    </fieldset>
  );
}
