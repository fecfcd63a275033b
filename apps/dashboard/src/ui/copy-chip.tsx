import { useCopy } from '../lib/use-copy.ts';
import styles from './copy-chip.module.css';
import { Icon } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

const words = { idle: 'Copy', copied: 'Copied', failed: 'Copy failed' };
const shownCharacters = 8;

/** An identifier in short, copied in full by a click. @param label what it identifies, for screen readers */
export function CopyChip({ text, label }: { text: string; label: string }) {
  const [state, copy] = useCopy();
  const short =
    text.length > 2 * shownCharacters
      ? `${text.slice(0, shownCharacters)}…${text.slice(-shownCharacters / 2)}`
      : text;
  return (
    <>
      <Tooltip text={text}>
        <button type="button" className={styles.chip} onClick={() => copy(text)}>
          <span className="visually-hidden">{`${words[state]} ${label} `}</span>
          <code>{short}</code>
          <Icon name={state === 'copied' ? 'check' : 'copy'} size={12} />
        </button>
      </Tooltip>
      <span className="visually-hidden" role="status">
        {state === 'idle' ? '' : words[state]}
      </span>
    </>
  );
}
