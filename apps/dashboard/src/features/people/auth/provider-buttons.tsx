import { useSearchParams } from 'react-router';
import { safeNext } from '../../../lib/paths.ts';
import { useConfiguration } from '../../../lib/use-configuration.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import styles from './provider-buttons.module.css';
import { useInvitation } from './use-invitation.ts';

const providers = [
  { name: 'github', label: 'Continue with GitHub' },
  { name: 'google', label: 'Continue with Google' },
  { name: 'oidc', label: 'Continue with single sign-on' },
] as const;

/** A link to each configured sign-in provider, which leads back to the page that was requested. */
export function ProviderButtons() {
  const configured = useConfiguration().data?.features.authProviders;
  const [search] = useSearchParams();
  const { token } = useInvitation();
  const offered = providers.filter(({ name }) => configured?.[name]);
  if (offered.length === 0) return null;
  const query = new URLSearchParams({
    next: safeNext(search.get('next')),
    ...(token !== null && { invitation: token }),
  });
  return (
    <div className={styles.providers}>
      <span>or</span>
      {offered.map(({ name, label }) => (
        <ButtonLink key={name} to={`/auth/oauth/${name}?${query}`} reloadDocument>
          {label}
        </ButtonLink>
      ))}
    </div>
  );
}
