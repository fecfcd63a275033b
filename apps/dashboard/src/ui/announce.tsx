import { Check, X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './announce.module.css';
import { Shape } from './shape.tsx';

const shownMs = 4_000;
/** Long enough to read the text and reach the button. */
const shownWithActionMs = 10_000;
/** More would cover the page; the oldest makes room. */
const most = 3;

interface Message {
  id: number;
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

/**
 * Shows a message for a few seconds: `const announce = useAnnounce(); announce('Saved')`. With an action it stays longer:
 * `announce('Template deleted', 'done', { label: 'Undo', run: restore })`. The time does not pass while the pointer or the
 * focus is on the messages.
 */
export const useAnnounce = () => useContext(Announce);

export function AnnounceProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [isHeld, setHeld] = useState(false);
  const lastId = useRef(0);
  const announce = useCallback<AnnounceText>((text, tone = 'done', action) => {
    lastId.current += 1;
    const message = { id: lastId.current, text, tone, action };
    setMessages((now) => [...now.filter((other) => other.text !== text), message].slice(-most));
  }, []);
  const close = useCallback((id: number) => {
    setMessages((now) => now.filter((message) => message.id !== id));
    // The pointer or the focus may have been on it.
    setHeld(false);
  }, []);
  return (
    <Announce value={announce}>
      {children}
      {createPortal(
        // biome-ignore lint/a11y/noStaticElementInteractions: the messages stay while the pointer or the focus is on them
        <div
          className={styles.place}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          {/* The attribute says what the role says too: a dialog hides everything outside of it that lacks it. */}
          <div className={styles.stack} role="status" aria-live="polite" aria-atomic="false">
            {messages.map((message) => (
              <Toast key={message.id} message={message} isHeld={isHeld} onClose={close} />
            ))}
          </div>
        </div>,
        document.body,
      )}
    </Announce>
  );
}

interface ToastProps {
  message: Message;
  isHeld: boolean;
  onClose: (id: number) => void;
}

function Toast({ message: { id, text, tone, action }, isHeld, onClose }: ToastProps) {
  const hasAction = action !== undefined;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => onClose(id), hasAction ? shownWithActionMs : shownMs);
    return () => clearTimeout(timer);
  }, [id, hasAction, isHeld, onClose]);
  return (
    <span className={styles.message}>
      {tone === 'done' && <Shape of={Check} />}
      <span className={styles.text}>{text}</span>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            action.run();
            onClose(id);
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={styles.close} aria-label="Close message" onClick={() => onClose(id)}>
        <Shape of={X} size={14} />
      </button>
    </span>
  );
}
