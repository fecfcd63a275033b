import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from './icon.tsx';
import { type ButtonLook, buttonClass, PlainButton, type PlainButtonProps } from './plain-button.tsx';

interface WithIcon {
  icon?: IconName;
}

export const Button = ({ icon, ...rest }: WithIcon & Omit<PlainButtonProps, 'before'>) => (
  <PlainButton {...rest} before={icon && <Icon name={icon} />} />
);

export const ButtonLink = ({
  kind = 'plain',
  small = false,
  icon,
  children,
  ...rest
}: WithIcon & ButtonLook & Omit<ComponentProps<typeof Link>, 'className'>) => (
  <Link {...rest} className={buttonClass({ kind, small })}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
);
