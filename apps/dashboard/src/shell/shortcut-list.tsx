import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';
import { areShortcutsOn } from '../lib/shortcut-preference.ts';
import { Dialog } from '../ui/dialog.tsx';
import { usePlaces } from './places.ts';
import styles from './shortcut-list.module.css';
import { paletteKeys } from './use-shortcuts.ts';

/** The dialog that lists the keyboard shortcuts. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const [isOn] = useState(areShortcutsOn);
  const groups = usePlaces();
  // Its only control is at the end, which would scroll a low window there.
  const top = useRef<HTMLDivElement>(null);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide initialFocus={top}>
      <div ref={top} tabIndex={-1} className={styles.columns}>
        <Keys
          title="General"
          rows={[
            [paletteKeys, 'Search and commands'],
            ['C', 'Create a record of this page'],
            ['?', 'This list'],
            ['Esc', 'Close'],
          ]}
        />
        {groups.map(({ title = 'Go to', places }) => (
          <Keys
            key={title}
            title={title}
            rows={places.map(({ label, key }) => [`G ${key.toUpperCase()}`, label])}
          />
        ))}
      </div>
      <p className={styles.note}>
        {isOn ? 'Single keys do nothing while you type in a field.' : 'Single keys are switched off.'} Change
        this in{' '}
        <Link to={paths.account} onClick={onClose}>
          your account
        </Link>
        .
      </p>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: [keys: string, text: string][] }) {
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.list}>
        {rows.map(([keys, text]) => (
          <div key={keys}>
            <dt>{text}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
