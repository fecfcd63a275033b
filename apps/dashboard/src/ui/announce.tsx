import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import styles from './announce.module.css';
import { Icon } from './icon.tsx';

const shownMs = 4_000;

/** @param tone `note` for a message that is not a success */
type AnnounceText = (text: string, tone?: 'done' | 'note') => void;

const Announce = createContext<AnnounceText>(() => undefined);

/** Shows a message for a few seconds: `const announce = useAnnounce(); announce('Saved')`. */
export const useAnnounce = () => useContext(Announce);

export function AnnounceProvider({ children }: { children: ReactNode }) {
  const [message, setMessage] = useState<{ text: string; tone: 'done' | 'note' } | null>(null);
  const announce = useCallback<AnnounceText>((text, tone = 'done') => setMessage({ text, tone }), []);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), shownMs);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <Announce value={announce}>
      {children}
      <div className={styles.place} role="status">
        {message && (
          <span className={styles.message}>
            {message.tone === 'done' && <Icon name="check" />}
            {message.text}
          </span>
        )}
      </div>
    </Announce>
  );
}
