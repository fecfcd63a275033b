import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

export interface ButtonLook {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  small?: boolean;
}

export const buttonClass = ({ kind = 'plain', small }: ButtonLook): string =>
  [styles.button, styles[kind], small ? styles.small : ''].join(' ');

export interface PlainButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'className'> {
  /** Its action is still running. It keeps the focus, so it is not `disabled`. */
  pending?: boolean;
  /** Before the text, for example an icon. The spinner of a running action replaces it. */
  before?: ReactNode;
}

/** A button without an icon by name, for what loads before the first page; see `Shape`. */
export function PlainButton({
  kind = 'plain',
  small = false,
  before,
  pending,
  type = 'button',
  onClick,
  children,
  ...rest
}: PlainButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ kind, small })}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending ? <span className={styles.spinner} /> : before}
      {children}
    </button>
  );
}
