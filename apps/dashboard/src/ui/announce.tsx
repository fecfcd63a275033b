import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './announce.module.css';
import { Icon } from './icon.tsx';

const shownMs = 4_000;
/** Long enough to read the text and reach the button. */
const shownWithActionMs = 10_000;

interface Message {
  text: string;
  tone: 'done' | 'note';
  action: MessageAction | undefined;
}

/** What can be done about a message, such as undoing what it reports. */
interface MessageAction {
  label: string;
  run: () => void;
}

/** @param tone `note` for a message that is not a success */
type AnnounceText = (text: string, tone?: 'done' | 'note', action?: MessageAction) => void;

const Announce = createContext<AnnounceText>(() => undefined);

/** Shows a message for a few seconds: `const announce = useAnnounce(); announce('Saved')`. */
export const useAnnounce = () => useContext(Announce);

export function AnnounceProvider({ children }: { children: ReactNode }) {
  const [message, setMessage] = useState<Message | null>(null);
  const [isHeld, setHeld] = useState(false);
  const announce = useCallback<AnnounceText>((text, tone = 'done', action) => {
    setHeld(false);
    setMessage({ text, tone, action });
  }, []);
  useEffect(() => {
    if (message === null || isHeld) return;
    const timer = setTimeout(() => setMessage(null), message.action ? shownWithActionMs : shownMs);
    return () => clearTimeout(timer);
  }, [message, isHeld]);
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  return (
    <Announce value={announce}>
      {children}
      {createPortal(
        <div className={styles.place} role="status">
          {message && (
            // biome-ignore lint/a11y/noStaticElementInteractions: the message stays while the pointer or the focus is on it
            <span
              className={styles.message}
              {...hold}
              onFocus={() => setHeld(true)}
              onBlur={() => setHeld(false)}
            >
              {message.tone === 'done' && <Icon name="check" />}
              <span className={styles.text}>{message.text}</span>
              {message.action && (
                <button
                  type="button"
                  className={styles.action}
                  onClick={() => {
                    message.action?.run();
                    setMessage(null);
                  }}
                >
                  {message.action.label}
                </button>
              )}
              <button
                type="button"
                className={styles.close}
                aria-label="Close message"
                onClick={() => setMessage(null)}
              >
                <Icon name="cross" size={14} />
              </button>
            </span>
          )}
        </div>,
        document.body,
      )}
    </Announce>
  );
}
