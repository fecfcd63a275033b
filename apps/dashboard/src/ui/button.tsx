import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  small?: boolean;
  icon?: IconName;
}

const classOf = ({ kind = 'plain', small }: Look): string =>
  [styles.button, styles[kind], small ? styles.small : ''].join(' ');

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'className'> {
  /** Its action is still running. It keeps the focus, so it is not `disabled`. */
  pending?: boolean;
}

export function Button({
  kind,
  small,
  icon,
  pending,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const look = { ...(kind && { kind }), ...(small && { small }) };
  return (
    <button
      {...rest}
      type={type}
      className={classOf(look)}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending ? <span className={styles.spinner} /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export function ButtonLink({
  kind,
  small,
  icon,
  children,
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, 'className'>) {
  const look = { ...(kind && { kind }), ...(small && { small }) };
  return (
    <Link {...rest} className={classOf(look)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}
