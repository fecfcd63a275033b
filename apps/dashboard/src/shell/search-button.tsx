import { Icon } from '../ui/icon.tsx';
import { useOpenPalette } from './palette-host.tsx';
import styles from './search-button.module.css';
import { paletteKeys } from './use-shortcuts.ts';

/** Opens the command palette. @param onLeave called first, so that a drawer can close */
export function SearchButton({ onLeave }: { onLeave?: (() => void) | undefined }) {
  const open = useOpenPalette();
  return (
    <button
      type="button"
      className={styles.button}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => {
        onLeave?.();
        open();
      }}
    >
      <Icon name="search" size={15} />
      Search
      <kbd>{paletteKeys}</kbd>
    </button>
  );
}
